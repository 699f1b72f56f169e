import { Type } from 'typebox'
import { Body, base, Changes, Nullable, NullableDateTime, NullableText } from '../../http/schemas.ts'
import { NewId, sharedFields, shownOnly } from './schema.ts'
import { lists, PictureBody } from './schema-lists.ts'

const ProviderToken = Nullable('string', {
  maxLength: 4000,
  writeOnly: true,
  description: 'Finds or makes the person through the provider; stored encrypted',
})

/** What version 5 calls the fields of a person that have another name here; providers are named by their tokens. */
export const namesV5: Readonly<Record<string, string>> = {
  first_name: 'firstname',
  last_name: 'lastname',
  prefix_last_name: 'prefix_lastname',
  emails: 'email',
  phones: 'phone',
  addresses: 'address',
  profile_photo: 'picture',
}
export const tokenNames = {
  social_network: 'facebook_access_token',
  search: 'google_access_token',
  photo_social: 'instagram_access_token',
  stream: 'spotify_access_token',
} as const

const fields = {
  ...sharedFields,
  firstname: NullableText(200, { examples: ['Robin'] }),
  prefix_lastname: NullableText(50, { examples: ['van der'] }),
  lastname: NullableText(200, { examples: ['Quayside'] }),
  email: lists.emails,
  phone: lists.phones,
  address: lists.addresses,
  picture: PictureBody,
  ...(Object.fromEntries(Object.values(tokenNames).map((name) => [name, ProviderToken])) as Record<
    (typeof tokenNames)[keyof typeof tokenNames],
    typeof ProviderToken
  >),
}
const ignored = [...shownOnly, 'last_seen']

/** A name that is there already may be shorter: the unversioned generation takes any. */
export const PersonChangesV5 = Changes(fields, ignored)
export const shortestName = 2
const Name = Type.Optional(Nullable('string', { minLength: shortestName, maxLength: 200, pattern: '\\S' }))
export const PersonBodyV5 = Body(
  { ...PersonChangesV5.properties, id: NewId, firstname: Name, lastname: Name, nickname: Name },
  ignored,
)

export const PersonV5 = Type.Object(
  {
    ...base('Person'),
    last_seen: NullableDateTime(),
    preposition: Nullable('string'),
    initials: Nullable('string'),
    firstname: Nullable('string'),
    prefix_lastname: Nullable('string'),
    lastname: Nullable('string'),
    nickname: Nullable('string'),
    tracking: Type.Boolean(),
    custom: Type.Array(Type.String()),
  },
  { title: 'Person' },
)
