import { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import { isoDate } from '../../../http/schemas.ts'
import type { Actor } from '../../access/authenticate.ts'
import { maskIban, openBankAccounts } from '../bank-accounts.ts'
import { embedded, personSnapshot } from '../present.ts'
import { openTokens } from '../provider-tokens.ts'
import type { Person } from '../table.ts'
import { type Section, sectionsOf } from './sections.ts'

/** Everything that is held about a person as one JSON object, a page in memory at a time. */
export const exportPerson = (context: Context, actor: Actor, person: Person): Readable => {
  const write = async function* () {
    const head = { exported_on: isoDate(new Date()), ...heldInRow(context, person) }
    yield JSON.stringify(head).slice(0, -1)
    for (const [name, section] of Object.entries(sectionsOf(context, actor, person)))
      yield* writeSection(name, section)
    yield '}'
  }
  return Readable.from(write())
}

const writeSection = async function* (name: string, section: Section) {
  yield `,${JSON.stringify(name)}:[`
  let isFirst = true
  for await (const items of section) {
    if (items.length === 0) continue
    yield `${isFirst ? '' : ','}${items.map((item) => JSON.stringify(item)).join()}`
    isFirst = false
  }
  yield ']'
}

/** Of secrets it is told that they are there. */
const heldInRow = ({ keys }: Context, person: Person) => ({
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
