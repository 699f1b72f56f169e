import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { executeWithCommit } from '../../database/driver.ts'
import type { Writer } from '../../database/records.ts'
import { touch } from '../../database/transaction.ts'
import { personText, renameSenders } from '../messages/sender-text.ts'
import { saveLinks } from './found-by.ts'
import { recordPerson } from './list/describe.ts'
import { indexManyWords } from './list/words.ts'
import type { Person, PersonRow } from './table.ts'

/** A person as it was, null where it is new, and as it is to be. The key of a new one is given by the database. */
export type Saving = { before: Person | null; after: Person; stamps?: Stamps }
/** In place of when, by whom and how often, where the row is not to tell. */
type Stamps = Pick<Person, 'version' | 'changed_on' | 'updated_by'>

/** Every column but `key`. */
const columns: readonly (keyof PersonRow)[] = [
  'environment_id',
  'id',
  'reference_id',
  'initials',
  'first_name',
  'preposition',
  'prefix_last_name',
  'last_name',
  'nickname',
  'gender',
  'date_of_birth',
  'company',
  'job_title',
  'description',
  'biography',
  'social_media_handle',
  'source',
  'exclude_until',
  'tracking',
  'custom',
  'picture_id',
  'emails',
  'phones',
  'addresses',
  'terms',
  'accounts',
  'logged_in_from',
  'bank_accounts',
  'provider_tokens',
  'password_hash',
  'totp_secret',
  'totp_confirmed',
  'totp_last_step',
  'created_by',
  'updated_by',
  'version',
  'created_on',
  'changed_on',
]

/**
 * The one way to write persons, one or many in the same number of statements: rows, what they are found by, and the
 * word to those who count and group them. Those that were there must be locked. Events are the caller's.
 */
export const savePersons = async (tx: Tx, writer: Writer, savings: Saving[]): Promise<Person[]> => {
  const made = await insertPersons(
    tx,
    savings.filter(({ before }) => !before).map(({ after }) => after),
  )
  const changed = savings.flatMap(({ before, after, stamps }) =>
    before ? [{ ...raised(writer, before, after), ...stamps }] : [],
  )
  await updatePersons(tx, changed)
  const byId = new Map([...made, ...changed].map((person) => [person.id, person]))
  const saved = savings.map(({ before, after }) => ({ before, after: byId.get(after.id)! }))
  await saveBeside(tx, writer.environment_id, saved)
  return saved.map(({ after }) => after)
}

export const savePerson = async (
  tx: Tx,
  writer: Writer,
  before: Person | null,
  after: Person,
  stamps?: Stamps,
): Promise<Person> => (await savePersons(tx, writer, [{ before, after, stamps }]))[0]!

const raised = ({ user_id }: Writer, before: Person, after: Person): Person => ({
  ...after,
  version: before.version + 1,
  changed_on: new Date(),
  updated_by: user_id,
})

/** Inserts rows alone and gives those that were not `taken` with their keys. */
export const insertPersons = async (
  tx: Tx,
  persons: Person[],
  taken: 'fails' | 'is left' = 'fails',
): Promise<Person[]> => {
  if (persons.length === 0) return []
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const keyless = persons.map((person) => ({ ...person, key: undefined }))
  const { rows } = await sql<{ key: string; id: string }>`insert into persons (${names})
    select ${names} from jsonb_populate_recordset(null::persons, ${JSON.stringify(keyless)}::text::jsonb)
    ${sql.raw(taken === 'fails' ? '' : 'on conflict do nothing')} returning key, id`.execute(tx)
  const keys = new Map(rows.map(({ id, key }) => [id, key]))
  return persons.flatMap((person) => (keys.has(person.id) ? [{ ...person, key: keys.get(person.id)! }] : []))
}

const updatePersons = async (tx: Tx, persons: Person[]): Promise<void> => {
  if (persons.length === 0) return
  await executeWithCommit(tx, update, [JSON.stringify(persons)])
}

const update = `update persons set ${columns.map((name) => `${name} = new.${name}`).join()}
  from jsonb_populate_recordset(null::persons, $1::text::jsonb) as new
  where persons.environment_id = new.environment_id and persons.key = new.key`

/** All that follows from the rows. */
const saveBeside = async (tx: Tx, environmentId: string, savings: Saving[]): Promise<void> => {
  if (savings.length === 0) return
  for (const { before, after } of savings) recordPerson(tx, environmentId, before, after)
  await saveLinks(tx, environmentId, savings)
  await indexManyWords(
    tx,
    environmentId,
    savings.filter(isRenamed).map(({ after }) => ({ key: after.key, row: after })),
  )
  await renameSenders(
    tx,
    environmentId,
    savings.filter(isCalledAnew).map(({ after }) => after),
  )
  await saveSeen(
    tx,
    environmentId,
    savings.filter(({ before, after }) => after.last_seen?.getTime() !== before?.last_seen?.getTime()),
  )
  await announce(
    tx,
    environmentId,
    savings.map(({ after }) => after),
  )
}

const searched = [
  'initials',
  'first_name',
  'preposition',
  'prefix_last_name',
  'last_name',
  'nickname',
  'emails',
] as const

const isRenamed = ({ before, after }: Saving): boolean =>
  searched.some((name) => (before ? before[name] !== after[name] : after[name]?.length))

/** Of a new one there are no messages yet. */
const isCalledAnew = ({ before, after }: Saving): boolean =>
  before !== null && personText(before) !== personText(after)

const saveSeen = async (tx: Tx, environmentId: string, savings: Saving[]): Promise<void> => {
  if (savings.length === 0) return
  await executeWithCommit(tx, see, [
    environmentId,
    savings.map(({ after }) => after.key),
    savings.map(({ after }) => after.last_seen),
  ])
}

/** An interaction that was folded meanwhile may have seen the person later. */
const see = `update person_facts set last_seen = greatest(last_seen, new.seen)
  from unnest($2::bigint[], $3::timestamptz[]) as new (key, seen)
  where environment_id = $1 and person_key = new.key`

/** Tells those who count and group persons that these have changed. */
export const announce = async (tx: Tx, environmentId: string, persons: Person[]): Promise<void> => {
  for (const { id } of persons) touch(tx, environmentId, 'audience', id)
  const keys = persons.map(({ key }) => key)
  await executeWithCommit(
    tx,
    'insert into audience_deltas (environment_id, persons) values ($1, $2::bigint[])',
    [environmentId, keys],
  )
}
