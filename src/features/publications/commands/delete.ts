import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { executeWithCommit } from '../../../database/driver.ts'
import { checkVersion, type Expected } from '../../../database/records.ts'
import { recordChange } from '../../../database/transaction.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import { loadReferences } from '../fields/present.ts'
import { storeMatch } from '../match.ts'
import { describePublication, referencesIn } from '../present/describe.ts'
import { requireSight } from '../sight.ts'
import { lockPublication, type Stored, snapshotOf } from '../store/load.ts'
import { columns, insertRows } from '../store/rows.ts'
import { structureOf } from '../structure.ts'
import type { Publication, PublicationRow } from '../table.ts'
import { movesOf } from './write.ts'

type Deletion = { expected?: Expected; bulkOperationId?: string; stored?: Stored | undefined }

/** Moves a publication to the trash: the row goes, its versions stay until the trash is emptied. */
export const deletePublication = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  { expected, bulkOperationId, stored }: Deletion = {},
): Promise<void> => {
  const structure = await structureOf(context, actor.environment_id)
  const { publication, row, facets, words } = stored ?? (await lockPublication(tx, actor.environment_id, id))
  requireSight(actor, row)
  checkVersion('Publication', row, expected)
  const everything = { ...actor, token: undefined as never }
  const references = await loadReferences(tx, everything, referencesIn(publication))
  const body = describePublication(row, publication, structure, references)
  await moveToTrash(tx, actor, row, publication, bulkOperationId ?? null)
  const snapshot = snapshotOf(publication, row.facets, facets, words)
  recordChange(tx, actor.environment_id, 'content', snapshot, null)
  const match = storeMatch(snapshot, structure)
  if (movesOf(null, publication).unpublished.length > 0)
    await emit(tx, actor, 'publication.unpublished', row, body, match)
  await emit(tx, actor, 'publication.deleted', row, body, match)
}

const moveToTrash = async (
  tx: Tx,
  { user_id, environment }: Actor,
  row: PublicationRow,
  { locales }: Publication,
  bulk_operation_id: string | null,
): Promise<void> => {
  const version = row.version + 1
  const now = new Date()
  const end = {
    version,
    event: 'deleted',
    items: {},
    contents: [],
    created_by: user_id,
    created_on: now,
    bulk_operation_id,
  }
  const title = (locales[environment.default_locale] ?? Object.values(locales)[0])?.title ?? null
  const { environment_id, id, created_by, created_on } = row
  await executeWithCommit(tx, 'delete from publications where environment_id = $1 and id = $2', [
    environment_id,
    id,
  ])
  await insertRows(tx, 'publication_versions', columns.publication_versions, [
    { ...row, publication_id: id, ...end },
  ])
  await insertRows(tx, 'deleted_publications', columns.deleted_publications, [
    { environment_id, id, title, version, created_by, created_on, deleted_on: now, deleted_by: user_id },
  ])
}
