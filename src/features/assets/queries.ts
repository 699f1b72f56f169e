import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import { checkVersion, type Expected } from '../../database/records.ts'
import { NotFound } from '../../errors.ts'
import type { AssetRow } from './table.ts'

/** An asset with how far its upload is, where that is not over. */
export type FoundAsset = AssetRow & { received?: number | null; file_size?: number | null }

/** What others may refer to and show: what is in the trash, or still to come, is not there for them. */
export const isThere = sql`deleted_on is null and status <> 'uploading'`

/** What is in the trash is found by nobody but who restores it. */
export const findAsset = async (db: Db | Tx, environmentId: string, id: string): Promise<FoundAsset> => {
  const { rows } = await sql<FoundAsset>`select assets.*, upload.received, upload.file_size
    from assets left join asset_uploads upload
      on upload.environment_id = assets.environment_id and upload.asset_id = assets.id
    where assets.environment_id = ${environmentId} and assets.id = ${id} and deleted_on is null`.execute(db)
  if (!rows[0]) throw new NotFound('Asset', id)
  return rows[0]
}

export const lockAsset = async (
  tx: Tx,
  environmentId: string,
  id: string,
  expected?: Expected,
): Promise<AssetRow> => {
  const { rows } = await sql<AssetRow>`select * from assets
    where environment_id = ${environmentId} and id = ${id} and deleted_on is null for update`.execute(tx)
  if (!rows[0]) throw new NotFound('Asset', id)
  checkVersion('Asset', rows[0], expected)
  return rows[0]
}

export const findBySha256 = async (
  db: Db | Tx,
  environmentId: string,
  sha256: string,
): Promise<AssetRow | undefined> => {
  const { rows } = await sql<AssetRow>`select * from assets
    where environment_id = ${environmentId} and sha256 = ${sha256} and deleted_on is null`.execute(db)
  return rows[0]
}
