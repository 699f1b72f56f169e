import { randomUUIDv7 } from 'node:crypto'
import type { Writer } from '../../database/records.ts'
import type { Moment } from '../../database/values.ts'
import { foldEmail } from './by-email.ts'
import { type PersonInput, textNames } from './input.ts'
import { type Kind, replaceList } from './sub-records.ts'
import type { Account, Address, Email, Person, Phone, Term } from './table.ts'

/** A person of whom nothing is known. */
export const blankPerson = ({ environment_id, user_id }: Writer, id: string = randomUUIDv7()): Person => ({
  environment_id,
  // The database gives it when the person is saved.
  key: '0',
  id,
  ...(Object.fromEntries(textNames.map((name) => [name, null])) as Record<(typeof textNames)[number], null>),
  gender: null,
  date_of_birth: null,
  exclude_until: null,
  tracking: true,
  custom: [],
  picture_id: null,
  emails: [],
  phones: [],
  addresses: [],
  terms: [],
  accounts: [],
  logged_in_from: [],
  bank_accounts: null,
  provider_tokens: null,
  password_hash: null,
  totp_secret: null,
  totp_confirmed: false,
  totp_last_step: null,
  created_by: user_id,
  updated_by: null,
  version: 1,
  created_on: new Date(),
  changed_on: null,
  last_seen: null,
  tags: [],
})

const emailKind: Kind<Email> = { keyOf: ({ email }) => foldEmail(email) }
const phoneKind: Kind<Phone> = { keyOf: ({ phone }) => phone }
const addressKind: Kind<Address> = {
  keyOf: ({ street, number, postal_code, city, country }) =>
    JSON.stringify([street, number, postal_code, city, country]),
}
const termKind: Kind<Term> = { keyOf: ({ id }) => id!, ownIds: true }
const accountKind: Kind<Account> = { keyOf: ({ provider, id }) => `${provider} ${id}`, ownIds: true }

/** What can be told without asking anybody: everything but tags, secrets and whether the picture is there. */
export const applyInput = (before: Person, input: PersonInput, now: Date): Person => {
  const { emails, phones, addresses, terms, accounts } = input
  return {
    ...before,
    ...textsOf(input),
    gender: given(input.gender, before.gender),
    date_of_birth: given(input.date_of_birth, before.date_of_birth),
    exclude_until: momentOf(input.exclude_until, before.exclude_until),
    created_on: momentOf(input.created_on, before.created_on)!,
    last_seen: later(before.last_seen, momentOf(input.last_seen, before.last_seen)),
    tracking: input.tracking ?? before.tracking,
    custom: input.custom ?? before.custom,
    picture_id: given(input.picture_id, before.picture_id),
    emails: emails
      ? replaceList(before.emails, verified(before.emails, emails), emailKind, now)
      : before.emails,
    phones: phones ? replaceList(before.phones, phones, phoneKind, now) : before.phones,
    addresses: addresses
      ? replaceList(before.addresses, addresses.flatMap(wholeAddress), addressKind, now)
      : before.addresses,
    terms: terms
      ? replaceList(
          before.terms,
          terms.map(({ id, source = null }) => ({ id, source })),
          termKind,
          now,
        )
      : before.terms,
    accounts: accounts ? replaceList(before.accounts, accounts, accountKind, now) : before.accounts,
  }
}

const given = <T>(sent: T | undefined, before: T): T => (sent === undefined ? before : sent)

/** A text that is blank says nothing. */
const textsOf = (input: PersonInput): Partial<Person> =>
  Object.fromEntries(
    textNames
      .filter((name) => input[name] !== undefined)
      .map((name) => [name, input[name]?.trim() ? input[name] : null]),
  )

/** Moments are shown by the second: one that was read and comes back is the one that was there. */
const momentOf = (sent: Moment | null | undefined, before: Date | null): Date | null => {
  if (sent === undefined) return before
  if (sent === null) return null
  return before && sent.from <= before && before < sent.until ? before : sent.from
}

/** A body that was read a while ago must not undo what was seen since. */
export const later = (one: Date | null, other: Date | null): Date | null =>
  one && (!other || one > other) ? one : other

/** That an address was verified is said of that address; another one under the same id has still to be. */
const verified = (before: Email[], sent: NonNullable<PersonInput['emails']>) =>
  sent.map(({ id, email, verified }) => {
    const same = before.find((one) => emailKind.keyOf(one) === foldEmail(email))
    if (same) return { id, email, verified: verified ?? same.verified }
    const replaced = before.find((one) => one.id === id)
    return { id, email, verified: verified !== replaced?.verified && verified === true }
  })

const addressNames = ['street', 'number', 'postal_code', 'city', 'country'] as const

const wholeAddress = (sent: NonNullable<PersonInput['addresses']>[number]) => {
  const said = addressNames.map((name) => [name, sent[name]?.trim() ? sent[name] : null] as const)
  if (said.every(([, value]) => value === null)) return []
  return [
    { id: sent.id, ...(Object.fromEntries(said) as Record<(typeof addressNames)[number], string | null>) },
  ]
}
