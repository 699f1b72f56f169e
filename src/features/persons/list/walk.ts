import { sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { ListRequest } from '../../../database/page.ts'
import { parseSort, type SortKey, withId } from '../../../database/sort.ts'
import type { TieredWalk } from '../../../database/tiers.ts'
import type { Finding, Walk } from '../../../database/walk.ts'
import { personCondition } from './conditions.ts'
import { type Counts, countPersons, type Listed, withoutSearch } from './count.ts'
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

const walkOf = (list: Listed, request: ListRequest, keys: SortKey[], finding?: Finding): Walk => ({
  table: 'persons',
  scope: { column: 'environment_id', value: list.asking.environment.id },
  keys,
  conditions: [baseOf(list), personCondition({ ...list.asking, wholly: finding === 'sorted' }, list.filter)],
  ...(finding && { finding }),
  position: undefined,
  backwards: request.before !== undefined,
  plannedAnew: true,
})

const findingOf = (list: Listed, total: number | undefined): Finding =>
  total !== undefined && total <= few ? 'sorted' : { ahead, within: [baseOf(list)] }

/** In the order that was asked for. */
export const sortedWalk = (list: Listed, request: ListRequest, total: number | undefined): Walk => {
  const keys = parseSort(personSorts, request.sort ?? defaultSort)
  const { tests, alternatives } = list.filter
  const isNarrowed = tests.length + alternatives.length > 0
  return isNarrowed
    ? walkOf(list, request, keys, findingOf(list, total))
    : { ...walkOf(list, request, keys), plannedAnew: false }
}

/** Who has every word as it was written comes first, then who has words that begin so or are near; each the newest first. */
export const rankedWalk = async (
  context: Counts,
  list: Listed,
  request: ListRequest,
  total: number,
): Promise<TieredWalk> => {
  const exact = soughtIn('row', exactly(list.sought))
  const key = { nullable: false, descending: true } as const
  const keys = withId([
    { ...key, name: 'rank', expression: sql`(case when ${exact} then 1 else 0 end)`, type: 'number' },
    { ...key, name: 'created_on', expression: sql.ref('row.created_on'), type: 'date' },
  ])
  if (total <= fewest) return walkOf(list, request, keys, 'sorted')
  const whole = await countPersons(context, { ...list, sought: exactly(list.sought) })
  // Who has the words themselves need not be asked whether some begin so.
  const begun = [soughtIn('row', list.sought), sql`not ${exact}`]
  return {
    ...walkOf({ ...list, filter: withoutSearch(list.filter) }, request, keys),
    tiers: [
      { values: [1], conditions: [exact], finding: findingOf(list, whole) },
      { values: [0], conditions: begun, finding: findingOf(list, total - whole) },
    ],
  }
}
