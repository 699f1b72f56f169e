import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { insertRecord, lockRecord } from '../../database/records.ts'
import { conflict, Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { blank, bodyFaults } from './commands.ts'
import { recordMessage } from './describe.ts'
import { loadMessages } from './load.ts'
import { messageSnapshot } from './present.ts'
import type { ReplyBody } from './schema.ts'
import type { Message } from './table.ts'

/** Where a reply by email goes: where the message came from, else to the sender's address, a proved one first. */
export const addressOf = ({ email, person }: Pick<Message, 'email' | 'person'>): string | undefined => {
  const proved = person?.emails.find(({ verified }) => verified)
  return email ?? proved?.email ?? person?.emails[0]?.email
}

/** Answers a message. An email goes out by a job behind the commit; anything else is stored for others to carry. */
export const createReply = async (
  tx: Tx,
  context: Pick<Context, 'config' | 'keys'>,
  actor: Actor,
  id: string,
  body: ReplyBody,
): Promise<Message> => {
  const parent = await lockRecord(tx, 'messages', 'Message', actor, id, undefined)
  if (parent.parent_id !== null) throw conflict('id', 'is a reply itself')
  const faults = await bodyFaults(tx, actor, body)
  const showing = { ...context, db: tx }
  const [asked] = await loadMessages(showing, actor.environment_id, [parent])
  const isEmail = body.label === 'EmailMessage'
  if (isEmail && addressOf(asked!) === undefined)
    faults.push({ path: 'label', message: 'the sender of the message has no email address' })
  if (faults.length > 0) throw new Invalid(faults)
  const row = await insertRecord(tx, 'messages', actor, {
    ...blank,
    ...{ parent_id: id, label: body.label, body: body.body, subject: body.subject ?? null },
    channel_id: parent.channel_id,
    delivery: isEmail ? 'pending' : 'stored',
  })
  if (isEmail) await sendLater(tx, actor, row.id)
  const [reply] = await loadMessages(showing, actor.environment_id, [row])
  recordMessage(tx, null, row)
  await emit(tx, actor, 'message.created', row, messageSnapshot(reply!))
  return reply!
}

const sendLater = async (tx: Tx, { organisation_id, environment_id }: Actor, id: string): Promise<void> => {
  const payload = JSON.stringify({ organisation_id, environment_id, id })
  await sql`select graphile_worker.add_job('messages:send-reply', ${payload}::json)`.execute(tx)
}
