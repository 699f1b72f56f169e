import { type Static, type TSchema, Type } from 'typebox'
import { Body, base, Nullable, NullableText, Text } from '../../http/schemas.ts'
import { Choice, Email, Reference } from '../access/schemas.ts'
import { Person } from '../persons/schema.ts'
import { embeddedLists } from '../persons/schema-lists.ts'
import { PersonV5 } from '../persons/schema-v5.ts'
import { attachmentKinds, deliveries, messageLabels } from './table.ts'

const SessionHash = (description: string) =>
  Nullable('string', { maxLength: 200, writeOnly: true, description })

/** Beside the filters of the inbox. */
export const InboxQuery = Type.Object(
  {
    session_hash: Type.Optional(
      Type.String({ maxLength: 200, description: 'The session of a user, whose favorites are meant' }),
    ),
  },
  { additionalProperties: true },
)

const body = Text(100_000, { examples: ['Could you play something by the sea tonight?'] })
const label = Choice(messageLabels, { examples: ['WebMessage'] })
const subject = NullableText(500, { description: 'Of an EmailMessage only' })

/** A file of a form, or the address of one. What a file is is told by its bytes. */
const File = (what: string) =>
  Type.Unsafe<unknown>({
    description: `${what}: a file in multipart/form-data, or an address by http or https`,
  })
const listOfOne = (what: string) =>
  Type.Optional(
    Type.Unsafe<unknown[] | null>({
      type: ['array', 'null'],
      maxItems: 1,
      items: File(what),
      description: `The same as \`${what}s.0\``,
    }),
  )
const kinds = { photo: 'image', audio: 'audio', video: 'video' }
const files = Object.fromEntries(
  Object.values(kinds).flatMap((name) => [
    [`${name}s.0`, Type.Optional(File(name))],
    [`${name}s`, listOfOne(name)],
  ]),
)

const shown = ['nickname', 'sent', 'favorite', 'delivery']
const fields = {
  body,
  label,
  subject: Type.Optional(subject),
  nickname: Type.Optional(NullableText(200)),
  phone: Type.Optional(Nullable('string', { maxLength: 50, format: 'phone', examples: ['+31 20 555 0100'] })),
  email: Type.Optional(
    Type.Unsafe<string | null>({
      ...Email({ examples: ['listener@example.org'] }),
      type: ['string', 'null'],
    }),
  ),
  session_hash: Type.Optional(SessionHash('The session of the person who writes')),
  channel: Type.Optional(Reference),
}
export type MessageBody = Static<ReturnType<typeof Type.Object<typeof fields>>>
export const MessageBody = Body({ ...fields, ...(files as Record<string, TSchema>) })

export const ReplyBody = Body({ body, label, subject: Type.Optional(subject) })
export type ReplyBody = Static<typeof ReplyBody>

const Tags = Type.Unsafe<{ id?: string; body?: string }[] | null>({
  type: ['array', 'null'],
  maxItems: 100,
  items: {
    type: 'object',
    properties: { id: { type: 'string', maxLength: 200 }, body: Text(200) },
    additionalProperties: false,
  },
  description: 'In place of those it has; one by body is made where it is missing',
})
export const MessageChanges = Body(
  {
    on_screen: Type.Optional(Type.Boolean()),
    favorite: Type.Optional(
      Nullable('boolean', { description: 'Of the user whose session or bound token it is' }),
    ),
    tags: Type.Optional(Tags),
    session_hash: Type.Optional(SessionHash('The session of a user; not needed with a token bound to one')),
  },
  [...shown, 'body', 'subject', 'email', 'phone', 'channel', 'parent', 'replies', 'attachments'].concat(
    ['photo', 'audio', 'video'].flatMap((kind) => [`${kind}_url`, `${kind}_source_url`]),
  ),
)
export type MessageChanges = Static<typeof MessageChanges>

const Sent = (properties: object) => Type.Unsafe<object | null>({ type: ['object', 'null'], properties })
const url = Nullable('string')

export const Message = Type.Object(
  { ...base('Message'), body, sent: Sent({ ...Person.properties, phones: embeddedLists.phones }) },
  { title: 'Message' },
)
export const MessageV5 = Type.Object(
  {
    ...base('Message'),
    label,
    nickname: Nullable('string'),
    body,
    audio_url: url,
    video_url: url,
    audio_source_url: url,
    video_source_url: url,
    photo_url: url,
    sent: Sent(PersonV5.properties),
  },
  { title: 'Message' },
)

export const Attachment = Type.Object({
  kind: Choice(attachmentKinds),
  url: Nullable('string', { description: 'Null until the file is there' }),
  source_url: Nullable('string', { description: 'Where it was fetched from' }),
  asset: Type.Unsafe<{ id: string } | null>({
    type: ['object', 'null'],
    properties: { id: { type: 'string' } },
  }),
})
export const Delivery = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  enum: [...deliveries, null],
  description: 'Of a reply: an email goes out by itself, and again after a failure; others are stored',
})

/** As events carry a message: what version 5 shows, and what stands beside it. */
export const MessagePayload = Type.Object(
  {
    ...base('Message'),
    ...Type.Partial(
      Type.Object({
        ...Type.Omit(MessageV5, ['id', 'created_on', 'changed_on', 'label']).properties,
        subject,
        email: Nullable('string'),
        phone: Nullable('string'),
        on_screen: Type.Boolean(),
        channel: Reference,
        parent: Reference,
        delivery: Delivery,
      }),
    ).properties,
    label: Choice([...messageLabels, 'Message']),
  },
  { title: 'MessagePayload' },
)
