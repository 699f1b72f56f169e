import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { NotFound } from '../../errors.ts'
import { shownLocales, type View } from './present/view.ts'
import { type PublicationRow, type ShownRow, type StoredItems, shownColumns } from './table.ts'

/** One publication by its id. What the reader may not see is not there. */
export const findPublication = async (
  db: Db,
  environmentId: string,
  id: string,
  view: View,
): Promise<ShownRow> => {
  const { rows } = await db.executeQuery<ShownRow>(CompiledQuery.raw(selectOne, [environmentId, id]))
  if (!rows[0] || !isVisible(rows[0], view)) throw new NotFound('Publication', id)
  return rows[0]
}

/** As text: the most frequent statement of all need not be put together each time. */
const selectOne = `select ${shownColumns.join()} from publications where environment_id = $1 and id = $2`

/** The same with its content, as of one moment and by one statement. */
export const findWhole = async (
  db: Db,
  environmentId: string,
  id: string,
  view: View,
): Promise<{ row: PublicationRow; view: View }> => {
  const { rows } = await sql<PublicationRow & { contents: Record<string, StoredItems> | null }>`
    select row.*, (select json_object_agg(locale, items) from publication_locales as local
      where local.environment_id = row.environment_id and local.id = row.id) as contents
    from publications as row where row.environment_id = ${environmentId} and row.id = ${id}`.execute(db)
  if (!rows[0] || !isVisible(rows[0], view)) throw new NotFound('Publication', id)
  const { contents, ...row } = rows[0]
  const found = Object.entries(contents ?? {}).map(([locale, items]) => ({ id, locale, items }))
  return { row, view: { ...view, contents: found } }
}

/** Whoever sees everything also sees a publication that is linked to no locale yet. */
const isVisible = (row: ShownRow, view: View): boolean =>
  (!view.publishedOnly && view.locale === undefined) || shownLocales(row, view).length > 0
