import { sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { ListRequest } from '../../../database/page.ts'
import { parseSort, type SortKey, withId } from '../../../database/sort.ts'
import type { TieredWalk } from '../../../database/tiers.ts'
import type { Finding, Walk } from '../../../database/walk.ts'
import { personCondition } from './conditions.ts'
import { type Counts, countPersons, keysOf, type Listed, withoutSearch } from './count.ts'
import { personSorts } from './fields.ts'
import { exactly, soughtIn } from './search.ts'

export const defaultSort = '-created_on'

/** Sorted in about 10 ms. */
const few = 5000
/** Walked in about 3 ms; what one of a hundred rows has is found 25 times among them. */
const ahead = 3000
/** So few are sorted together. */
const fewest = 500

const baseOf = ({ asking }: Listed): Condition => sql`row.environment_id = ${asking.environment.id}`

type Found = { conditions: Condition[]; finding: Finding }

/**
 * So few that their keys are found first, where rows are short, and only their own rows are read. Of many, the next rows
 * are looked at, each whether it is one of them.
 */
const foundAmong = (list: Listed, total: number | undefined, each: Condition[]): Found =>
  total !== undefined && total <= few
    ? { conditions: [sql`row.key = any(array(${keysOf(list)}))`], finding: 'sorted' }
    : { conditions: each, finding: { ahead, within: [baseOf(list)] } }

const walkOf = (list: Listed, request: ListRequest, keys: SortKey[], found?: Found): Walk => ({
  table: 'persons',
  scope: { column: 'environment_id', value: list.asking.environment.id },
  keys,
  conditions: [baseOf(list), ...(found?.conditions ?? [])],
  ...(found && { finding: found.finding, plannedAnew: true }),
  position: undefined,
  backwards: request.before !== undefined,
})

/** In the order that was asked for. */
export const sortedWalk = (list: Listed, request: ListRequest, total: number | undefined): Walk => {
  const keys = parseSort(personSorts, request.sort ?? defaultSort)
  const { tests, alternatives } = list.filter
  if (tests.length + alternatives.length === 0) return walkOf(list, request, keys)
  return walkOf(list, request, keys, foundAmong(list, total, [personCondition(list.asking, list.filter)]))
}

/** Who has every word as it was written comes first, then who has words that begin so or are near; each the newest first. */
export const rankedWalk = async (
  context: Counts,
  list: Listed,
  request: ListRequest,
  total: number,
): Promise<TieredWalk> => {
  const whole = { ...list, sought: exactly(list.sought) }
  const exact = soughtIn('row', whole.sought)
  const key = { nullable: false, descending: true } as const
  const keys = withId([
    { ...key, name: 'rank', expression: sql`(case when ${exact} then 1 else 0 end)`, type: 'number' },
    { ...key, name: 'created_on', expression: sql.ref('row.created_on'), type: 'date' },
  ])
  if (total <= fewest) return walkOf(list, request, keys, foundAmong(list, total, []))
  const count = await countPersons(context, whole)
  const others = personCondition(list.asking, withoutSearch(list.filter))
  const begun = foundAmong(list, total, [soughtIn('row', list.sought), others])
  return {
    ...walkOf(list, request, keys),
    plannedAnew: true,
    tiers: [
      { values: [1], ...foundAmong(whole, count, [exact, others]) },
      { values: [0], finding: begun.finding, conditions: [...begun.conditions, sql`not ${exact}`] },
    ],
  }
}
