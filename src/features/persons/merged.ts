import type { Keys } from '../../secrets.ts'
import { later } from './apply.ts'
import { openBankAccounts, sealBankAccounts } from './bank-accounts.ts'
import { textNames } from './input.ts'
import { openTokens, sealTokens } from './provider-tokens.ts'
import { mostCustom } from './schema.ts'
import { mostListed } from './schema-lists.ts'
import { keptPlaces } from './sign-in.ts'
import type { Email, Person } from './table.ts'

/** One person out of two. What the kept one says stands; what it does not say is taken from the other. */
export const mergedPerson = (keys: Keys, kept: Person, other: Person): Person => ({
  ...kept,
  ...Object.fromEntries(textNames.map((name) => [name, kept[name] ?? other[name]])),
  gender: kept.gender ?? other.gender,
  date_of_birth: kept.date_of_birth ?? other.date_of_birth,
  picture_id: kept.picture_id ?? other.picture_id,
  // Whoever asked to be left alone is, whichever of the two was asked.
  exclude_until: later(kept.exclude_until, other.exclude_until),
  tracking: kept.tracking && other.tracking,
  created_on: kept.created_on < other.created_on ? kept.created_on : other.created_on,
  last_seen: later(kept.last_seen, other.last_seen),
  custom: [...new Set([...kept.custom, ...other.custom])].slice(0, mostCustom),
  tags: union(kept.tags, other.tags, (id) => id).sort(),
  emails: mergedEmails(kept.emails, other.emails),
  phones: union(kept.phones, other.phones, ({ phone }) => phone),
  addresses: union(kept.addresses, other.addresses, ({ street, number, postal_code, city, country }) =>
    JSON.stringify([street, number, postal_code, city, country]),
  ),
  terms: union(kept.terms, other.terms, ({ id }) => id),
  accounts: union(kept.accounts, other.accounts, ({ provider, id }) => `${provider} ${id}`),
  logged_in_from: [...kept.logged_in_from, ...other.logged_in_from]
    .sort((one, another) => (one.created_on < another.created_on ? -1 : 1))
    .slice(-keptPlaces),
  bank_accounts:
    other.bank_accounts === null
      ? kept.bank_accounts
      : sealBankAccounts(
          keys,
          union(openBankAccounts(keys, kept), openBankAccounts(keys, other), ({ iban }) => iban),
        ),
  provider_tokens:
    other.provider_tokens === null
      ? kept.provider_tokens
      : sealTokens(keys, { ...openTokens(keys, other), ...openTokens(keys, kept) }),
  ...(kept.password_hash === null && wayIn(other)),
})

/** A password and what is asked beside it belong together. */
const wayIn = ({ password_hash, totp_secret, totp_confirmed, totp_last_step }: Person) => ({
  password_hash,
  totp_secret,
  totp_confirmed,
  totp_last_step,
})

/** No more than a write would take, the kept one's before the other's. */
const union = <T>(kept: T[], other: T[], keyOf: (item: T) => string): T[] => {
  const known = new Set(kept.map(keyOf))
  return [...kept, ...other.filter((item) => !known.has(keyOf(item)))].slice(0, mostListed)
}

const mergedEmails = (kept: Email[], other: Email[]): Email[] => {
  const keyOf = ({ email }: Email) => email.toLowerCase()
  const proven = new Set(other.filter(({ verified }) => verified).map(keyOf))
  const own = kept.map((item) => (proven.has(keyOf(item)) ? { ...item, verified: true } : item))
  return union(own, other, keyOf)
}
