import { sql } from 'kysely'
import type { EnvironmentRow } from '../../../src/features/access/table.ts'
import { interactionLabels } from '../../../src/features/interactions/labels.ts'
import type { TestApp } from '../app.ts'

/** A person as a test knows it, by what lists can ask for. Moments are epoch milliseconds. */
export type Known = {
  id: string
  reference_id: string | null
  created_on: number
  changed_on: number | null
  last_seen: number | null
  exclude_until: number | null
  gender: string | null
  date_of_birth: string | null
  password: boolean
  tags: string[]
  terms: string[]
  accounts: [provider: string, id: string][]
  interactions: [publication: string, label: string][]
  liked: string[]
}

const nobody: Omit<Known, 'id'> = {
  reference_id: null,
  created_on: Date.UTC(2026, 0, 1),
  changed_on: null,
  last_seen: null,
  exclude_until: null,
  gender: null,
  date_of_birth: null,
  password: false,
  tags: [],
  terms: [],
  accounts: [],
  interactions: [],
  liked: [],
}

const time = (milliseconds: number | null) => (milliseconds === null ? null : new Date(milliseconds))

/** Puts persons straight into the tables, with everything that stands beside them. */
export const addKnown = async (
  { context: { db } }: TestApp,
  environment: EnvironmentRow,
  given: Partial<Known> & { id: string },
): Promise<Known> => {
  const known = { ...nobody, ...given }
  const { rows } = await sql<{ key: string }>`insert into persons
      (environment_id, id, reference_id, created_on, changed_on, exclude_until, gender, date_of_birth, password_hash)
    values (${environment.id}, ${known.id}, ${known.reference_id}, ${time(known.created_on)}, ${time(known.changed_on)},
      ${time(known.exclude_until)}, ${known.gender}, ${known.date_of_birth}, ${known.password ? 'hash' : null})
    returning key`.execute(db)
  const { key } = rows[0]!
  const beside = (table: string, columns: string, values: unknown[][]) =>
    Promise.all(
      values.map((row) =>
        sql`insert into ${sql.table(table)} (environment_id, person_key, ${sql.raw(columns)})
          values (${environment.id}, ${key}, ${sql.join(row)})`.execute(db),
      ),
    )
  const bits = known.interactions.reduce(
    (all, [, label]) => all | (1 << interactionLabels.indexOf(label as never)),
    0,
  )
  await sql`update person_facts set last_seen = ${time(known.last_seen)}, labels = ${bits}
    where environment_id = ${environment.id} and person_key = ${key}`.execute(db)
  await beside(
    'person_tags',
    'tag_id',
    known.tags.map((id) => [id]),
  )
  await beside(
    'person_terms',
    'term_id',
    known.terms.map((id) => [id]),
  )
  await beside('person_accounts', 'provider, account_id', known.accounts)
  await beside(
    'person_links',
    'kind, publication_id',
    known.liked.map((id) => ['Like', id]),
  )
  await beside(
    'interactions',
    'created_on, id, publication_id, label',
    known.interactions.map(([publication, label], n) => [
      new Date(1_700_000_000_000 + n),
      `${known.id}-${n}`,
      publication,
      label,
    ]),
  )
  return known
}
