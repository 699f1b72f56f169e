import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Tx } from '../database/connect.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { addComment } from '../features/comments/commands.ts'
import { createMessage } from '../features/messages/commands.ts'
import { createReply } from '../features/messages/replies.ts'
import type { MessageLabel } from '../features/messages/table.ts'
import { findPersons } from '../features/persons/queries.ts'
import type { Person } from '../features/persons/table.ts'

type DemoMessage = { label: MessageLabel; channel: string; body: string; subject?: string; reply?: string }

/** What listeners send in on an ordinary morning. */
export const messages: DemoMessage[] = [
  {
    label: 'AppMessage',
    channel: 'app',
    body: 'The bridge at the fish market is open again, no more queue.',
  },
  {
    label: 'Sms',
    channel: 'harbour-fm',
    body: 'Can you play something with a saxophone for the night ferry crew?',
    reply: 'Coming up after the news. Safe crossing!',
  },
  {
    label: 'EmailMessage',
    channel: 'harbour-fm',
    subject: 'The sea lock',
    body: 'My grandfather worked on the old lock. I have photographs of 1962, if you want them for the series.',
  },
  {
    label: 'WebMessage',
    channel: 'website',
    body: 'The timetable of the tram on your page is last year’s.',
    reply: 'Thank you, mended.',
  },
  { label: 'Sms', channel: 'harbour-fm', body: 'Hail the size of marbles in the old docks!' },
  { label: 'AppMessage', channel: 'harbour-fm-jazz', body: 'Who was that on the trumpet just before ten?' },
  {
    label: 'WebMessage',
    channel: 'podcasts',
    body: 'Please let the letters from sea go on for another season.',
  },
  { label: 'Sms', channel: 'harbour-tv', body: 'Goal! And we were just pouring coffee.' },
]

/** Comments, each with replies to it. */
export const comments: { body: string; replies: string[] }[] = [
  {
    body: 'We heard the storm before we saw it.',
    replies: ['Same here, the windows sang.', 'At our place the dike held by a hand.'],
  },
  {
    body: 'Ten years of building and still no bench to sit on.',
    replies: ['Two are planned at the north side.'],
  },
  { body: 'Thank you for asking the people who live beside it.', replies: [] },
  { body: 'The second part was the best so far.', replies: ['Wait for the fourth!'] },
]

export const seedMessages = async (context: Context, tx: Tx, actor: Actor): Promise<number> => {
  if (await isFilled(tx, 'messages', actor)) return 0
  const [senders, channels] = [await somePersons(tx, actor, messages.length), await channelIds(tx, actor)]
  for (const [index, { channel, reply, ...body }] of messages.entries()) {
    const email = senders[index]?.emails[0]?.email ?? null
    const where = channels.has(channel) ? { channel: { id: channels.get(channel)! } } : {}
    const { id } = await createMessage(tx, context, actor, { ...body, email, ...where })
    if (reply) await createReply(tx, context, actor, id, { body: reply, label: 'Sms' })
  }
  return messages.length
}

export const seedComments = async (tx: Tx, actor: Actor): Promise<number> => {
  if (await isFilled(tx, 'comments', actor)) return 0
  const persons = await somePersons(tx, actor, 20)
  const publications = await tx
    .selectFrom('publications')
    .select('id')
    .where('environment_id', '=', actor.environment_id)
    .orderBy('publish_on', 'desc')
    .limit(3)
    .execute()
  let turn = 0
  const say = (publication_id: string, parent_id: string | null, body: string) => {
    turn += 1
    return addComment(tx, actor, { publication_id, parent_id, body }, persons[turn % persons.length] ?? null)
  }
  for (const { id } of publications)
    for (const { body, replies } of comments) {
      const row = await say(id, null, body)
      for (const reply of replies) await say(id, row.id, reply)
    }
  return turn
}

const isFilled = async (
  tx: Tx,
  table: 'messages' | 'comments',
  { environment_id }: Actor,
): Promise<boolean> => {
  const { rows } =
    await sql`select 1 from ${sql.table(table)} where environment_id = ${environment_id} limit 1`.execute(tx)
  return rows.length > 0
}

/** Some of the demo's own audience, the same each time. */
const somePersons = async (tx: Tx, { environment_id }: Actor, count: number): Promise<Person[]> => {
  const { rows } = await sql<{ key: string }>`select key from persons where environment_id = ${environment_id}
    and reference_id is not null order by reference_id limit ${count}`.execute(tx)
  const found = await findPersons(
    tx,
    environment_id,
    'key',
    rows.map(({ key }) => key),
  )
  return found.toSorted((one, other) => Number(one.key) - Number(other.key))
}

const channelIds = async (tx: Tx, { environment_id }: Actor): Promise<Map<string, string>> => {
  const rows = await tx
    .selectFrom('channels')
    .select(['id', 'slug'])
    .where('environment_id', '=', environment_id)
    .execute()
  return new Map(rows.map(({ id, slug }) => [slug, id]))
}
