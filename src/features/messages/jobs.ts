import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { eraseAssets } from '../assets/erase.ts'
import { assetFromUrl } from '../assets/intake.ts'
import { labelOf } from './attachments.ts'
import { recordMessage } from './describe.ts'
import { findMessage } from './load.ts'
import { messageSnapshot } from './present.ts'
import { addressOf } from './replies.ts'
import type { AttachmentKind, Message, MessageRow } from './table.ts'

type Whose = { organisation_id: string; environment_id: string }
type Which = Whose & { id: string }

const serviceIn = ({ organisation_id, environment_id }: Whose) => ({
  organisation_id,
  environment_id,
  token_id: null,
  user_id: null,
})

/** Tells of what a job has made of a message. */
const tell = async (context: Context, tx: Tx, which: Which): Promise<void> => {
  const message = await findMessage({ ...context, db: tx }, which.environment_id, which.id)
  recordMessage(tx, message, message)
  await emit(tx, serviceIn(which), 'message.changed', message, messageSnapshot(message))
}

/**
 * Mails a reply. It goes out again only where the process ends between the server's yes and the note of it: it then has
 * the same Message-ID, by which mail programs know the same letter.
 */
export const sendReply = async (context: Context, which: Which): Promise<void> => {
  const { organisation_id, environment_id } = which
  const found = await openReply(context, which)
  if (!found) return
  const { reply, asked, to } = found
  const environment = await context.tokens.environment(environment_id)
  const subject = reply.subject ?? (asked.subject === null ? 'Your message' : `Re: ${asked.subject}`)
  const letter = { organisation_id, environment_id, to, subject, text: reply.body }
  const host = new URL(context.config.publicUrl).hostname
  try {
    await context.mail.send({ ...letter, from: environment?.name, message_id: `<${reply.id}@${host}>` })
  } catch (error) {
    await note(context, which, 'failed')
    throw error
  }
  // A message is gone with its sender: what was kept for somebody who was erased meanwhile goes, too.
  if (!(await note(context, which, 'sent')))
    await context.mail.discard(
      context.db,
      sql`environment_id = ${environment_id} and recipient = ${to} and text = ${letter.text}`,
    )
}

/** A reply that has still to go out, what it answers, and where to. */
const openReply = async (context: Context, { environment_id, id }: Which) => {
  const { rows } = await sql<MessageRow>`select * from messages where environment_id = ${environment_id}
    and id = ${id} and parent_id is not null and delivery in ('pending', 'failed')`.execute(context.db)
  const [reply] = rows
  if (!reply) return undefined
  const asked: Message = await findMessage(context, environment_id, reply.parent_id!)
  const to = addressOf(asked)
  return to === undefined ? undefined : { reply, asked, to }
}

/** Whether the reply is still there. */
const note = (context: Context, which: Which, delivery: 'sent' | 'failed'): Promise<boolean> =>
  transaction(context, async (tx) => {
    const { rows } = await sql<{ was: string }>`update messages row set delivery = ${delivery},
        version = row.version + 1, changed_on = now()
      from (select delivery as was from messages where environment_id = ${which.environment_id}
        and id = ${which.id} for update) as before
      where environment_id = ${which.environment_id} and id = ${which.id} returning was`.execute(tx)
    if (rows.length > 0 && rows[0]!.was !== delivery) await tell(context, tx, which)
    return rows.length > 0
  })

/** Fetches what a message has the address of. */
export const fetchAttachment = async (
  context: Context,
  { kind, ...which }: Which & { kind: AttachmentKind },
): Promise<void> => {
  const { environment_id, id } = which
  const { rows } = await sql<{ url: string; person_key: string | null }>`select source_url as url, person_key
    from message_attachments link join messages row on row.environment_id = link.environment_id
      and row.id = link.message_id
    where link.environment_id = ${environment_id} and message_id = ${id} and kind = ${kind}
      and asset_id is null`.execute(context.db)
  const [attachment] = rows
  const environment = attachment && (await context.tokens.environment(environment_id))
  if (!environment) return
  const { url, person_key } = attachment
  const actor = { ...serviceIn(which), person_key: null, environment, token: undefined as never }
  const asset = await assetFromUrl(context, actor, url, { label: labelOf(kind), private: true, person_key })
  await transaction(context, async (tx) => {
    const { numAffectedRows } = await sql`update message_attachments set asset_id = ${asset.id}
      where environment_id = ${environment_id} and message_id = ${id} and kind = ${kind}
        and asset_id is null`.execute(tx)
    if (numAffectedRows) await tell(context, tx, which)
    else if (person_key !== null) await eraseLeft(tx, actor, person_key)
  })
}

/** What was fetched for somebody who was erased meanwhile goes, too. */
const eraseLeft = async (tx: Tx, actor: Actor, key: string): Promise<void> => {
  const { environment_id } = actor
  const { rows } =
    await sql`select 1 from persons where environment_id = ${environment_id} and key = ${key}`.execute(tx)
  if (rows.length === 0) await eraseAssets(tx, actor, { environment_id, key })
}

const batch = 5000

/** Messages of a channel that is no more have none. */
export const unlinkChannel = async ({ db }: Context, { environment_id, id }: Which): Promise<void> => {
  for (let gone = batch; gone === batch; ) {
    const { numAffectedRows } =
      await sql`update messages set channel_id = null where environment_id = ${environment_id}
      and id in (select id from messages where environment_id = ${environment_id} and channel_id = ${id}
        limit ${batch})`.execute(db)
    gone = Number(numAffectedRows)
  }
  await sql`select pg_notify('marquee', ${JSON.stringify({ changed: [[environment_id, 'messages', null]] })})`.execute(
    db,
  )
}
