import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../database/connect.ts'
import { NotFound } from '../../errors.ts'
import type { AssetRow } from '../assets/table.ts'
import { mediaUrl } from '../media-serving/addresses.ts'
import { findPersons } from '../persons/queries.ts'
import type { Attachment, AttachmentKind, Message, MessageRow, ShownAttachment } from './table.ts'

/** What is needed to show messages: where they are read, and what addresses are made with. */
type Showing = Pick<Context, 'config' | 'keys'> & { db: Db | Tx }

/** Rows with their senders and attachments, and whether they are favorites of a user: one query for each. */
export const loadMessages = async (
  showing: Showing,
  environmentId: string,
  rows: MessageRow[],
  userId?: string | null,
): Promise<Message[]> => {
  const keys = [...new Set(rows.flatMap(({ person_key }) => person_key ?? []))]
  const [persons, attachments, favorites] = await Promise.all([
    keys.length === 0 ? [] : findPersons(showing.db, environmentId, 'key', keys),
    attachmentsOf(showing, environmentId, rows),
    userId ? favoritesOf(showing.db, environmentId, rows, userId) : undefined,
  ])
  const byKey = new Map(persons.map((person) => [person.key, person]))
  return rows.map((row) => ({
    ...row,
    person: byKey.get(row.person_key ?? '') ?? null,
    attachments: attachments.get(row.id) ?? [],
    favorite: favorites ? favorites.has(row.id) : null,
  }))
}

export const findMessage = async (
  showing: Showing,
  environmentId: string,
  id: string,
  userId?: string | null,
): Promise<Message> => {
  const { rows } = await sql<MessageRow>`select * from messages
    where environment_id = ${environmentId} and id = ${id}`.execute(showing.db)
  const [message] = await loadMessages(showing, environmentId, rows, userId)
  if (!message) throw new NotFound('Message', id)
  return message
}

type Stored = Attachment & { message_id: string; asset: AssetRow | null }

const attachmentsOf = async (
  showing: Showing,
  environmentId: string,
  messages: MessageRow[],
): Promise<Map<string, ShownAttachment[]>> => {
  if (messages.length === 0) return new Map()
  const { rows } = await sql<Stored>`select message_id, kind, source_url, asset_id, to_jsonb(asset) as asset
    from message_attachments link left join assets asset on asset.environment_id = link.environment_id
      and asset.id = link.asset_id and asset.deleted_on is null and asset.sha256 is not null
    where link.environment_id = ${environmentId} and message_id = any(${messages.map(({ id }) => id)}::text[])
    order by kind`.execute(showing.db)
  const shown = rows.map((row) => ({ message_id: row.message_id, ...shownOf(showing, row) }))
  return Map.groupBy(shown, ({ message_id }) => message_id)
}

/** What a browser plays, where it was made of the file; pictures without what the camera noted of the place. */
const best: Record<AttachmentKind, (asset: AssetRow) => Parameters<typeof mediaUrl>[2]> = {
  photo: () => ({ sizes: { width: 1280 } }),
  audio: (asset) => derivative(asset, /\.m4a$/),
  video: (asset) => derivative(asset, /\.mp4$/),
}

const derivative = ({ derivatives }: AssetRow, name: RegExp): Parameters<typeof mediaUrl>[2] => {
  const found = derivatives.find((one) => name.test(one.name))
  return found ? { file: found.name } : { original: true }
}

const shownOf = (showing: Showing, { kind, source_url, asset_id, asset }: Stored): ShownAttachment => ({
  kind,
  source_url,
  asset_id: asset && asset_id,
  url: asset && mediaUrl(showing, asset, best[kind](asset), { signed: true }),
  original_url: asset && mediaUrl(showing, asset, { original: true }),
})

const favoritesOf = async (
  db: Db | Tx,
  environmentId: string,
  messages: MessageRow[],
  userId: string,
): Promise<Set<string>> => {
  const { rows } = await sql<{ message_id: string }>`select message_id from message_favorites
    where environment_id = ${environmentId} and user_id = ${userId}
      and message_id = any(${messages.map(({ id }) => id)}::text[])`.execute(db)
  return new Set(rows.map(({ message_id }) => message_id))
}
