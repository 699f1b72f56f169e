import type { FieldError } from '../../errors.ts'
import type { Keys } from '../../secrets.ts'
import type { PersonInput } from './input.ts'
import { type Kind, replaceList } from './sub-records.ts'
import type { BankAccount, Person } from './table.ts'

type Sent = NonNullable<PersonInput['bank_accounts']>

export const openBankAccounts = (
  keys: Keys,
  { bank_accounts }: Pick<Person, 'bank_accounts'>,
): BankAccount[] => (bank_accounts === null ? [] : JSON.parse(keys.decrypt(bank_accounts)))

export const sealBankAccounts = (keys: Keys, accounts: BankAccount[]): string | null =>
  accounts.length === 0 ? null : keys.encrypt(JSON.stringify(accounts))

/** `NL91ABNA0417164300` → `NL************4300`. */
export const maskIban = (iban: string): string =>
  `${iban.slice(0, 2)}${'*'.repeat(iban.length - 6)}${iban.slice(-4)}`

const plainIban = (iban: string): string => iban.replaceAll(/\s/g, '').toUpperCase()

/** Who reads an account sees it masked, so the mask comes back for what was there; without an id it must be plain which. */
const known = (before: BankAccount[], { id, iban }: Sent[number]): string | undefined => {
  const sent = plainIban(iban)
  if (!sent.includes('*')) return sent
  const fitting = before.filter((one) => maskIban(one.iban) === sent)
  return (fitting.find((one) => one.id === id) ?? (fitting.length === 1 ? fitting[0] : undefined))?.iban
}

export const bankAccountFaults = (keys: Keys, before: Person, sent: Sent = []): FieldError[] => {
  if (!sent.some(({ iban }) => iban.includes('*'))) return []
  const accounts = openBankAccounts(keys, before)
  return sent.flatMap((account, index) =>
    known(accounts, account)
      ? []
      : [
          {
            path: `bank_accounts.${index}.iban`,
            message: 'is masked and tells of no account, or of several',
          },
        ],
  )
}

const kind: Kind<BankAccount> = { keyOf: ({ iban }) => iban }

/** The encrypted list; the same text where nothing has changed. */
export const applyBankAccounts = (
  keys: Keys,
  before: Person,
  sent: Sent | undefined,
  now: Date,
): string | null => {
  if (!sent) return before.bank_accounts
  const accounts = openBankAccounts(keys, before)
  const whole = sent.map((account) => ({
    id: account.id,
    iban: known(accounts, account)!,
    holder: account.holder?.trim() ? account.holder : null,
  }))
  const after = replaceList(accounts, whole, kind, now)
  const isSame = after.length === accounts.length && after.every((one, index) => one === accounts[index])
  return isSame ? before.bank_accounts : sealBankAccounts(keys, after)
}
