import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { NotFound } from '../../errors.ts'
import { shownLocales, type View } from './present/view.ts'
import type { PublicationRow } from './table.ts'

/** One publication by its id. What the reader may not see is not there. */
export const findPublication = async (
  db: Db,
  environmentId: string,
  id: string,
  view: View,
): Promise<PublicationRow> => {
  const { rows } = await sql<PublicationRow>`select * from publications
    where environment_id = ${environmentId} and id = ${id}`.execute(db)
  if (!rows[0] || !isVisible(rows[0], view)) throw new NotFound('Publication', id)
  return rows[0]
}

/** Whoever sees everything also sees a publication that is linked to no locale yet. */
const isVisible = (row: PublicationRow, view: View): boolean =>
  (!view.publishedOnly && view.locale === undefined) || shownLocales(row, view).length > 0
