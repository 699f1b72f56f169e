import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import { invalid, NotFound } from '../../../errors.ts'
import { sha256 } from '../../../secrets.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { Asked } from './asked.ts'

export type Happened = { publication_id: string; label: string; age: number }

/** Whoever is not to be tracked has no past here. */
export type Visitor = { key: string; tracking: boolean; past: Happened[] }

/** For whom it is: the person of a personal token, of a session, or by id; nobody is somebody without a name. */
export const visitorOf = async (
  db: Db,
  { environment_id, person_key }: Actor,
  { personId, sessionHash }: Pick<Asked, 'personId' | 'sessionHash'>,
): Promise<Visitor | undefined> => {
  if (person_key !== null) {
    const own = await findPerson(db, environment_id, sql`person.key = ${person_key}`)
    // A personal token speaks for its own person; any other is not there for it.
    if (!own || (personId !== undefined && own.id !== personId)) throw new NotFound('Person', personId ?? '')
    return own
  }
  if (sessionHash !== undefined) {
    const person = await findPerson(db, environment_id, bySession(environment_id, sessionHash))
    if (!person) throw invalid('session_hash', 'is not an open session of a person')
    return person
  }
  if (personId === undefined) return undefined
  const found = await findPerson(db, environment_id, sql`person.id = ${personId}`)
  if (!found) throw new NotFound('Person', personId)
  return found
}

const bySession = (environmentId: string, secret: string) => sql`person.key = (
  select person_key from person_sessions
  where environment_id = ${environmentId} and hash = ${sha256(secret)} and expires_on > now())`

type Row = { key: string; id: string; tracking: boolean; past: [string, string, number][] | null }

/** As much of a person's past as is looked at; more could still be left out as seen. */
export const longestPast = 1000

/** A person with what it did, the newest first, by one statement; what was done a moment ago counts at once. */
const findPerson = async (
  db: Db,
  environmentId: string,
  which: ReturnType<typeof sql>,
): Promise<(Visitor & { id: string }) | undefined> => {
  const { rows } = await sql<Row>`
    select person.key, person.id, person.tracking, (
      select json_agg(json_build_array(publication_id, label, age)) from (
        select publication_id, label, extract(epoch from now() - created_on)::integer as age from interactions
        where environment_id = ${environmentId} and person_key = person.key and person.tracking
        order by created_on desc, id desc limit ${longestPast}) newest
    ) as past
    from persons person where person.environment_id = ${environmentId} and ${which}`.execute(db)
  const [row] = rows
  return row && { ...row, past: (row.past ?? []).map(happened) }
}

const happened = ([publication_id, label, age]: [string, string, number]): Happened => ({
  publication_id,
  label,
  age,
})
