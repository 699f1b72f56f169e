import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { insertRecord } from '../../database/records.ts'
import { transaction } from '../../database/transaction.ts'
import { Invalid, invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import { OutgoingFailure } from '../../outgoing/failure.ts'
import { storeIncoming } from '../../storage/incoming.ts'
import { plainName, UploadedFile } from '../../storage/uploaded.ts'
import type { Actor } from '../access/authenticate.ts'
import { holdBytes, originalKey, placeBytes } from './bytes.ts'
import { presentAsset } from './present.ts'
import { findBySha256 } from './queries.ts'
import type { AssetLabel, AssetRow } from './table.ts'
import { setTags, type TagInput } from './tags.ts'
import { labelOf, maxAsset, typeFaults } from './types.ts'
import type { AssetValues } from './values.ts'

type Taking = {
  /** By its bytes, unless told. */
  label?: AssetLabel
  /** The name that a fault is told under. */
  path?: string
  original_name?: string | null
  /** The person who sent it, with whom it is to be erased. */
  person_key?: string | null
  tags?: TagInput[]
} & AssetValues

/** Makes an asset of a file that came with a request. Identical bytes give the earlier asset as it is. */
const assetFromFile = (
  context: Context,
  actor: Actor,
  file: UploadedFile,
  options: Taking = {},
): Promise<AssetRow> => transaction(context, (tx) => takeFile(context, tx, actor, file, options))

/** The same within a transaction. What is wrong with the file is `Invalid`. */
export const takeFile = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  file: UploadedFile,
  { label = labelOf(file), path = 'source', original_name, person_key = null, tags, ...values }: Taking,
): Promise<AssetRow> => {
  const faults = typeFaults(label ?? 'Photo', file, path)
  if (faults.length > 0) throw new Invalid(faults)
  const { environment_id } = actor
  const { sha256, size, mime_type } = file
  const bytes = { environment_id, sha256 }
  await holdBytes(tx, bytes)
  const earlier = await findBySha256(tx, environment_id, sha256)
  if (earlier) return again(context, tx, earlier, file, person_key)
  const row = await insertRecord(tx, 'assets', actor, {
    ...values,
    label,
    status: 'processing',
    progress: 0,
    sha256,
    size,
    mime_type,
    original_name: original_name ?? file.original_name,
    person_key,
  })
  if (tags) await setTags(tx, actor, row.id, tags)
  await emit(tx, actor, 'asset.created', row, presentAsset(row))
  await placeBytes(context, bytes, file)
  return row
}

/** What two have sent is no longer one person's own. Bytes that were lost are put back. */
const again = async (
  context: Context,
  tx: Tx,
  earlier: AssetRow,
  file: UploadedFile,
  person_key: string | null,
): Promise<AssetRow> => {
  const { environment_id, id } = earlier
  const bytes = { environment_id, sha256: file.sha256 }
  if ((await context.storage.size(originalKey(bytes))) !== file.size) await placeBytes(context, bytes, file)
  if (earlier.person_key === null || earlier.person_key === person_key) return earlier
  await tx
    .updateTable('assets')
    .set({ person_key: null })
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .execute()
  return { ...earlier, person_key: null }
}

type Fetching = Taking & { max?: number; timeout?: number }

/** Fetches a file through the guarded client and makes an asset of it. What is wrong with the address is `Invalid`. */
export const assetFromUrl = async (
  context: Context,
  actor: Actor,
  url: string,
  { max = 100_000_000, timeout = 60_000, path = 'url', ...options }: Fetching = {},
): Promise<AssetRow> => {
  const file = await fetchFile(context, url, { path, max, timeout })
  try {
    return await assetFromFile(context, actor, file, { path, ...options })
  } finally {
    if (!file.taken) await context.storage.remove(file.key)
  }
}

/** A file that nobody has taken yet: whoever asked removes it unless it is. */
export const fetchFile = async (
  { outgoing, storage }: Context,
  url: string,
  { path, max, timeout }: { path: string; max: number; timeout: number },
): Promise<UploadedFile> => {
  try {
    const maxBytes = Math.min(max, maxAsset)
    const answer = await outgoing.request(url, { redirects: 'follow', maxBytes, timeout })
    if (answer.status !== 200) {
      answer.discard()
      throw invalid(path, `could not be fetched: it answered ${answer.status}`)
    }
    const incoming = await storeIncoming(storage, answer.stream() as AsyncIterable<Buffer>)
    return new UploadedFile({ ...incoming, original_name: nameIn(answer.url) })
  } catch (error) {
    if (error instanceof OutgoingFailure) throw invalid(path, `could not be fetched: ${error.reason}`)
    throw error
  }
}

const nameIn = (url: string): string | null => {
  const last = new URL(url).pathname.split('/').at(-1)!
  try {
    return plainName(decodeURIComponent(last))
  } catch {
    return plainName(last)
  }
}
