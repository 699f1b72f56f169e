import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { transaction } from '../../database/transaction.ts'
import type { Notice } from '../../jobs/dispatcher.ts'
import { arrivedOn } from '../../storage/incoming.ts'
import { removeAll } from '../../storage/storage.ts'
import { unlinkReference } from '../publications/upkeep/unlink-reference.ts'
import { removeUnused } from './bytes.ts'

const batch = 200
const day = 86_400_000

type Gone = { environment_id: string; id: string }

/** Takes an asset that was deleted out of publications and persons, unless it is back already. */
export const unlinkAsset = async (context: Context, { environment_id, id }: Gone): Promise<void> => {
  const { rows } = await sql`select 1 from assets
    where environment_id = ${environment_id} and id = ${id} and deleted_on is null`.execute(context.db)
  if (rows.length > 0) return
  await unlinkReference(context, { environment_id, id, label: 'Asset' })
  await transaction(context, async (tx) => {
    const { rows: persons } = await sql`update persons set picture_id = null
      where environment_id = ${environment_id} and picture_id = ${id} returning 1`.execute(tx)
    const notice: Notice = { changed: [[environment_id, 'audience', null]] }
    if (persons.length > 0) await sql`select pg_notify('marquee', ${JSON.stringify(notice)})`.execute(tx)
  })
}

/** Bytes that were an erased person's. */
export const removeBytesLater = async (
  context: Context,
  { environment_id, sha256s }: { environment_id: string; sha256s: string[] },
): Promise<void> => {
  for (const sha256 of sha256s) await removeUnused(context, { environment_id, sha256 })
}

/** What has been in the trash for 30 days goes for good, with its bytes and all that was made of them. */
export const emptyAssetTrash = async (context: Context): Promise<void> => {
  for (let gone = batch; gone === batch; ) {
    const { rows } = await sql<{ environment_id: string; sha256: string | null }>`
      with expired as (
        select environment_id, id from assets where deleted_on < now() - interval '30 days'
        order by deleted_on limit ${batch} for update skip locked
      )
      delete from assets using expired
      where assets.environment_id = expired.environment_id and assets.id = expired.id
      returning assets.environment_id, sha256`.execute(context.db)
    gone = rows.length
    // What goes without an event must not stay in remembered totals.
    if (gone > 0) await sql`select pg_notify('marquee', '{"changed":[["*","content"]]}')`.execute(context.db)
    for (const { environment_id, sha256 } of rows)
      if (sha256) await removeUnused(context, { environment_id, sha256 })
  }
}

/** Uploads that nobody went on with for a day, and what was stored for requests that never ended. */
export const cleanUpUploads = async (context: Context): Promise<void> => {
  for (let gone = batch; gone === batch; ) {
    const abandoned = await forgetUploads(context)
    gone = abandoned.length
    for (const { environment_id, id } of abandoned)
      await removeAll(context.storage, `uploads/${environment_id}/${id}/`)
  }
  for (const prefix of ['incoming/', 'temporary/'])
    for await (const { key } of context.storage.list(prefix))
      if (arrivedOn(key) < Date.now() - day) await context.storage.remove(key)
}

const forgetUploads = async ({ db }: Context): Promise<Gone[]> => {
  const { rows } = await sql<Gone>`
    with abandoned as (
      select environment_id, asset_id from asset_uploads where touched_on < now() - interval '24 hours'
      order by touched_on limit ${batch} for update skip locked
    ), unfinished as (
      delete from assets using abandoned where assets.environment_id = abandoned.environment_id
        and assets.id = abandoned.asset_id and assets.status = 'uploading'
    )
    delete from asset_uploads using abandoned
    where asset_uploads.environment_id = abandoned.environment_id
      and asset_uploads.asset_id = abandoned.asset_id
    returning asset_uploads.environment_id, asset_uploads.asset_id as id`.execute(db)
  return rows
}
