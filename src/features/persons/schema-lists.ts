import { Type } from 'typebox'
import { base, emailPattern, Nullable, NullableDateTime, NullableText, Text } from '../../http/schemas.ts'
import { Choice } from '../access/schemas.ts'
import { providers } from './table.ts'

/** What a read shows and a write takes back without looking at it. */
export const Ignored = Type.Unsafe<unknown>({ description: 'Ignored', readOnly: true })
const readBack = { created_on: Ignored, changed_on: Ignored, label: Ignored }
const id = Type.String({
  maxLength: 200,
  description: 'Of one that is there, which then stays the same record',
})

/** So many a list of a person holds. */
export const mostListed = 100

/** A list of things that replaces the one there was: a plain list, or the object that a read shows. */
export const ListOf = <T>(item: object, description: string) => {
  const items = { items: item, maxItems: mostListed }
  return Type.Unsafe<T[] | { items: T[] } | null>({
    type: ['array', 'object', 'null'],
    ...items,
    properties: { total: Ignored, items: { type: 'array', ...items } },
    required: ['items'],
    additionalProperties: false,
    description,
  })
}

export const Item = (properties: object, required: string[], text?: object) => ({
  type: text ? ['string', 'object'] : 'object',
  ...text,
  properties: { id, ...readBack, ...properties },
  required,
  additionalProperties: false,
})

const email = { maxLength: 254, pattern: emailPattern, examples: ['listener@example.org'] }
const phone = { maxLength: 50, format: 'phone', examples: ['+31 20 555 0100'] }
const iban = { maxLength: 60, format: 'iban', examples: ['NL91 ABNA 0417 1643 00'] }
const number = Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'], maxLength: 50 })
const addressFields = {
  street: NullableText(200),
  number,
  postal_code: NullableText(50),
  city: NullableText(200),
  country: NullableText(100),
}
const own = { ...Text(200), description: 'Your own' }

type Id = { id?: string }
type AddressBody = Id & { number?: string | number | null } & {
  [K in 'street' | 'postal_code' | 'city' | 'country']?: string | null
}

/** Lists as a body may hold them. */
export const lists = {
  emails: ListOf<string | (Id & { email: string; verified?: boolean })>(
    Item({ email: Type.String(email), verified: Type.Boolean() }, ['email'], email),
    'Addresses, or objects with `email` and `verified`',
  ),
  phones: ListOf<string | (Id & { phone: string })>(
    Item({ phone: Type.String(phone) }, ['phone'], phone),
    'Numbers, or objects with `phone`',
  ),
  addresses: ListOf<string | AddressBody>(
    Item(addressFields, [], { maxLength: 200 }),
    'Objects; a text is taken for the street',
  ),
  bank_accounts: ListOf<string | (Id & { iban: string; holder?: string | null })>(
    Item({ iban: Type.String(iban), holder: NullableText(200) }, ['iban'], iban),
    'Stored encrypted and shown masked; what was read masked and comes back stays',
  ),
  terms: ListOf<{ id: string; source?: string | null }>(
    Item({ id: own, source: NullableText(200) }, ['id']),
    'What the person has agreed to',
  ),
  accounts: ListOf<{ id: string; provider: (typeof providers)[number] }>(
    Item({ id: own, provider: Choice(providers) }, ['id', 'provider']),
    'What others call the person',
  ),
  tags: ListOf<{ id?: string; body?: string }>(
    Item({ id: Type.String({ maxLength: 200 }), body: Text(200), slug: Ignored }, []),
    'By `id`, or by `body`, which is made where there is none',
  ),
}

export const Embedded = (label: string, properties: Record<string, unknown>) =>
  Type.Unsafe<object>({
    type: 'object',
    properties: {
      total: Type.Integer(),
      items: { type: 'array', items: Type.Object({ ...base(label), ...(properties as object) }) },
    },
  })

/** The same lists as a read shows them. */
export const embeddedLists = {
  emails: Embedded('Email', { email: Type.String(), verified: Type.Boolean() }),
  phones: Embedded('Phone', { phone: Type.String() }),
  addresses: Embedded('Address', { ...addressFields, number: Nullable('string') }),
  bank_accounts: Embedded('BankAccount', {
    iban: Type.String({ description: 'Masked', examples: ['NL************4300'] }),
    holder: Nullable('string'),
  }),
  terms: Embedded('Term', { source: Nullable('string') }),
  accounts: Embedded('Account', { provider: Choice(providers) }),
  logged_in_from: Embedded('SignIn', { ip_address: Nullable('string'), user_agent: Nullable('string') }),
  sessions: Embedded('Session', {
    hash: Type.String({ description: 'A fingerprint' }),
    ttl: Type.Integer({ description: 'The epoch second it ends' }),
    ip_address: Nullable('string'),
  }),
  tags: Embedded('Tag', { body: Type.String(), slug: Type.String() }),
}

/** A picture as a body may name it, and as a read shows it. */
const byId = {
  type: ['string', 'object', 'null'],
  maxLength: 2000,
  properties: { id: { type: 'string', maxLength: 200 } },
  required: ['id'],
}
export const PictureBody = Type.Unsafe<string | { id: string } | null>({
  type: byId.type,
  if: { 'x-file': true },
  else: byId,
  'x-documented': {
    description: 'The id of an asset, an object with it, a file, or the address of one',
    anyOf: [byId, { type: 'string', format: 'binary' }],
  },
})
export const Picture = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {
    id: Type.String(),
    created_on: Type.String(),
    changed_on: NullableDateTime(),
    label: Type.String(),
    name: Nullable('string'),
    body: Nullable('string'),
    author: Nullable('string'),
    reference_id: Nullable('string'),
  },
})
