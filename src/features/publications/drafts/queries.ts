import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import { readPublication } from '../store/load.ts'
import { structureOf } from '../structure.ts'
import type { PublicationRow } from '../table.ts'
import { withDraft } from './changes.ts'
import type { Draft } from './save.ts'
import { draftVersion, loadDraft } from './store.ts'

/** The draft is read first: whatever is published in between is then in what it is put on. */
export const readDraft = async (context: Context, environmentId: string, id: string): Promise<Draft> => {
  const { db } = context
  const structure = await structureOf(context, environmentId)
  const rows = await loadDraft(db, environmentId, id)
  const found = await sql<PublicationRow>`select * from publications
    where environment_id = ${environmentId} and id = ${id}`.execute(db)
  if (!found.rows[0]) throw new NotFound('Publication', id)
  const publication = await readPublication(db, found.rows[0])
  return { publication: withDraft(publication, rows, structure), version: draftVersion(rows) }
}
