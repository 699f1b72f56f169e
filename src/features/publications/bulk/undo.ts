import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { conflict, NotFound, PreconditionFailed } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { restorePublication } from '../trash/restore.ts'
import { restoreVersion } from '../versions/restore.ts'

const editedSince = () => conflict('version', 'edited since')
const notKept = () => conflict('version', 'is no longer kept')

/** Puts one publication back to what it was before an operation, unless somebody has changed it since. */
export const undoOne = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  undoes: string,
  id: string,
): Promise<void> => {
  const { environment_id } = actor
  const { rows } = await sql<{ version: number; event: string; exists: boolean; deleted: number | null }>`
    select version, event, exists (select 1 from publications
      where environment_id = ${environment_id} and id = ${id}) as exists, (select version from deleted_publications
      where environment_id = ${environment_id} and id = ${id} for update) as deleted
    from publication_versions where environment_id = ${environment_id} and publication_id = ${id}
      and bulk_operation_id = ${undoes} order by version desc limit 1`.execute(tx)
  const made = rows[0]
  if (!made) throw notKept()
  if (made.event === 'deleted') {
    if (made.deleted !== made.version) throw editedSince()
    await restorePublication(context, tx, actor, id)
    return
  }
  await restoreVersion(context, tx, actor, id, made.version - 1, made.version).catch((error) => {
    if (error instanceof NotFound && made.exists) throw notKept()
    throw error instanceof PreconditionFailed || error instanceof NotFound ? editedSince() : error
  })
}
