import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import { checkVersion, type Expected } from '../../database/records.ts'
import { NotFound } from '../../errors.ts'
import type { Person, PersonRow } from './table.ts'

type Column = 'id' | 'reference_id' | 'key'

/** A row with what stands beside it, as `Person` has it. */
export const selectPerson = sql`select row.*, fact.last_seen, array(select tag_id from person_tags tag
    where tag.environment_id = row.environment_id and tag.person_key = row.key order by tag_id) as tags
  from persons row join person_facts fact
    on fact.environment_id = row.environment_id and fact.person_key = row.key`

/** Persons of an environment. Locked ones are locked in the order of their keys. */
export const findPersons = async (
  db: Db | Tx,
  environmentId: string,
  column: Column,
  values: readonly string[],
  lock = false,
): Promise<Person[]> => {
  const where = sql`where row.environment_id = ${environmentId} and row.${sql.ref(column)} = any(${values})`
  // Their keys stay, so whoever only refers to them need not wait.
  const ending = sql`order by row.key for no key update of row`
  if (!lock) return (await sql<Person>`${selectPerson} ${where}`.execute(db)).rows
  // Sent together: of those that are waited for, the first would see what stands beside the row as it was before.
  const [, { rows }] = await Promise.all([
    sql`select 1 from persons row ${where} ${ending}`.execute(db),
    sql<Person>`${selectPerson} ${where} ${ending}`.execute(db),
  ])
  return rows
}

export const findPerson = async (db: Db | Tx, environmentId: string, id: string): Promise<Person> =>
  only(await findPersons(db, environmentId, 'id', [id]), id)

export const lockPerson = async (
  tx: Tx,
  environmentId: string,
  id: string,
  expected?: Expected,
): Promise<Person> => {
  const person = only(await findPersons(tx, environmentId, 'id', [id], true), id)
  checkVersion('Person', person, expected)
  return person
}

const only = ([person]: Person[], id: string): Person => {
  if (!person) throw new NotFound('Person', id)
  return person
}

/** Rows of a list with what stands beside them. */
export const withLastSeen = async (
  db: Db,
  environmentId: string,
  rows: PersonRow[],
): Promise<Omit<Person, 'tags'>[]> => {
  if (rows.length === 0) return []
  const found = await db
    .selectFrom('person_facts')
    .select(['person_key', 'last_seen'])
    .where('environment_id', '=', environmentId)
    .where(
      'person_key',
      'in',
      rows.map(({ key }) => key),
    )
    .execute()
  const seen = new Map(found.map(({ person_key, last_seen }) => [person_key, last_seen]))
  return rows.map((row) => ({ ...row, last_seen: seen.get(row.key) ?? null }))
}
