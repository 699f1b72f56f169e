import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import { type Expected, updateRecord } from '../../database/records.ts'
import { afterCommit } from '../../database/transaction.ts'
import { conflict, type FieldError, Invalid, NotFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { UploadedFile } from '../../storage/uploaded.ts'
import type { Actor } from '../access/authenticate.ts'
import { holdBytes, placeBytes, removeUnused } from './bytes.ts'
import { readNew } from './create.ts'
import { takeFile } from './intake.ts'
import { presentAsset } from './present.ts'
import { type FoundAsset, findBySha256, lockAsset } from './queries.ts'
import type { AssetBody, AssetChanges } from './schema.ts'
import type { AssetRow } from './table.ts'
import { setTags, tagFaults } from './tags.ts'
import { typeFaults } from './types.ts'
import { startUpload } from './upload.ts'
import { type AssetWords, localeFaults, tagsIn, valuesOf } from './values.ts'

/** What the environment tells to be wrong with a body that its schema refuses already. */
export const faultsInBody = async (
  db: Db,
  actor: Actor,
  body: object,
  found: FieldError[],
): Promise<FieldError[]> => {
  const words = (body ?? {}) as AssetWords
  const wrong = (name: string) => found.some(({ path }) => path === name || path.startsWith(`${name}.`))
  return wordFaults(db, actor, {
    ...(!wrong('alt') && words.alt && { alt: words.alt }),
    ...(!wrong('caption') && words.caption && { caption: words.caption }),
    ...(!wrong('tags') && words.tags && { tags: words.tags }),
  })
}

/** What only the environment can tell to be wrong. */
const wordFaults = async (tx: Db | Tx, actor: Actor, words: AssetWords): Promise<FieldError[]> => [
  ...localeFaults(actor, words),
  ...(await tagFaults(tx, actor, tagsIn(words) ?? [])),
]

export const createAsset = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  body: AssetBody,
): Promise<FoundAsset> => {
  const { words, order, faults } = readNew(body)
  const all = [...faults, ...(await wordFaults(tx, actor, words))]
  if (all.length > 0) throw new Invalid(all)
  const tags = tagsIn(words)
  const values = valuesOf(words)
  if (order.kind === 'start') return startUpload(context, tx, actor, { values, tags, ...order })
  const { label, file, path, original_name } = order
  return takeFile(context, tx, actor, file, {
    ...values,
    label,
    path,
    ...(original_name !== undefined && { original_name }),
    ...(tags && { tags }),
  })
}

export const changeAsset = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  { source, original_name, ...words }: AssetChanges,
  expected: Expected,
): Promise<AssetRow> => {
  const before = await lockAsset(tx, actor.environment_id, id, expected)
  const faults = [
    ...(await wordFaults(tx, actor, words)),
    ...(source ? typeFaults(before.label, source, 'source') : []),
  ]
  if (faults.length > 0) throw new Invalid(faults)
  const { alt, caption, ...values } = valuesOf(words, before)
  const retagged = await changeTags(tx, actor, id, words)
  const columns = {
    ...values,
    ...(original_name !== undefined && { original_name }),
    ...(alt && { alt: json(alt) }),
    ...(caption && { caption: json(caption) }),
    ...(source && (await replacement(context, tx, actor, before, source, original_name))),
  }
  const row = await updateRecord(tx, 'assets', actor, before, columns)
  const after = row === before && retagged ? await touched(tx, actor, before) : row
  if (after !== before && after.status !== 'uploading')
    await emit(tx, actor, 'asset.changed', after, presentAsset(after))
  return after
}

const changeTags = async (tx: Tx, actor: Actor, id: string, words: AssetWords): Promise<boolean> => {
  const tags = tagsIn(words)
  return tags !== undefined && setTags(tx, actor, id, tags)
}

/** A record whose tags changed has changed. */
const touched = async (tx: Tx, { user_id }: Actor, { environment_id, id }: AssetRow): Promise<AssetRow> => {
  const { rows } = await sql<AssetRow>`update assets
    set version = version + 1, changed_on = now(), updated_by = ${user_id}
    where environment_id = ${environment_id} and id = ${id} returning *`.execute(tx)
  return rows[0]!
}

/** Other bytes under the same id: all that was known of the old ones is worked out anew. */
const replacement = async (
  context: Context,
  tx: Tx,
  { environment_id }: Actor,
  before: AssetRow,
  file: UploadedFile,
  original_name = file.original_name,
): Promise<object> => {
  if (before.status === 'uploading')
    throw conflict('source', 'cannot be replaced before the upload is over', 'UploadUnfinished')
  const { sha256, size, mime_type } = file
  if (sha256 === before.sha256) return {}
  const bytes = { environment_id, sha256 }
  await holdBytes(tx, bytes)
  const other = await findBySha256(tx, environment_id, sha256)
  if (other) throw conflict('source', `is the file of another asset, ${other.id}`, 'AssetExists')
  await placeBytes(context, bytes, file)
  if (before.sha256) dropLater(context, tx, { environment_id, sha256: before.sha256 })
  const unknown = {
    claimed_until: null,
    failure: null,
    width: null,
    height: null,
    duration: null,
    details: json({}),
    derivatives: json([]),
  }
  return {
    ...unknown,
    sha256,
    size,
    mime_type,
    original_name,
    status: 'processing',
    progress: 0,
    person_key: null,
  }
}

/** The daily sweep finds what a stop leaves behind. */
const dropLater = (context: Context, tx: Tx, bytes: Parameters<typeof removeUnused>[1]): void =>
  afterCommit(tx, () => {
    removeUnused(context, bytes).catch((error) => context.log.warn({ err: error }, 'bytes were left behind'))
  })

/** Into the trash, from where it can come back for 30 days; publications and persons lose it. */
export const deleteAsset = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const { environment_id, user_id } = actor
  const row = await lockAsset(tx, environment_id, id, expected)
  if (row.status === 'uploading') {
    await sql`delete from assets where environment_id = ${environment_id} and id = ${id}`.execute(tx)
    // Its chunks go with the next clean-up.
    await sql`update asset_uploads set touched_on = '-infinity'
      where environment_id = ${environment_id} and asset_id = ${id}`.execute(tx)
    return
  }
  await sql`update assets set deleted_on = now(), deleted_by = ${user_id}, version = version + 1
    where environment_id = ${environment_id} and id = ${id}`.execute(tx)
  await emit(tx, actor, 'asset.deleted', row, presentAsset(row))
}

export const restoreAsset = async (tx: Tx, actor: Actor, id: string): Promise<AssetRow> => {
  const { environment_id } = actor
  const { rows } = await sql<AssetRow>`select * from assets where environment_id = ${environment_id}
    and id = ${id} and deleted_on is not null for update`.execute(tx)
  const deleted = rows[0]
  if (!deleted) throw new NotFound('Asset', id)
  if (deleted.sha256) {
    await holdBytes(tx, { environment_id, sha256: deleted.sha256 })
    const other = await findBySha256(tx, environment_id, deleted.sha256)
    if (other) throw conflict('id', `its bytes are those of another asset by now, ${other.id}`, 'AssetExists')
  }
  const restored = await sql<AssetRow>`update assets set deleted_on = null, deleted_by = null,
      version = version + 1, changed_on = now()
    where environment_id = ${environment_id} and id = ${id} returning *`.execute(tx)
  const row = restored.rows[0]!
  await emit(tx, actor, 'asset.created', row, presentAsset(row))
  return row
}
