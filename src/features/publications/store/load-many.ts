import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { PublicationRow } from '../table.ts'
import { type LocaleRow, type Stored, storedOf } from './load.ts'

/** Rows made whole in one more statement; locked ones stay what they are until the commit. */
export const loadMany = async (db: Db | Tx, rows: PublicationRow[]): Promise<Stored[]> => {
  if (rows.length === 0) return []
  const { rows: locales } = await sql<LocaleRow & { environment_id: string; id: string }>`
    select local.environment_id, local.id, locale, items, facets, tsvector_to_array(title_search) as title_words,
      tsvector_to_array(search) as words
    from unnest(${rows.map((row) => row.environment_id)}::text[], ${rows.map(({ id }) => id)}::text[])
      as wanted (environment_id, id)
    join publication_locales as local using (environment_id, id)`.execute(db)
  const byRecord = Map.groupBy(locales, ({ environment_id, id }) => `${environment_id} ${id}`)
  return rows.map((row) => storedOf(row, byRecord.get(`${row.environment_id} ${row.id}`) ?? []))
}
