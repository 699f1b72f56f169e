import type { Generated, Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'

export const genders = ['male', 'female', 'other'] as const
export type Gender = (typeof genders)[number]

/** Neutral words for those that persons have accounts with. */
export const providers = [
  'microblog',
  'photo_social',
  'social_network',
  'search',
  'stream',
  'payment',
] as const
export type Provider = (typeof providers)[number]

/** What every sub-record has; the label is told by the list it stands in. */
export type SubRecord = { id: string; created_on: string; changed_on: string | null }
export type Email = SubRecord & { email: string; verified: boolean }
export type Phone = SubRecord & { phone: string }
export type Address = SubRecord & {
  street: string | null
  number: string | null
  postal_code: string | null
  city: string | null
  country: string | null
}
/** `id` is the term's own. */
export type Term = SubRecord & { source: string | null }
/** `id` is what the provider calls the person. */
export type Account = SubRecord & { provider: Provider }
/** Stored encrypted. */
export type BankAccount = SubRecord & { iban: string; holder: string | null }
export type SignedInFrom = SubRecord & { ip_address: string | null; user_agent: string | null }

/** Other tables join by `key`, so that anonymizing a person changes one row. */
export type PersonTable = RecordColumns & {
  key: Generated<string>
  reference_id: string | null
  initials: string | null
  first_name: string | null
  preposition: string | null
  prefix_last_name: string | null
  last_name: string | null
  nickname: string | null
  gender: Gender | null
  /** YYYY-MM-DD */
  date_of_birth: string | null
  company: string | null
  job_title: string | null
  description: string | null
  biography: string | null
  social_media_handle: string | null
  source: string | null
  exclude_until: Date | null
  tracking: Generated<boolean>
  custom: Generated<string[]>
  picture_id: string | null
  emails: Json<Email[]>
  phones: Json<Phone[]>
  addresses: Json<Address[]>
  terms: Json<Term[]>
  accounts: Json<Account[]>
  logged_in_from: Json<SignedInFrom[]>
  bank_accounts: string | null
  provider_tokens: string | null
  password_hash: string | null
  totp_secret: string | null
  totp_confirmed: Generated<boolean>
  totp_last_step: string | null
}

export type PersonTagTable = { environment_id: string; person_key: string; tag_id: string }

/** What segments and lists count by; a trigger keeps what the person's row tells. */
export type PersonFactTable = {
  environment_id: string
  person_key: string
  created_on: Date
  last_seen: Date | null
  date_of_birth: string | null
  gender: Gender | null
  labels: Generated<number>
  has_password: Generated<boolean>
}

export type PersonTermTable = { environment_id: string; person_key: string; term_id: string }
export type PersonEmailTable = {
  environment_id: string
  person_key: string
  email: string
  verified: boolean
  has_password: boolean
}
export type PersonAccountTable = {
  environment_id: string
  person_key: string
  provider: string
  account_id: string
}
export type PersonLinkTable = {
  environment_id: string
  person_key: string
  kind: 'Like' | 'Subscribe'
  publication_id: string
  created_on: Generated<Date>
}

export type PersonSessionTable = {
  environment_id: string
  id: string
  person_key: string
  hash: Buffer
  ip_address: string | null
  user_agent: string | null
  expires_on: Date
  created_on: Generated<Date>
  changed_on: Date | null
}

export type PersonRow = Selectable<PersonTable>

/** The row with what stands beside it: when the person was last seen, and the ids of the tags. */
export type Person = PersonRow & { last_seen: Date | null; tags: string[] }
export type PersonSessionRow = Selectable<PersonSessionTable>
