import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import {
  deleteRecord,
  type Expected,
  insertRecord,
  lockRecord,
  updateRecord,
} from '../../database/records.ts'
import { touch } from '../../database/transaction.ts'
import { type FieldError, Invalid } from '../../errors.ts'
import { emit, emitMany } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { actingUser } from '../access/sessions/acting.ts'
import { personBySession } from '../persons/sessions.ts'
import { ensureTags } from '../tags/ensure.ts'
import { addAttachments } from './attachments.ts'
import { recordMessage } from './describe.ts'
import { loadMessages } from './load.ts'
import { messageSnapshot } from './present.ts'
import type { MessageBody, MessageChanges } from './schema.ts'
import { senderText } from './sender-text.ts'
import { findSender } from './senders.ts'
import type { Message, MessageRow } from './table.ts'
import { eraseTold } from './told.ts'

type Making = Pick<Context, 'config' | 'keys'>

export const blank = {
  parent_id: null,
  person_key: null,
  channel_id: null,
  subject: null,
  nickname: null,
  email: null,
  phone: null,
  sender: '',
  on_screen_on: null,
  delivery: null,
}

export const createMessage = async (
  tx: Tx,
  context: Context,
  actor: Actor,
  body: MessageBody,
): Promise<Message> => {
  const faults = await bodyFaults(tx, actor, body)
  if (faults.length > 0) throw new Invalid(faults)
  const person = await findSender(tx, context.keys, actor, body)
  const { nickname = null, email = null, phone = null, subject = null } = body
  const row = await insertRecord(tx, 'messages', actor, {
    ...blank,
    ...{ label: body.label, body: body.body, subject, nickname, email, phone },
    person_key: person?.key ?? null,
    channel_id: body.channel?.id ?? null,
    sender: senderText(person, { nickname, phone }),
  })
  await addAttachments(context, tx, actor, { messageId: row.id, person, body })
  const [message] = await loadMessages({ ...context, db: tx }, actor.environment_id, [row])
  recordMessage(tx, null, row)
  await emit(tx, actor, 'message.created', row, messageSnapshot(message!))
  return message!
}

/** What is wrong with a body that its schema alone cannot tell; it may have any shape. */
export const bodyFaults = async (
  tx: Tx | Context['db'],
  actor: Actor,
  body: Partial<MessageBody>,
): Promise<FieldError[]> => {
  const faults: FieldError[] = []
  const { label, subject, session_hash, channel } = body
  if (typeof subject === 'string' && label !== 'EmailMessage')
    faults.push({ path: 'subject', message: 'is for label EmailMessage only' })
  if (typeof session_hash === 'string' && !(await personBySession(tx, actor.environment_id, session_hash)))
    faults.push({ path: 'session_hash', message: 'is not an open session of a person' })
  if (typeof channel?.id === 'string' && !(await holdChannel(tx, actor, channel.id)))
    faults.push({ path: 'channel.id', message: 'is not a channel of this environment' })
  return faults
}

/** Inside a transaction it stays until the commit, so that whoever unlinks a deleted one finds what names it. */
const holdChannel = async (
  tx: Tx | Context['db'],
  { environment_id }: Actor,
  id: string,
): Promise<boolean> => {
  const { rows } = await sql`select 1 from channels
    where environment_id = ${environment_id} and id = ${id} for key share`.execute(tx)
  return rows.length > 0
}

export const changeMessage = async (
  tx: Tx,
  context: Making,
  actor: Actor,
  id: string,
  { on_screen, tags, favorite, session_hash }: MessageChanges,
  expected: Expected,
): Promise<Message> => {
  const before = await lockRecord(tx, 'messages', 'Message', actor, id, expected)
  const user = await actingUser(tx, actor, session_hash)
  const faults = await tagFaults(tx, actor, tags ?? [])
  if (typeof favorite === 'boolean' && user === undefined)
    faults.push({ path: 'favorite', message: 'needs the session of a user, or a token bound to one' })
  if (faults.length > 0) throw new Invalid(faults)
  if (typeof favorite === 'boolean') await setFavorite(tx, actor, before, favorite, user!)
  const isTagged = tags !== undefined && (await setTags(tx, actor, before, tags ?? []))
  const isSame = on_screen === undefined || on_screen === (before.on_screen_on !== null)
  const values = isSame ? {} : { on_screen_on: on_screen ? new Date() : null }
  const row = isTagged ? await raise(tx, actor, before, values) : await update(tx, actor, before, values)
  const [message] = await loadMessages({ ...context, db: tx }, actor.environment_id, [row], user)
  recordMessage(tx, before, row)
  if (row !== before) await emit(tx, actor, 'message.changed', row, messageSnapshot(message!))
  return message!
}

const update = (tx: Tx, actor: Actor, before: MessageRow, values: object): Promise<MessageRow> =>
  updateRecord(tx, 'messages', actor, before, values as Record<string, unknown>)

/** For what changes beside the row. */
const raise = async (tx: Tx, actor: Actor, before: MessageRow, values: object): Promise<MessageRow> => {
  const changed = await update(tx, actor, before, values)
  if (changed !== before) return changed
  const { rows } = await sql<MessageRow>`update messages
    set version = version + 1, changed_on = now(), updated_by = ${actor.user_id}
    where environment_id = ${actor.environment_id} and id = ${before.id} returning *`.execute(tx)
  return rows[0]!
}

const setFavorite = async (
  tx: Tx,
  { environment_id }: Actor,
  { id }: MessageRow,
  favorite: boolean,
  user: string,
): Promise<void> => {
  // Nobody is told of it, but totals of favorites are others.
  touch(tx, environment_id, 'messages', id)
  if (favorite)
    await sql`insert into message_favorites (environment_id, user_id, message_id)
      values (${environment_id}, ${user}, ${id}) on conflict do nothing`.execute(tx)
  else
    await sql`delete from message_favorites
      where environment_id = ${environment_id} and user_id = ${user} and message_id = ${id}`.execute(tx)
}

/** Tells whether they are others than before. */
const setTags = async (tx: Tx, actor: Actor, { id }: MessageRow, tags: Tags): Promise<boolean> => {
  const { environment_id } = actor
  const wanted = await tagIds(tx, actor, tags)
  const { rows: known } = await sql<{ tag_id: string }>`select tag_id from message_tags
    where environment_id = ${environment_id} and message_id = ${id}`.execute(tx)
  const isSame = known.length === wanted.size && known.every(({ tag_id }) => wanted.has(tag_id))
  if (isSame) return false
  await sql`delete from message_tags where environment_id = ${environment_id} and message_id = ${id}`.execute(
    tx,
  )
  await sql`insert into message_tags (environment_id, message_id, tag_id)
    select ${environment_id}, ${id}, tag from unnest(${[...wanted]}::text[]) as tag`.execute(tx)
  return true
}

type Tags = NonNullable<MessageChanges['tags']>

const tagFaults = async (tx: Tx, actor: Actor, tags: Tags): Promise<FieldError[]> => {
  const ids = tags.flatMap(({ id }) => id ?? [])
  const { rows } = await sql<{ id: string }>`select id from tags
    where environment_id = ${actor.environment_id} and id = any(${ids}::text[]) for key share`.execute(tx)
  const known = new Set(rows.map(({ id }) => id))
  return tags.flatMap(({ id, body }, index) => {
    if (id === undefined)
      return body === undefined ? [{ path: `tags.${index}`, message: 'needs an id or a body' }] : []
    return known.has(id) ? [] : [{ path: `tags.${index}.id`, message: 'is not a tag of this environment' }]
  })
}

const tagIds = async (tx: Tx, actor: Actor, tags: Tags): Promise<Set<string>> => {
  const bodies = tags.flatMap(({ id, body }) => (id === undefined && body !== undefined ? [body] : []))
  const made = bodies.length === 0 ? [] : await ensureTags(tx, actor, bodies)
  return new Set([...tags.flatMap(({ id }) => id ?? []), ...made.map(({ id }) => id)])
}

/** With the replies to it. What was told of them goes, too: it may be why the message is deleted. */
export const deleteMessage = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await lockRecord(tx, 'messages', 'Message', actor, id, expected)
  const { rows } = await sql<{ id: string }>`select id from messages
    where environment_id = ${actor.environment_id} and parent_id = ${id}`.execute(tx)
  await deleteRecord(tx, 'messages', actor, row)
  const gone = [id, ...rows.map((reply) => reply.id)]
  await eraseTold(tx, actor.environment_id, gone)
  await emitMany(
    tx,
    actor,
    'message.deleted',
    gone.map((one) => ({ id: one, label: 'Message' })),
  )
}
