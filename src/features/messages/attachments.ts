import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import type { FieldError } from '../../errors.ts'
import { UploadedFile } from '../../storage/uploaded.ts'
import type { Actor } from '../access/authenticate.ts'
import { takeFile } from '../assets/intake.ts'
import type { AssetLabel } from '../assets/table.ts'
import { typeFaults } from '../assets/types.ts'
import type { Person } from '../persons/table.ts'
import { type AttachmentKind, attachmentKinds } from './table.ts'

/** What each kind is called in a body, and as an asset. */
const names: Record<AttachmentKind, { list: string; label: AssetLabel }> = {
  photo: { list: 'images', label: 'Photo' },
  audio: { list: 'audios', label: 'Audio' },
  video: { list: 'videos', label: 'Video' },
}
export const labelOf = (kind: AttachmentKind): AssetLabel => names[kind].label

/** What a form may carry, with the most bytes of each. */
export const attachedFiles = { 'images.0': 50_000_000, 'audios.0': 250_000_000, 'videos.0': 1_000_000_000 }

type Sent = { kind: AttachmentKind; path: string; value: unknown }

/** `images.0`, or the first of `images`. */
const sentIn = (body: Record<string, unknown>): Sent[] =>
  attachmentKinds.flatMap((kind) => {
    const { list } = names[kind]
    const items = body[list]
    const value = body[`${list}.0`] ?? (Array.isArray(items) ? items[0] : undefined)
    return value == null || value === '' ? [] : [{ kind, path: `${list}.0`, value }]
  })

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 2000 && URL.canParse(value) && isHttp(new URL(value))
const isHttp = ({ protocol, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && username === '' && password === ''

export const attachmentFaults = (body: Record<string, unknown>): FieldError[] =>
  sentIn(body).flatMap(({ kind, path, value }) => {
    if (value instanceof UploadedFile) return typeFaults(labelOf(kind), value, path)
    return isAddress(value) ? [] : [{ path, message: 'must be a file, or an address by http or https' }]
  })

/**
 * Files become assets of the sender with the message, and are erased with the sender; addresses are fetched by a job
 * behind the commit.
 */
export const addAttachments = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  { messageId, person, body }: { messageId: string; person: Person | null; body: object },
): Promise<void> => {
  const { environment_id } = actor
  for (const { kind, path, value } of sentIn(body as Record<string, unknown>)) {
    const isFile = value instanceof UploadedFile
    const options = { label: labelOf(kind), path, private: true, person_key: person?.key ?? null }
    const asset = isFile ? await takeFile(context, tx, actor, value, options) : null
    await sql`insert into message_attachments (environment_id, message_id, kind, source_url, asset_id)
      values (${environment_id}, ${messageId}, ${kind}, ${isFile ? null : value}, ${asset?.id ?? null})`.execute(
      tx,
    )
    if (!isFile) await fetchLater(tx, actor, messageId, kind)
  }
}

const fetchLater = async (
  tx: Tx,
  { organisation_id, environment_id }: Actor,
  id: string,
  kind: AttachmentKind,
): Promise<void> => {
  const payload = JSON.stringify({ organisation_id, environment_id, id, kind })
  await sql`select graphile_worker.add_job('messages:fetch-attachment', ${payload}::json,
    max_attempts => 8)`.execute(tx)
}
