import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import { invalid, NotFound } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { personBySession } from '../../persons/sessions.ts'
import type { Asked } from './asked.ts'

export type Visitor = { key: string; tracking: boolean }

/** For whom it is: the person of a personal token, of a session, or by id; nobody is somebody without a name. */
export const visitorOf = async (
  db: Db,
  { environment_id, person_key }: Actor,
  { personId, sessionHash }: Pick<Asked, 'personId' | 'sessionHash'>,
): Promise<Visitor | undefined> => {
  if (person_key !== null) return ownPerson(db, environment_id, person_key, personId)
  if (sessionHash !== undefined) {
    const person = await personBySession(db, environment_id, sessionHash)
    if (!person) throw invalid('session_hash', 'is not an open session of a person')
    return person
  }
  if (personId === undefined) return undefined
  const found = await findPerson(db, environment_id, sql`id = ${personId}`)
  if (!found) throw new NotFound('Person', personId)
  return found
}

/** A personal token speaks for its own person; any other is not there for it. */
const ownPerson = async (db: Db, environmentId: string, key: string, personId: string | undefined) => {
  const own = await findPerson(db, environmentId, sql`key = ${key}`)
  if (!own || (personId !== undefined && own.id !== personId)) throw new NotFound('Person', personId ?? '')
  return own
}

const findPerson = async (db: Db, environmentId: string, which: ReturnType<typeof sql>) => {
  const { rows } = await sql<Visitor & { id: string }>`select key, id, tracking from persons
    where environment_id = ${environmentId} and ${which}`.execute(db)
  return rows[0]
}

export type Happened = { publication_id: string; label: string; age: number }

/** As much of a person's past as is looked at; more could still be left out as seen. */
export const longestPast = 1000

/** What a person did, the newest first; what was done a moment ago counts at once. */
export const pastOf = async (db: Db, environmentId: string, key: string): Promise<Happened[]> => {
  const { rows } = await sql<Happened>`
    select publication_id, label, extract(epoch from now() - created_on)::float8 as age from interactions
    where environment_id = ${environmentId} and person_key = ${key}
    order by created_on desc, id desc limit ${longestPast}`.execute(db)
  return rows
}

/** Every publication that a person ever had to do with. */
export const allSeen = async (db: Db, environmentId: string, key: string): Promise<string[]> => {
  const { rows } = await sql<{ publication_id: string }>`select distinct publication_id from interactions
    where environment_id = ${environmentId} and person_key = ${key}`.execute(db)
  return rows.map(({ publication_id }) => publication_id)
}
