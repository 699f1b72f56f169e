import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { backupLock } from '../../database/locks.ts'
import { transaction } from '../../database/transaction.ts'
import { removeAll } from '../../storage/storage.ts'
import type { UploadedFile } from '../../storage/uploaded.ts'

type Bytes = { environment_id: string; sha256: string }

export const originalKey = ({ environment_id, sha256 }: Bytes): string =>
  `originals/${environment_id}/${sha256}`

/** Who brings these bytes and who takes them away wait for each other until the commit. */
export const holdBytes = async (tx: Tx, { environment_id, sha256 }: Bytes): Promise<void> => {
  await sql`select pg_advisory_xact_lock(7012, hashtext(${`${environment_id} ${sha256}`}))`.execute(tx)
}

/** Puts an uploaded file where its asset will look for it. Call it with the bytes held. */
export const placeBytes = async ({ storage }: Context, bytes: Bytes, file: UploadedFile): Promise<void> => {
  await storage.move(file.key, originalKey(bytes))
  file.taken = true
}

/** Removes the original and all that was made of it, unless an asset, in the trash or not, still has these bytes. */
export const removeUnused = (context: Context, bytes: Bytes): Promise<void> =>
  transaction(context, async (tx) => {
    await holdBytes(tx, bytes)
    if (!(await areUsed(tx, bytes)) && !(await isBackedUp(tx))) await removeBytes(context, bytes)
  })

const areUsed = async (tx: Tx, { environment_id, sha256 }: Bytes): Promise<boolean> => {
  const { rows } = await sql`select 1 from assets
    where environment_id = ${environment_id} and sha256 = ${sha256} limit 1`.execute(tx)
  return rows.length > 0
}

/** A backup may speak of bytes that are not used any more; the next sweep finds them. */
const isBackedUp = async (tx: Tx): Promise<boolean> => {
  const [space, number] = backupLock
  const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())
    and classid = ${space} and objid = ${number} and objsubid = 2 limit 1`.execute(tx)
  return rows.length > 0
}

const removeBytes = async ({ storage }: Context, bytes: Bytes): Promise<void> => {
  const { environment_id, sha256 } = bytes
  for (const kind of ['cache', 'derivatives'])
    await removeAll(storage, `${kind}/${environment_id}/${sha256}/`)
  await storage.remove(originalKey(bytes))
}
