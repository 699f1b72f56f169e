import { type TSchema, Type } from 'typebox'
import { Body, DateTime, Nullable, NullableDateTime } from '../../../http/schemas.ts'
import { type FlatName, flatNames } from './flat.ts'

const example = '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20'

const Reference = Type.Unsafe<{ id: string } | null>({
  type: ['object', 'null'],
  properties: { id: { type: 'string', maxLength: 200, examples: [example] } },
  required: ['id'],
})
const Moment = (nullable: boolean) =>
  Type.Unsafe<string | number | null>({
    type: ['string', 'integer', ...(nullable ? ['null'] : [])],
    description: 'Epoch seconds or ISO 8601, UTC',
    examples: ['2027-01-01T00:00:00+00:00'],
  })
const list = (items: object, options: object = {}) =>
  Type.Unsafe<unknown[] | null>({ type: ['array', 'null'], items, maxItems: 1000, ...options })
const object = (properties: object, examples: object) => ({
  type: 'object',
  properties,
  additionalProperties: true,
  examples: [examples],
})
const any = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]))
const text = (maxLength: number, options: object = {}) => Nullable('string', { maxLength, ...options })
const int32 = { minimum: -2_147_483_648, maximum: 2_147_483_647 }

/** Each as it is sent and, read-only details aside, shown. What lists hold is judged item by item. */
const flat: Record<FlatName, TSchema> = {
  element: list(object(any('label'), { label: 'Text', body: '<p>Good morning</p>' }), {
    description: 'Values of fields, in their order. Required for the label Post',
  }),
  assets: list(
    { type: ['object', 'string'], examples: [{ id: example }] },
    { description: 'Required for the labels AudioChunk and VideoChunk' },
  ),
  tags: list(object(any('id', 'body'), { body: 'Sports' }), {
    description: 'By id, or by body: a tag that is missing is made',
  }),
  business_hours: list(
    object(any('open_day', 'open_time', 'close_day', 'close_time'), {
      open_day: 1,
      open_time: '09:00',
      close_day: 1,
      close_time: '17:30',
    }),
  ),
  locations: list(
    object(any('latitude', 'longitude', 'name'), { latitude: 52.37, longitude: 4.89, name: 'Quay' }),
  ),
  addresses: list(
    object(any('street', 'number', 'postal_code', 'city', 'country'), {
      street: 'Quay',
      number: '12',
      postal_code: '1011 AB',
      city: 'Haven',
      country: 'NL',
    }),
  ),
  events: list(
    object(any('from', 'until', 'name'), {
      from: '2026-11-01T19:00:00Z',
      until: '2026-11-01T23:00:00Z',
      name: 'Concert',
    }),
  ),
  sales: list(
    object(any('price', 'currency', 'url', 'from', 'until'), {
      price: 12.5,
      currency: 'EUR',
      url: 'https://tickets.example.org/',
    }),
  ),
  custom: list({ type: 'string', maxLength: 10_000, examples: ['red'] }),
  call_to_action: text(10_000, { examples: ['Listen now'] }),
  url: text(2000, { examples: ['https://www.example.org/'] }),
  value: Nullable('number'),
  reference_id: text(10_000),
  capacity: Nullable('integer', int32),
  capacity_per_day: Nullable('integer', int32),
  compare: text(10_000),
}
const flatOptional = Object.fromEntries(flatNames.map((name) => [name, Type.Optional(flat[name])]))

const label = Type.String({ minLength: 1, maxLength: 64, pattern: '\\S', examples: ['Banner'] })
const fields = {
  label: Type.Optional(label),
  status: Type.Optional(
    Type.String({
      maxLength: 200,
      examples: ['published'],
      description: 'draft, pending, approval, published or unpublished; also the name of any other status',
    }),
  ),
  name: Type.Optional(text(1000, { description: 'Required for the labels Album, Banner and ShowDetail' })),
  slug: Type.Optional(
    Nullable('string', {
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\s/?#]+$',
      examples: ['good-morning'],
      description: 'Unique inside the channel. Made from the name unless sent',
    }),
  ),
  channel: Type.Optional(Reference),
  container: Type.Optional(Reference),
  unpublish_on: Type.Optional(Moment(true)),
  ...flatOptional,
}

/** What a GET adds and nobody writes. */
const shown = [
  'share_url',
  'preview_url',
  'items',
  'model',
  'channels',
  'containers',
  'insights',
  'internal_comments',
  'published',
  'notification',
]

export const PublicationBodyV5 = Body({ ...fields, published_on: Moment(false) }, shown)
export const PublicationChangesV5 = Body({ ...fields, published_on: Type.Optional(Moment(true)) }, shown)

const Shown = Type.Unsafe<object | null>({ type: ['object', 'null'], properties: { id: { type: 'string' } } })

/** As lists show it. */
export const ListedPublicationV5 = Type.Object(
  {
    id: Type.String(),
    created_on: DateTime(),
    changed_on: NullableDateTime({ description: 'Null until the first change' }),
    label: Type.String({ examples: ['Banner'], description: 'Of a publication with a model: its name' }),
    name: Nullable('string'),
    slug: Nullable('string'),
    status: Nullable('string', {
      examples: ['published'],
      description: 'Expired: it was published, and the time in unpublish_on is past',
    }),
    published_on: NullableDateTime(),
    unpublish_on: NullableDateTime(),
    channel: Shown,
    container: Shown,
    share_url: Nullable('string', { description: 'Its address, as the channel constructs it' }),
    preview_url: Nullable('string', { description: 'The same before it is published; not for readers' }),
  },
  { title: 'ListedPublicationV5' },
)

const plain = { type: 'object', additionalProperties: true }
/** Every list as a list of anything: what they hold is told by the schemas of what is sent. */
export const flatShown: Record<FlatName, TSchema> = Object.fromEntries(
  flatNames.map((name) => {
    const { type, items } = flat[name] as { type?: string[]; items?: { type: string } }
    if (!type?.includes('array')) return [name, flat[name]]
    const item = items?.type === 'string' ? { type: 'string' } : plain
    return [name, Type.Unsafe<unknown[]>({ type: ['array', 'null'], items: item })]
  }),
) as never

export const PublicationV5 = Type.Object(
  {
    ...ListedPublicationV5.properties,
    ...Object.fromEntries(flatNames.map((name) => [name, Type.Optional(flatShown[name])])),
  },
  { title: 'PublicationV5' },
)
