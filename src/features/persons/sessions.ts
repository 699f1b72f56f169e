import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import { outdateTokens } from '../../database/transaction.ts'
import { invalid } from '../../errors.ts'
import { sha256 } from '../../secrets.ts'
import type { Actor } from '../access/authenticate.ts'
import type { PersonRow, PersonSessionRow } from './table.ts'

/** The person of an open session, by the secret that `session_hash` carries. */
export const personBySession = (
  db: Db | Tx,
  environmentId: string,
  secret: string,
): Promise<PersonRow | undefined> =>
  db
    .selectFrom('person_sessions as session')
    .innerJoin('persons', (join) =>
      join
        .onRef('persons.environment_id', '=', 'session.environment_id')
        .onRef('persons.key', '=', 'session.person_key'),
    )
    .selectAll('persons')
    .where('session.hash', '=', sha256(secret))
    .where('session.environment_id', '=', environmentId)
    .where('session.expires_on', '>', new Date())
    .executeTakeFirst()

/**
 * Whose session or personal token it is. A personal token is its person's: a session beside it must be one of the same.
 */
export const keyBySession = async (
  db: Db | Tx,
  { environment_id, token, person_key }: Actor,
  secret: string | undefined,
): Promise<string | undefined> => {
  const isPersonal = token.kind === 'personal'
  if (secret === undefined && !isPersonal) throw invalid('session_hash', 'is required')
  const key = secret === undefined ? person_key : (await personBySession(db, environment_id, secret))?.key
  return isPersonal && key !== person_key ? undefined : (key ?? undefined)
}

/** How many of its sessions a person shows. */
const shownSessions = 100
type Counted = PersonSessionRow & { total: number }

/** Open sessions by the key of their person, the newest first, each with how many there are. */
export const sessionsOfPersons = async (
  db: Db | Tx,
  environmentId: string,
  keys: readonly string[],
): Promise<Map<string, Counted[]>> => {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<Counted>`select session.* from unnest(${[...keys]}::bigint[]) as person (key)
    cross join lateral (select *, count(*) over ()::integer as total from person_sessions
      where environment_id = ${environmentId} and person_key = person.key and expires_on > now()
      order by created_on desc, id desc limit ${shownSessions}) as session`.execute(db)
  return Map.groupBy(rows, ({ person_key }) => person_key)
}

/**
 * Ends every way in which a person is signed in, as after a new password, or when the person goes: sessions, personal
 * tokens and links that were mailed.
 */
export const signOutPerson = async (tx: Tx, environmentId: string, key: string): Promise<void> => {
  for (const table of ['person_sessions', 'tokens', 'sign_in_requests'])
    await sql`delete from ${sql.table(table)}
      where environment_id = ${environmentId} and person_key = ${key}`.execute(tx)
  outdateTokens(tx)
}
