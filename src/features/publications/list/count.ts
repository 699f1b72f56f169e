import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { listSignature } from '../../../database/cursor.ts'
import { executeApart } from '../../../database/driver.ts'
import type { Condition } from '../../../database/filters.ts'
import { plannedAnew } from '../../../database/statements.ts'
import { inTurns } from '../../../database/turns.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Home } from './atoms.ts'
import { isKnownByAll } from './conditions.ts'
import { allIn, type Listed } from './home.ts'

type Counts = Pick<Context, 'db' | 'totals'>

/** The exact number of publications of a list, remembered. */
export const countPublications = (context: Counts, list: Listed): Promise<number> =>
  remembered(context, list, 'all', [], list.filter.matches)

/** Of those, the ones with the words in their title. */
export const countTitles = (context: Counts, list: Listed): Promise<number> => {
  const { filter } = list
  const { some } = filter.titles!
  const matches = (snapshot: Snapshot): boolean => filter.matches(snapshot) && some.matches(snapshot)
  return remembered(context, list, 'titles', some.conditionsIn(homeOf(list)), matches)
}

/**
 * The rows of a locale are counted where they are; their facets are short, and nothing else is read. Where some locale
 * must fulfil the conditions, its publication is counted once.
 */
const homeOf = ({ locale, filter }: Listed): Home => {
  const { atoms, alternatives } = filter.conjunction
  if (locale !== undefined) return 'local'
  const ofLocales = atoms.filter(({ of }) => of === 'locale')
  return alternatives.length > 0 || isKnownByAll(ofLocales, locale) ? 'row' : 'local'
}

const remembered = (
  { db, totals }: Counts,
  list: Listed,
  kind: string,
  more: Condition[],
  matches: (snapshot: Snapshot) => boolean,
): Promise<number> => {
  const where = sql.join([...allIn(list, homeOf(list), false), ...more], sql` and `)
  const statement = sql<Counted>`${sql.raw(plannedAnew)}
    select count(*)::integer as count, pg_current_snapshot()::text as snapshot from ${found(list, where)}`
  const count = async (): Promise<Counted> => {
    const { rows } = await patiently(db, statement, list.filter.searched.length > 0)
    return rows[0]!
  }
  if (list.filter.moving) return count().then(({ count: found }) => found)
  const key = listSignature('publications', kind, list.key)
  return totals.of({
    environment: list.environmentId,
    family: 'content',
    key,
    count,
    matches: matches as never,
  })
}

type Counted = { count: number; snapshot: string }

/**
 * A count may take more memory and more processes than what waits in line with others. PostgreSQL does not know that
 * the words of a row lie outside it: for a frequent word it would rather read all rows than the index, which took 4 s
 * instead of 0.2 for 100,000 publications.
 */
const patiently = (db: Counts['db'], statement: RawBuilder<Counted>, hasWords: boolean) =>
  turn(() => executeApart(db, statement.compile(db), hasWords ? byWords : roomy))

const roomy = { work_mem: '64MB' }
const byWords = { ...roomy, enable_seqscan: 'off', enable_indexscan: 'off' }

/** Many totals can be lost at once; counting them all together would leave no connection for writes. */
const turn = inTurns(4)

const found = (list: Listed, where: Condition): RawBuilder<unknown> => {
  if (homeOf(list) === 'row') return sql`publications as row where ${where}`
  return list.locale === undefined
    ? sql`(select distinct local.id from publication_locales as local where ${where}) as found`
    : sql`publication_locales as local where ${where}`
}
