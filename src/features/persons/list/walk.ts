import { sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { ListRequest } from '../../../database/page.ts'
import { parseSort, type SortKey, withId } from '../../../database/sort.ts'
import type { TieredWalk } from '../../../database/tiers.ts'
import type { Finding, Walk } from '../../../database/walk.ts'
import { personCondition } from './conditions.ts'
import { type Counts, countPersons, type Listed } from './count.ts'
import { personSorts } from './fields.ts'
import { exactlyIn } from './search.ts'

export const defaultSort = '-created_on'

/** Sorted in about 10 ms. */
const few = 5000
/** Walked in about 3 ms; what one of a hundred rows has is found 25 times among them. */
const ahead = 3000
/** So few are sorted together. */
const fewest = 500

const baseOf = ({ asking }: Listed): Condition => sql`row.environment_id = ${asking.environment.id}`

const walkOf = (list: Listed, request: ListRequest, keys: SortKey[]): Walk => ({
  table: 'persons',
  scope: { column: 'environment_id', value: list.asking.environment.id },
  keys,
  conditions: [baseOf(list), personCondition(list.asking, list.filter)],
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
  return {
    ...walkOf(list, request, keys),
    ...(isNarrowed ? { finding: findingOf(list, total) } : { plannedAnew: false }),
  }
}

/** Who has every word as it was written comes first, then who has words that begin so or are near; each the newest first. */
export const rankedWalk = async (
  context: Counts,
  list: Listed,
  request: ListRequest,
  total: number,
): Promise<TieredWalk> => {
  const exact = exactlyIn('row', list.sought)
  const key = { nullable: false, descending: true } as const
  const keys = withId([
    { ...key, name: 'rank', expression: sql`(case when ${exact} then 1 else 0 end)`, type: 'number' },
    { ...key, name: 'created_on', expression: sql.ref('row.created_on'), type: 'date' },
  ])
  const walk = walkOf(list, request, keys)
  if (total <= fewest) return { ...walk, finding: 'sorted' }
  const whole = await countPersons(context, list, 'exact', [exactlyIn('link', list.sought)])
  return {
    ...walk,
    tiers: [
      { values: [1], conditions: [exact], finding: findingOf(list, whole) },
      { values: [0], conditions: [sql`not ${exact}`], finding: findingOf(list, total - whole) },
    ],
  }
}
