import { isoDate } from '../../../dates.ts'
import type { Keys } from '../../../secrets.ts'
import { maskIban, openBankAccounts } from '../bank-accounts.ts'
import { embedded, personSnapshot } from '../present.ts'
import { openTokens } from '../provider-tokens.ts'
import type { Person } from '../table.ts'

/** What stands in the row; of secrets it is told that they are there. */
export const presentHeld = (keys: Keys, person: Person, now: Date) => ({
  exported_on: isoDate(now),
  person: {
    ...personSnapshot(person),
    created_by: person.created_by,
    updated_by: person.updated_by,
    logged_in_from: embedded('SignIn', person.logged_in_from),
    bank_accounts: embedded(
      'BankAccount',
      openBankAccounts(keys, person).map((account) => ({ ...account, iban: maskIban(account.iban) })),
    ),
  },
  secrets: {
    password: person.password_hash !== null,
    two_factor: person.totp_confirmed,
    provider_tokens: Object.keys(openTokens(keys, person)).sort(),
  },
})
