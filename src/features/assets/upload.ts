import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { insertRecord } from '../../database/records.ts'
import { AssetTooLarge, conflict, Invalid, NotFound } from '../../errors.ts'
import type { UploadedFile } from '../../storage/uploaded.ts'
import type { Actor } from '../access/authenticate.ts'
import { type FoundAsset, findAsset } from './queries.ts'
import type { AssetChunkTable, AssetUploadTable } from './table.ts'
import { setTags, type TagInput } from './tags.ts'
import { maxAsset, typeFaults } from './types.ts'
import type { AssetValues } from './values.ts'

type Upload = Omit<AssetUploadTable, 'received' | 'touched_on'> & { received: number }

export const chunkKey = (environmentId: string, assetId: string, offset: number): string =>
  `uploads/${environmentId}/${assetId}/${offset}`

/** So many bytes tell a video from anything else. */
const tellingSize = 4096

export type Chunk = { file: UploadedFile; start_offset: number | undefined; path: string }

type Start = {
  values: AssetValues
  original_name: string | undefined
  tags: TagInput[] | undefined
  file_size: number | undefined
  chunk: Chunk | undefined
}

/** An asset whose bytes are still to come. Nobody but its sender is told of it until they are all there. */
export const startUpload = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  { values, original_name, tags, file_size, chunk }: Start,
): Promise<FoundAsset> => {
  if (file_size !== undefined && file_size > maxAsset) throw new AssetTooLarge('file_size', maxAsset)
  const { environment_id } = actor
  const row = await insertRecord(tx, 'assets', actor, {
    ...values,
    original_name: original_name ?? chunk?.file.original_name ?? null,
    label: 'Video',
    status: 'uploading',
  })
  if (tags) await setTags(tx, actor, row.id, tags)
  await sql`insert into asset_uploads (environment_id, asset_id, file_size)
    values (${environment_id}, ${row.id}, ${file_size ?? null})`.execute(tx)
  if (chunk) await addChunk(context, tx, await lockUpload(tx, environment_id, row.id), chunk)
  return findAsset(tx, environment_id, row.id)
}

/** Takes the next bytes of an upload. */
export const transferChunk = async (
  context: Context,
  tx: Tx,
  { environment_id }: Actor,
  id: string,
  chunk: Chunk,
  original_name: string | undefined,
): Promise<FoundAsset> => {
  const upload = await lockUpload(tx, environment_id, id)
  await addChunk(context, tx, upload, chunk)
  // Chunks have names that say nothing, such as `blob`.
  const names = sql`coalesce(${original_name ?? null}, original_name, ${chunk.file.original_name})`
  await sql`update assets set original_name = ${names}
    where environment_id = ${environment_id} and id = ${id}`.execute(tx)
  return findAsset(tx, environment_id, id)
}

/** Chunks of one upload follow each other; what is no upload, or none any more, takes none. */
const lockUpload = async (tx: Tx, environmentId: string, id: string): Promise<Upload> => {
  const upload = await lockOpenUpload(tx, environmentId, id)
  if (upload) return upload
  await findUploaded(tx, environmentId, id)
  throw conflict('upload_phase', 'the upload is over; this asset takes no chunks', 'UploadFinished')
}

/** Undefined where it is over, or never was. */
export const lockOpenUpload = async (
  tx: Tx,
  environmentId: string,
  id: string,
): Promise<Upload | undefined> => {
  const { rows } = await sql<Upload>`select * from asset_uploads
    where environment_id = ${environmentId} and asset_id = ${id} and same_as is null for update`.execute(tx)
  return rows[0]
}

const addChunk = async (context: Context, tx: Tx, upload: Upload, chunk: Chunk): Promise<void> => {
  const { environment_id, asset_id, received, file_size } = upload
  const { file, path, start_offset = received } = chunk
  if (start_offset < received && (await isRepeated(tx, upload, start_offset, file))) return
  if (start_offset !== received)
    throw conflict('start_offset', `must be ${received}, the next byte expected`, 'OffsetMismatch')
  checkSize(received + file.size, file_size, path)
  checkBeginning(received, file, path)
  await sql`insert into asset_chunks (environment_id, asset_id, start_offset, size, sha256)
    values (${environment_id}, ${asset_id}, ${received}, ${file.size}, ${file.sha256})`.execute(tx)
  await sql`update asset_uploads set received = received + ${file.size}, touched_on = now()
    where environment_id = ${environment_id} and asset_id = ${asset_id}`.execute(tx)
  // Whoever is stopped between this and the commit leaves a file that the next attempt replaces.
  await context.storage.move(file.key, chunkKey(environment_id, asset_id, received))
  file.taken = true
}

const checkSize = (size: number, told: number | null, path: string): void => {
  if (size > maxAsset) throw new AssetTooLarge(path, maxAsset)
  if (told !== null && size > told)
    throw conflict(path, `is more than file_size, ${told} bytes`, 'OffsetMismatch')
}

/** What is no video is told at once, and not after hours. */
const checkBeginning = (offset: number, file: UploadedFile, path: string): void => {
  if (offset > 0 || file.size < tellingSize) return
  const faults = typeFaults('Video', file, path)
  if (faults.length > 0) throw new Invalid(faults)
}

const isRepeated = async (
  tx: Tx,
  { environment_id, asset_id }: Upload,
  offset: number,
  file: UploadedFile,
) => {
  const { rows } = await sql<AssetChunkTable>`select * from asset_chunks
    where environment_id = ${environment_id} and asset_id = ${asset_id} and start_offset = ${offset}`.execute(
    tx,
  )
  return rows[0]?.size === file.size && rows[0].sha256 === file.sha256
}

/** The asset of an upload; after the end of one with identical bytes, the earlier asset. */
export const findUploaded = async (
  db: Tx | Context['db'],
  environmentId: string,
  id: string,
): Promise<FoundAsset> => {
  const { rows } = await sql<{ same_as: string }>`select same_as from asset_uploads
    where environment_id = ${environmentId} and asset_id = ${id} and same_as is not null`.execute(db)
  try {
    return await findAsset(db, environmentId, rows[0]?.same_as ?? id)
  } catch (error) {
    // The id that was asked for is the one that is told.
    throw error instanceof NotFound ? new NotFound('Asset', id) : error
  }
}
