import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { conflict, Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import { storeIncoming } from '../../storage/incoming.ts'
import { removeAll } from '../../storage/storage.ts'
import { UploadedFile } from '../../storage/uploaded.ts'
import type { Actor } from '../access/authenticate.ts'
import { holdBytes, placeBytes } from './bytes.ts'
import { presentAsset } from './present.ts'
import { type FoundAsset, findBySha256 } from './queries.ts'
import type { AssetRow } from './table.ts'
import { typeFaults } from './types.ts'
import { chunkKey, findUploaded, lockOpenUpload } from './upload.ts'

type Assembled = { file: UploadedFile; drop(): Promise<void> }

/**
 * Puts the chunks of an upload together, without a transaction: a gigabyte takes seconds. They stay until the commit, so
 * that whoever is stopped before it can begin again. Gives nothing where there is nothing left to do.
 */
export const assemble = async (
  { db, storage }: Context,
  { environment_id }: Actor,
  id: string,
): Promise<Assembled | undefined> => {
  const asset = await findUploaded(db, environment_id, id)
  if (asset.status !== 'uploading') return undefined
  checkComplete(asset)
  const { rows: chunks } = await sql<{ start_offset: number }>`select start_offset from asset_chunks
    where environment_id = ${environment_id} and asset_id = ${id} order by start_offset`.execute(db)
  async function* all(): AsyncGenerator<Buffer> {
    for (const { start_offset } of chunks)
      yield* storage.read(chunkKey(environment_id, id, start_offset)) as AsyncIterable<Buffer>
  }
  try {
    const incoming = await storeIncoming(storage, all())
    const file = new UploadedFile({ ...incoming, original_name: asset.original_name })
    return { file, drop: async () => (file.taken ? undefined : storage.remove(file.key)) }
  } catch (error) {
    // Somebody else may have finished it, and removed them.
    if ((await findUploaded(db, environment_id, id)).status === 'uploading') throw error
    return undefined
  }
}

const checkComplete = ({ received, file_size }: FoundAsset): void => {
  if (!received) throw conflict('upload_phase', 'no byte has been transferred', 'UploadIncomplete')
  if (file_size && received < file_size)
    throw conflict(
      'upload_phase',
      `${file_size - received} of ${file_size} bytes are missing`,
      'UploadIncomplete',
    )
}

/** Makes an upload an asset like any other, or gives the earlier one with identical bytes. A repeat changes nothing. */
export const finishUpload = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  assembled: Assembled | undefined,
): Promise<FoundAsset> => {
  const { environment_id } = actor
  const upload = await lockOpenUpload(tx, environment_id, id)
  if (!assembled || !upload) return findUploaded(tx, environment_id, id)
  const { file } = assembled
  if (upload.received !== file.size)
    throw conflict('upload_phase', 'another chunk has arrived meanwhile', 'OffsetMismatch')
  const faults = typeFaults('Video', file, 'video_file_chunk')
  if (faults.length > 0) throw new Invalid(faults)
  const bytes = { environment_id, sha256: file.sha256 }
  await holdBytes(tx, bytes)
  const earlier = await findBySha256(tx, environment_id, file.sha256)
  if (earlier) return giveWay(tx, id, earlier)
  const row = await becomeAsset(tx, environment_id, id, file)
  await emit(tx, actor, 'asset.created', row, presentAsset(row))
  await placeBytes(context, bytes, file)
  return row
}

const giveWay = async (tx: Tx, id: string, earlier: AssetRow): Promise<AssetRow> => {
  const { environment_id } = earlier
  await sql`delete from assets where environment_id = ${environment_id} and id = ${id}`.execute(tx)
  await sql`delete from asset_chunks where environment_id = ${environment_id} and asset_id = ${id}`.execute(
    tx,
  )
  await sql`update asset_uploads set same_as = ${earlier.id}, touched_on = now()
    where environment_id = ${environment_id} and asset_id = ${id}`.execute(tx)
  return earlier
}

const becomeAsset = async (
  tx: Tx,
  environmentId: string,
  id: string,
  file: UploadedFile,
): Promise<AssetRow> => {
  await sql`delete from asset_uploads where environment_id = ${environmentId} and asset_id = ${id}`.execute(
    tx,
  )
  const { rows } = await sql<AssetRow>`update assets set status = 'processing', progress = 0,
      sha256 = ${file.sha256}, size = ${file.size}, mime_type = ${file.mime_type}, version = version + 1
    where environment_id = ${environmentId} and id = ${id} returning *`.execute(tx)
  return rows[0]!
}

/** After the commit: what is left of the chunks. */
export const removeChunks = ({ storage }: Context, { environment_id }: Actor, id: string): Promise<void> =>
  removeAll(storage, `uploads/${environment_id}/${id}/`)
