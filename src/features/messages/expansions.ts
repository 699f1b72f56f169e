import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { column, type Expansion, type Expansions } from '../../http/expand.ts'
import { Nullable, presentBase } from '../../http/schemas.ts'
import { commonExpansions } from '../access/expansions.ts'
import type { ChannelRow } from '../channels/table.ts'
import { embeddedLists } from '../persons/schema-lists.ts'
import { presentTag } from '../tags/present.ts'
import type { TagRow } from '../tags/table.ts'
import { loadMessages } from './load.ts'
import { presentMessageV5 } from './present.ts'
import { Attachment, Delivery, MessageV5 } from './schema.ts'
import type { Message, MessageRow } from './table.ts'

const idsOf = (messages: Message[]): string[] => messages.map(({ id }) => id)
const total = Type.Integer()
/** So many replies are shown with a message; all of them stand under it. */
const shownReplies = 100

const tags: Expansion<Message> = {
  schema: embeddedLists.tags,
  inner: ['total', 'items'],
  load: async (db, { environment_id }, messages) => {
    const { rows } = await sql<
      TagRow & { message_id: string }
    >`select tags.*, message_id from message_tags link
      join tags on tags.environment_id = link.environment_id and tags.id = link.tag_id
      where link.environment_id = ${environment_id} and message_id = any(${idsOf(messages)}::text[])
      order by lower(tags.body), tags.id`.execute(db)
    const byMessage = Map.groupBy(rows, ({ message_id }) => message_id)
    return ({ id }) => {
      const items = byMessage.get(id) ?? []
      return { total: items.length, items: items.map(presentTag) }
    }
  },
}

const channel: Expansion<Message> = {
  schema: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    properties: {
      id: { type: 'string' },
      created_on: { type: 'string' },
      changed_on: { type: ['string', 'null'] },
      label: { const: 'Channel' },
      name: { type: 'string' },
      slug: { type: 'string' },
    },
  }),
  inner: ['id', 'created_on', 'changed_on', 'label', 'name', 'slug'],
  load: async (db, { environment_id }, messages) => {
    const ids = messages.flatMap(({ channel_id }) => channel_id ?? [])
    const { rows } = await sql<ChannelRow>`select * from channels
      where environment_id = ${environment_id} and id = any(${ids}::text[])`.execute(db)
    const byId = new Map(
      rows.map((row) => [row.id, { ...presentBase('Channel', row), name: row.name, slug: row.slug }]),
    )
    return ({ channel_id }) => byId.get(channel_id ?? '') ?? null
  },
}

type Reply = MessageRow & { total: number }

/** The oldest first, as one reads them. */
const replies = (context: Pick<Context, 'config' | 'keys'>): Expansion<Message> => ({
  schema: Type.Object({ total, items: Type.Array(MessageV5) }),
  inner: ['total', 'items'],
  load: async (db, { environment_id }, messages) => {
    const { rows } = await sql<Reply>`select reply.* from unnest(${idsOf(messages)}::text[]) as asked (id)
      cross join lateral (select *, count(*) over ()::integer as total from messages
        where environment_id = ${environment_id} and parent_id = asked.id
        order by created_on, id limit ${shownReplies}) as reply`.execute(db)
    const loaded = await loadMessages({ ...context, db }, environment_id, rows)
    const byParent = Map.groupBy(loaded, ({ parent_id }) => parent_id!)
    const totals = new Map(rows.map((row) => [row.parent_id, row.total]))
    return ({ id }) => ({
      total: totals.get(id) ?? 0,
      items: (byParent.get(id) ?? []).map(presentMessageV5),
    })
  },
})

const own = <T extends keyof Message & string>(name: T): Expansion<Message> =>
  column(name, Nullable('string'))

export const messageExpansions = (context: Pick<Context, 'config' | 'keys'>) =>
  ({
    ...commonExpansions,
    subject: own('subject'),
    email: own('email'),
    phone: own('phone'),
    on_screen: { schema: Type.Boolean(), load: async () => (message) => message.on_screen_on !== null },
    favorite: column(
      'favorite',
      Nullable('boolean', {
        description: 'Of the user whose session or bound token it is; null without one',
      }),
    ),
    delivery: column('delivery', Delivery),
    parent: {
      schema: Type.Unsafe<{ id: string } | null>({
        type: ['object', 'null'],
        properties: { id: { type: 'string' } },
        description: 'What a reply answers',
      }),
      inner: ['id'],
      load: async () => (message) => (message.parent_id === null ? null : { id: message.parent_id }),
    },
    attachments: {
      schema: Type.Array(Attachment),
      load: async () => (message) =>
        message.attachments.map(({ kind, url, source_url, asset_id }) => ({
          kind,
          url,
          source_url,
          asset: asset_id === null ? null : { id: asset_id },
        })),
    },
    channel,
    tags,
    replies: replies(context),
  }) satisfies Expansions<Message>
