import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { touch } from '../../database/transaction.ts'
import type { Actor } from '../access/authenticate.ts'
import type { AssetRow } from './table.ts'

type Whose = { environment_id: string; key: string }

/** The files that a person sent go with the person, past the trash, and out of whatever shows them. Gives which. */
export const eraseAssets = async (
  tx: Tx,
  actor: Actor,
  { environment_id, key }: Whose,
): Promise<string[]> => {
  const { rows } = await sql<AssetRow>`delete from assets
    where environment_id = ${environment_id} and person_key = ${key} returning *`.execute(tx)
  if (rows.length === 0) return []
  const { organisation_id } = actor
  const whose = { organisation_id, environment_id }
  const sha256s = rows.flatMap(({ sha256 }) => sha256 ?? [])
  await addJob(tx, 'assets:remove-bytes', { ...whose, sha256s })
  for (const { id } of rows) {
    touch(tx, environment_id, 'content', id)
    await addJob(tx, 'assets:unlink', { ...whose, id })
  }
  return rows.map(({ id }) => id)
}

const addJob = async (tx: Tx, task: string, payload: object): Promise<void> => {
  await sql`select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json)`.execute(tx)
}
