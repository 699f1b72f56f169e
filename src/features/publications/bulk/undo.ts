import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { conflict, NotFound, PreconditionFailed } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { restorePublication } from '../trash/restore.ts'
import { restoreVersion } from '../versions/restore.ts'

const editedSince = () => conflict('version', 'edited since')

/** Puts one publication back to what it was before an operation, unless somebody has changed it since. */
export const undoOne = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  undoes: string,
  id: string,
): Promise<void> => {
  const { environment_id } = actor
  const { rows } = await sql<{ version: number; event: string; deleted: number | null }>`
    select version, event, (select version from deleted_publications
      where environment_id = ${environment_id} and id = ${id} for update) as deleted
    from publication_versions where environment_id = ${environment_id} and publication_id = ${id}
      and bulk_operation_id = ${undoes} order by version desc limit 1`.execute(tx)
  const made = rows[0]
  if (!made) throw conflict('version', 'is no longer kept')
  if (made.event === 'deleted') {
    if (made.deleted !== made.version) throw editedSince()
    await restorePublication(context, tx, actor, id)
    return
  }
  await restoreVersion(context, tx, actor, id, made.version - 1, made.version).catch((error) => {
    throw error instanceof PreconditionFailed || error instanceof NotFound ? editedSince() : error
  })
}
