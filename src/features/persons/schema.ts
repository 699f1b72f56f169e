import { type Static, Type } from 'typebox'
import { Body, base, Changes, Nullable, NullableDateTime, NullableText } from '../../http/schemas.ts'
import { Moment } from '../access/schemas.ts'
import { embeddedLists, lists, PictureBody } from './schema-lists.ts'
import { genders } from './table.ts'

export const NewId = Type.Optional(
  Type.String({
    maxLength: 200,
    format: 'person-id',
    description: 'Made unless sent',
    examples: ['listener-1024'],
  }),
)

export const mostCustom = 200
const name = (example: string) => NullableText(200, { examples: [example] })
const Flag = Type.Boolean({ description: 'False: nothing that the person does is stored' })

/** What both generations call the same. */
export const sharedFields = {
  reference_id: NullableText(200, { description: 'Your own id of the person; nobody else may have it' }),
  initials: NullableText(50),
  preposition: NullableText(50, { examples: ['Dr.'] }),
  nickname: NullableText(200),
  gender: Type.Unsafe<(typeof genders)[number] | null>({
    type: ['string', 'null'],
    enum: [...genders, null],
  }),
  date_of_birth: Nullable('string', { format: 'date-of-birth', examples: ['1990-04-23'] }),
  company: NullableText(200),
  job_title: NullableText(200),
  description: NullableText(2000),
  biography: NullableText(20_000),
  social_media_handle: NullableText(200),
  source: NullableText(200, { description: 'Where the person comes from' }),
  exclude_until: Moment({ description: 'No messages until then' }),
  tracking: Flag,
  custom: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    maxItems: mostCustom,
    items: { type: 'string', maxLength: 2000 },
  }),
  bank_accounts: lists.bank_accounts,
  terms: lists.terms,
  accounts: lists.accounts,
  tags: lists.tags,
  password: Nullable('string', { minLength: 8, maxLength: 200, format: 'password', writeOnly: true }),
  two_factor_code: Nullable('string', {
    maxLength: 20,
    writeOnly: true,
    description: 'A first code, which completes the enrolment of an authenticator app',
  }),
}

const fields = {
  ...sharedFields,
  first_name: name('Robin'),
  prefix_last_name: NullableText(50, { examples: ['van der'] }),
  last_name: name('Quayside'),
  emails: lists.emails,
  phones: lists.phones,
  addresses: lists.addresses,
  profile_photo: PictureBody,
  created_on: Moment(),
  last_seen: Moment({ description: 'Moves forward only' }),
}

/** Shown by reads, never written. */
export const shownOnly = ['age', 'sessions', 'logged_in_from', 'two_factor']

export const PersonChanges = Changes(fields, shownOnly)
export const PersonBody = Body({ id: NewId, ...PersonChanges.properties }, shownOnly)
export type PersonBody = Static<typeof PersonBody>

export const Person = Type.Object(
  {
    ...base('Person'),
    last_seen: NullableDateTime(),
    initials: Nullable('string'),
    first_name: Nullable('string'),
    last_name: Nullable('string'),
    nickname: Nullable('string'),
    exclude_until: NullableDateTime(),
    source: Nullable('string'),
    custom: Type.Array(Type.String()),
  },
  { title: 'Person' },
)

const shownText = Object.fromEntries(
  [
    'reference_id',
    'preposition',
    'prefix_last_name',
    'company',
    'job_title',
    'description',
    'biography',
    'social_media_handle',
  ].map((name) => [name, Nullable('string')]),
)
const { emails, phones, addresses, terms, accounts } = embeddedLists
const Tagged = Type.Object({ id: Type.String(), label: Type.Literal('Tag') })

/** As events carry a person; of one who is deleted they tell no more than that there was one. */
export const PersonPayload = Type.Object(
  {
    ...base('Person'),
    ...Type.Partial(
      Type.Object({
        ...Type.Omit(Person, Object.keys(base('Person')) as never).properties,
        ...shownText,
        gender: sharedFields.gender,
        date_of_birth: Nullable('string', { examples: ['1990-04-23'] }),
        tracking: sharedFields.tracking,
        ...{ emails, phones, addresses, terms, accounts },
        tags: Type.Object({ total: Type.Integer(), items: Type.Array(Tagged) }),
        profile_photo: Type.Unsafe<{ id: string } | null>({
          type: ['object', 'null'],
          properties: { id: { type: 'string' } },
          required: ['id'],
        }),
      }),
    ).properties,
  },
  { title: 'PersonPayload' },
)
