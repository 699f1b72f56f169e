import { type Static, Type } from 'typebox'
import {
  Body,
  Changes,
  DateTime,
  Nullable,
  NullableDateTime,
  NullableText,
  Text,
} from '../../http/schemas.ts'
import { sourceLabels } from './labels.ts'

const EpochMs = (description: string) =>
  Nullable('integer', { description: `${description}, in epoch milliseconds`, examples: [1793525400000] })

const label = Type.Unsafe<(typeof sourceLabels)[number]>({
  type: 'string',
  enum: sourceLabels,
  examples: ['Rss'],
})
const url = NullableText(2000, {
  minLength: 1,
  description:
    'Of a feed, a page, or a folder (`ftp://` or `ftps://`). Credentials have fields of their own.',
  examples: ['https://news.example.org/feed.xml'],
})
const name = Text(200, { examples: ['Harbour news'] })
const screen_name = Text(200, { description: 'Of an account, without @', examples: ['harbourfm'] })
const body = Text(100, { description: 'A hashtag, without #', examples: ['harbour'] })

const settings = {
  shortname: NullableText(100, { examples: ['news'] }),
  favorite: Type.Boolean(),
  active: Type.Boolean({ description: 'Whether it is polled' }),
  tag: NullableText(200, { description: 'A word of your own', examples: ['local'] }),
  interval: Type.Integer({
    minimum: 60,
    maximum: 604_800,
    description: 'Seconds between two polls. Sending it ends `adaptive`, unless that is sent too.',
    examples: [900],
  }),
  adaptive: Type.Boolean({ description: 'Whether the interval is learned from how often items come' }),
  username: NullableText(200, { description: 'For a folder; without one `anonymous`' }),
  password: NullableText(500, { description: 'For a folder; never shown' }),
}

const shown = [
  ...['origin', 'frequency', 'failed', 'error', 'fetched_on', 'last_import', 'next_fetch_on'],
  ...['account_id', 'picture'],
]
const optional = Changes(settings).properties
export const SourceBody = Body(
  {
    ...optional,
    label,
    name: Type.Optional(name),
    url: Type.Optional(url),
    screen_name: Type.Optional(screen_name),
    body: Type.Optional(body),
  },
  shown.filter((one) => one !== 'label'),
)
/** What a source follows is its own for good, but for an address, which may move. */
export const SourceChanges = Body({ ...optional, name: Type.Optional(name), url: Type.Optional(url) }, [
  ...shown,
  'screen_name',
  'body',
])
export type SourceBody = Static<typeof SourceBody>
export type SourceChanges = Static<typeof SourceChanges>

export const Source = Type.Object(
  {
    id: Type.String(),
    created_on: DateTime(),
    changed_on: NullableDateTime({ description: 'Null until the first change; polls are none' }),
    label,
    url: Nullable('string'),
    interval: Type.Integer({ description: 'Seconds between two polls' }),
    adaptive: Type.Boolean(),
    fetched_on: EpochMs('The last poll'),
    next_fetch_on: EpochMs('The next poll; null while not active'),
    active: Type.Boolean(),
    name: Type.String(),
    shortname: Nullable('string'),
    favorite: Type.Boolean(),
    origin: Nullable('string', { description: 'The host that is asked', examples: ['news.example.org'] }),
    tag: Nullable('string'),
    frequency: Type.Integer({ description: 'Items per day, learned from the items' }),
    failed: Type.Integer({ description: 'Polls in a row that failed' }),
    error: Nullable('string', { description: 'What is wrong with the last poll', examples: [null] }),
    last_import: EpochMs('The last poll that brought something new'),
    username: Type.Optional(Nullable('string')),
    account_id: Type.Optional(Nullable('string')),
    screen_name: Type.Optional(Type.String()),
    picture: Type.Optional(Nullable('string')),
    body: Type.Optional(Type.String()),
  },
  { title: 'Source' },
)

const { shortname, favorite } = optional
export const RssFollow = Body({ url: Text(2000, url as object), name, shortname, favorite })
export const AccountFollow = Body({ screen_name, shortname, favorite })
export const HashtagFollow = Body({ body, shortname, favorite })

const record = { id: Type.String(), created_on: DateTime() }
const kept = { shortname: Nullable('string'), favorite: Type.Boolean() }
export const MicroblogAccount = Type.Object(
  {
    ...record,
    account_id: Nullable('string', { description: 'Null until the account has been found' }),
    label: Type.Literal('MicroblogAccount'),
    name: Type.String(),
    screen_name: Type.String(),
    picture: Nullable('string'),
    ...kept,
  },
  { title: 'MicroblogAccount' },
)
export const MicroblogHashtag = Type.Object(
  { ...record, label: Type.Literal('MicroblogHashtag'), body: Type.String(), ...kept },
  { title: 'MicroblogHashtag' },
)
