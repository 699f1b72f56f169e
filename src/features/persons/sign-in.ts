import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import { isoDate } from '../../dates.ts'
import type { Keys } from '../../secrets.ts'
import { stepOf } from '../access/totp.ts'
import type { PersonRow, SignedInFrom } from './table.ts'

/** How many places a person is known to have signed in from. */
export const keptPlaces = 20

export type Place = { ip_address: string; user_agent: string | null }

/** As it is now, and so until the commit. */
export const holdPerson = (tx: Tx, environmentId: string, key: string): Promise<PersonRow | undefined> =>
  tx
    .selectFrom('persons')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('key', '=', key)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Whether a code is right and new. The person is held, so of many that come with the same code one passes. */
export const spendPersonCode = async (
  tx: Tx,
  keys: Keys,
  { environment_id, key, totp_secret, totp_last_step }: PersonRow,
  code: string,
): Promise<boolean> => {
  const step = stepOf(keys, totp_secret, code)
  if (step === undefined || step <= Number(totp_last_step ?? 0)) return false
  await sql`update persons set totp_last_step = ${step}
    where environment_id = ${environment_id} and key = ${key}`.execute(tx)
  return true
}

/**
 * Notes that a person was here. It is no change of the person: nobody is told, and no version is raised; those who group
 * persons by when they were last seen hear of it.
 */
export const noteSignIn = async (tx: Tx, person: PersonRow, place: Place, now: Date): Promise<void> => {
  const { environment_id, key } = person
  const here: SignedInFrom = { id: randomUUIDv7(), created_on: isoDate(now), changed_on: null, ...place }
  const places = [...person.logged_in_from, here].slice(-keptPlaces)
  await sql`update persons set logged_in_from = ${json(places)}
    where environment_id = ${environment_id} and key = ${key}`.execute(tx)
  await sql`update person_facts set last_seen = greatest(last_seen, ${now})
    where environment_id = ${environment_id} and person_key = ${key}`.execute(tx)
  await sql`insert into audience_deltas (environment_id, persons)
    values (${environment_id}, array[${key}::bigint])`.execute(tx)
}
