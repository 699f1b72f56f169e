import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { listSignature } from '../../../database/cursor.ts'
import { executeApart } from '../../../database/driver.ts'
import type { Filter } from '../../../database/filters.ts'
import { plannedAnew } from '../../../database/statements.ts'
import { inTurns } from '../../../database/turns.ts'
import { todayIn } from '../age.ts'
import { type Asking, personCondition } from './conditions.ts'
import { personMatcher } from './matches.ts'
import { isPassing, testsOf } from './read.ts'
import { fits, type Sought, soughtIn } from './search.ts'

export type Counts = Pick<Context, 'db' | 'totals' | 'versions'>

/** A list as it was asked for; `input` tells it from any other. */
export type Listed = { asking: Asking; filter: Filter; input: Record<string, unknown>; sought: Sought[] }

/** The exact number of persons of a list, remembered. */
export const countPersons = (context: Counts, list: Listed): Promise<number> => {
  const { asking, filter, input, sought } = list
  const tests = testsOf(filter)
  const today = tests.some(({ name }) => name === 'age') && todayIn(asking.environment.time_zone, asking.now)
  const key = listSignature('persons', input, sought, today)
  const count = () => counted(context, list)
  if (tests.some(isPassing)) return countBriefly(context, asking.environment.id, key, count)
  return context.totals.of({
    environment: asking.environment.id,
    family: 'audience',
    key,
    count,
    matches: personMatcher(asking, filter) as never,
  })
}

type Counted = { count: number; snapshot: string }

/** Many totals can be lost at once; counting them all together would leave no connection for writes. */
const turn = inTurns(4)

/** A count may take more memory and more processes than what waits in line with others. */
const counted = ({ db }: Counts, list: Listed): Promise<Counted> =>
  turn(async () => {
    const statement = sql<Counted>`${sql.raw(plannedAnew)}
      select count(*)::integer as count, pg_current_snapshot()::text as snapshot
      from (${keysOf(list)}) as found`
    const { rows } = await executeApart(db, statement.compile(db), { work_mem: '64MB' })
    return rows[0]!
  })

/**
 * The keys of all who fulfil the filter. They are found among the facts, because their rows are short; who is searched
 * for, among the words, by the longest that is sought: it mostly is the rarest.
 */
export const keysOf = ({ asking: sent, filter, sought }: Listed): RawBuilder<unknown> => {
  const asking = { ...sent, wholly: true }
  const { id } = asking.environment
  if (sought.length === 0)
    return sql`select facts.person_key from person_facts as facts where facts.environment_id = ${id}
      and ${personCondition(asking, filter, 'facts')}`
  const [first, ...rest] = sought.toSorted((one, other) => other.word.length - one.word.length)
  const others = rest.length > 0 ? [soughtIn('link', rest)] : []
  const all = [fits(first!, 'link'), ...others, personCondition(asking, withoutSearch(filter), 'link')]
  return sql`select distinct link.person_key from person_words as link
    where link.environment_id = ${id} and ${sql.join(all, sql` and `)}`
}

/** What a filter asks besides the words that are sought. */
export const withoutSearch = ({ tests, alternatives }: Filter): Filter => ({
  tests: tests.filter(({ name }) => name !== 'q'),
  alternatives,
})

type Brief = { version: string; since: number; total: Promise<number>; isNew: boolean }

const mostAge = 2000
const restedAge = 1000

const brief = new WeakMap<Counts['totals'], LRUCache<string, Brief>>()

/**
 * What persons do, and the clock, move these totals without telling anybody. They are remembered for two seconds, and
 * counted anew beside the requests once they are a second old.
 */
const countBriefly = (
  { totals, versions }: Counts,
  environmentId: string,
  key: string,
  count: () => Promise<Counted>,
): Promise<number> => {
  const known = brief.get(totals) ?? new LRUCache<string, Brief>({ max: 5000 })
  brief.set(totals, known)
  const version = versions.of(environmentId, 'audience')
  const name = `${environmentId} ${key}`
  const begin = (): Promise<number> => {
    const since = performance.now()
    const total = count().then((counted) => counted.count)
    known.set(name, { version, since, total, isNew: true })
    total.catch(() => known.delete(name))
    return total
  }
  const total = known.get(name)
  if (!total || total.version !== version || performance.now() - total.since > mostAge) return begin()
  if (total.isNew && performance.now() - total.since > restedAge) {
    total.isNew = false
    const next = count()
    next.then(
      ({ count }) =>
        known.set(name, { version, since: performance.now(), total: Promise.resolve(count), isNew: true }),
      () => known.delete(name),
    )
  }
  return total.total
}
