import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { listSignature } from '../../../database/cursor.ts'
import type { Condition } from '../../../database/filters.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Home } from './atoms.ts'
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

/** The rows of a locale are counted where they are; their facets are short, and nothing else is read. */
const homeOf = ({ locale }: Listed): Home => (locale === undefined ? 'row' : 'local')

const remembered = (
  { db, totals }: Counts,
  list: Listed,
  kind: string,
  more: Condition[],
  matches: (snapshot: Snapshot) => boolean,
): Promise<number> => {
  const home = homeOf(list)
  const source = home === 'row' ? sql`publications as row` : sql`publication_locales as local`
  const where = [...allIn(list, home), ...more]
  const count = async () => {
    const { rows } = await sql<{ count: string; snapshot: string }>`
      select count(*) as count, pg_current_snapshot()::text as snapshot
      from ${source} where ${sql.join(where, sql` and `)}`.execute(db)
    return { count: Number(rows[0]!.count), snapshot: rows[0]!.snapshot }
  }
  const key = listSignature('publications', kind, list.key)
  return totals.of({
    environment: list.environmentId,
    family: 'content',
    key,
    count,
    matches: matches as never,
  })
}
