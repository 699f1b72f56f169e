import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Condition } from '../../../database/filters.ts'
import { type ListRequest, placeIn } from '../../../database/page.ts'
import { type SortKey, withId } from '../../../database/sort.ts'
import type { Tier, TieredWalk } from '../../../database/tiers.ts'
import { faultsOf } from '../../../errors.ts'
import type { Home } from './atoms.ts'
import { countTitles } from './count.ts'
import { allIn, columnIn, type Listed, placeOf } from './home.ts'
import { lookingAhead } from './walk.ts'

/** Sorted in about 30 ms; more are walked through. */
const most = 10_000
const mostTitles = 5000
/** So few are sorted together. */
const few = 500

type Ranked = 'rank' | 'title'

/**
 * Titles that are nothing but the words come first, then other titles that hold them, then the rest, each the newest
 * first. Words that stand in more than 5,000 titles put no title before another.
 */
export const rankedWalk = async (
  context: Pick<Context, 'db' | 'totals'>,
  list: Listed,
  request: ListRequest,
  total: number,
): Promise<TieredWalk> => {
  const home: Home = list.locale === undefined ? 'row' : 'local'
  const walk = (ranked: Ranked): TieredWalk => ({
    ...placeOf(list, home),
    keys: rankKeys(list, home, ranked),
    conditions: allIn(list, home, true),
    position: undefined,
    backwards: request.before !== undefined,
    plannedAnew: true,
  })
  const begun = begunAs(request, { rank: walk('rank').keys, title: walk('title').keys })
  if (begun !== 'title' && total <= few) return { ...walk('rank'), finding: 'sorted' }
  const ranked = begun ?? ((await countTitles(context, list)) <= mostTitles ? 'rank' : 'title')
  return { ...walk(ranked), tiers: tiersOf(list, home, ranked, total) }
}

/** Who pages goes on in the order in which he began, however many titles there are by now. */
const begunAs = (request: ListRequest, keys: Record<Ranked, SortKey[]>): Ranked | undefined => {
  if (request.after === undefined && request.before === undefined) return undefined
  return (['rank', 'title'] as const).find(
    (ranked) => faultsOf(() => placeIn('publications', keys[ranked], request)).length === 0,
  )
}

const rankKeys = ({ filter }: Listed, home: Home, ranked: Ranked): SortKey[] => {
  const { some, whole } = filter.titles!
  const rank = sql`(case when ${all(some.conditionsIn(home, true))}
    then case when ${all(whole.conditionsIn(home, true))} then 2 else 1 end else 0 end)`
  const key = { nullable: false, descending: true }
  return withId(
    [
      { ...key, name: ranked, expression: rank, type: 'number' },
      { ...key, name: 'publish_on', expression: columnIn(home, 'publish_on'), type: 'date', nullable: true },
    ],
    (column) => columnIn(home, column),
  )
}

/** Titles are found apart from the rest: there are few of them, and mostly enough for a page. */
const tiersOf = (list: Listed, home: Home, ranked: Ranked, total: number): Tier[] => {
  const titles = list.filter.titles!.some.conditionsIn(home, true)
  const ahead = lookingAhead(list, home)
  return [
    ranked === 'rank'
      ? { values: [2, 1], conditions: titles, finding: 'sorted' }
      : { values: [1], conditions: titles, finding: ahead },
    { values: [0], conditions: [sql`not ${all(titles)}`], finding: total <= most ? 'sorted' : ahead },
  ]
}

const all = (conditions: Condition[]): Condition => sql`(${sql.join(conditions, sql` and `)})`
