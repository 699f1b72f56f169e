import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { executeWithCommit } from '../../../database/driver.ts'
import { NotFound } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { writePublication } from '../commands/write.ts'
import { structureOf } from '../structure.ts'
import type { PublicationRow } from '../table.ts'
import { findVersion, publicationAt } from '../versions/load.ts'
import { mend } from '../versions/mend.ts'
import type { DeletedRow } from './present.ts'

/** Brings a publication back from the trash, under its id and with its history. */
export const restorePublication = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<PublicationRow> => {
  const { environment_id } = actor
  const structure = await structureOf(context, environment_id)
  const { rows } = await sql<DeletedRow>`select * from deleted_publications
    where environment_id = ${environment_id} and id = ${id} for update`.execute(tx)
  const deleted = rows[0]
  if (!deleted) throw new NotFound('Publication', id)
  const last = (await findVersion(tx, environment_id, id, sql`row.version = ${deleted.version}`))!
  const after = await mend(tx, actor, structure, publicationAt(last))
  const saving = { actor, structure, now: new Date(), event: 'restored' as const }
  const row = await writePublication(tx, null, after, saving)
  await executeWithCommit(tx, 'delete from deleted_publications where environment_id = $1 and id = $2', [
    environment_id,
    id,
  ])
  return row
}
