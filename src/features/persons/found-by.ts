import type { Tx } from '../../database/connect.ts'
import { executeWithCommit } from '../../database/driver.ts'
import { foldEmail } from './by-email.ts'
import { foldPhone, isTelling } from './by-phone.ts'
import type { Saving } from './save.ts'
import type { Person } from './table.ts'

/** Columns with their types. */
type Columns = Record<string, 'text' | 'boolean'>

/** What persons are found by, derived from them: a table, its columns beside the person, and their values. */
const links: [table: string, columns: Columns, valuesOf: (person: Person) => unknown[][]][] = [
  ['person_tags', { tag_id: 'text' }, ({ tags }) => tags.map((id) => [id])],
  ['person_terms', { term_id: 'text' }, ({ terms }) => terms.map(({ id }) => [id])],
  [
    'person_accounts',
    { provider: 'text', account_id: 'text' },
    ({ accounts }) => accounts.map(({ provider, id }) => [provider, id]),
  ],
  [
    'person_emails',
    { email: 'text', verified: 'boolean', has_password: 'boolean' },
    ({ emails, password_hash }) =>
      emails.map(({ email, verified }) => [foldEmail(email), verified, password_hash !== null]),
  ],
  [
    'person_phones',
    { phone: 'text' },
    ({ phones }) =>
      phones
        .map(({ phone }) => foldPhone(phone))
        .filter(isTelling)
        .map((phone) => [phone]),
  ],
]

/** Rows are replaced where they have changed; most writes change none. */
export const saveLinks = async (tx: Tx, environmentId: string, savings: Saving[]): Promise<void> => {
  for (const [table, columns, valuesOf] of links) {
    const textOf = (person: Person | null) => JSON.stringify(person ? valuesOf(person) : [])
    const changed = savings.filter(({ before, after }) => textOf(before) !== textOf(after))
    const known = changed.flatMap(({ before, after }) => (before ? [after.key] : []))
    if (known.length > 0)
      await executeWithCommit(
        tx,
        `delete from ${table} where environment_id = $1 and person_key = any($2::bigint[])`,
        [environmentId, known],
      )
    const rows = changed.flatMap(({ after }) => valuesOf(after).map((values) => [after.key, ...values]))
    if (rows.length > 0)
      await executeWithCommit(tx, insertInto(table, columns), [
        environmentId,
        ...['', ...Object.keys(columns)].map((_, place) => rows.map((row) => row[place])),
      ])
  }
}

const insertInto = (table: string, columns: Columns): string => {
  const lists = Object.values(columns).map((type, index) => `$${index + 3}::${type}[]`)
  return `insert into ${table} (environment_id, person_key, ${Object.keys(columns)})
    select $1::text, * from unnest($2::bigint[], ${lists}) on conflict do nothing`
}
