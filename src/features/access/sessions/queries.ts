import type { Db, Tx } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import { sha256 } from '../../../secrets.ts'
import type { PersonSessionRow } from '../../persons/table.ts'
import type { Actor } from '../authenticate.ts'
import type { UserSessionRow } from '../table.ts'

export type AnySession = UserSessionRow | PersonSessionRow

export const isOfPerson = (row: AnySession): row is PersonSessionRow => 'person_key' in row

/** A session of a user of the actor's organisation, or of a person of its environment. */
export const findSession = async (db: Db | Tx, actor: Actor, id: string): Promise<AnySession> => {
  const row = (await userSession(db, actor.organisation_id, id)) ?? (await personSession(db, actor, id))
  if (!row) throw new NotFound('Session', id)
  return row
}

const userSession = (db: Db | Tx, organisationId: string, id: string): Promise<UserSessionRow | undefined> =>
  db
    .selectFrom('user_sessions as row')
    .innerJoin('memberships', 'memberships.user_id', 'row.user_id')
    .selectAll('row')
    .where('row.id', '=', id)
    .where('memberships.organisation_id', '=', organisationId)
    .where('row.expires_on', '>', new Date())
    .executeTakeFirst()

const personSession = (db: Db | Tx, actor: Actor, id: string): Promise<PersonSessionRow | undefined> =>
  db
    .selectFrom('person_sessions')
    .selectAll()
    .where('environment_id', '=', actor.environment_id)
    .where('id', '=', id)
    .where('expires_on', '>', new Date())
    .executeTakeFirst()

/** The session of a user that a secret opens. Locked, it cannot end before what is made from it is there to end with it. */
export const sessionBySecret = (
  db: Db | Tx,
  secret: string,
  lock = false,
): Promise<UserSessionRow | undefined> => {
  const query = db
    .selectFrom('user_sessions')
    .selectAll()
    .where('hash', '=', sha256(secret))
    .where('expires_on', '>', new Date())
  return (lock ? query.forShare() : query).executeTakeFirst()
}

/** A session that its own secret is shown for. */
export const sessionOfSecret = async (db: Db, id: string, secret: string): Promise<AnySession> => {
  const row = (await sessionBySecret(db, secret)) ?? (await personSessionBySecret(db, secret))
  if (row?.id !== id) throw new NotFound('Session', id)
  return row
}

const personSessionBySecret = (db: Db, secret: string): Promise<PersonSessionRow | undefined> =>
  db
    .selectFrom('person_sessions')
    .selectAll()
    .where('hash', '=', sha256(secret))
    .where('expires_on', '>', new Date())
    .executeTakeFirst()

export const organisationsOf = async (db: Db | Tx, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('memberships')
    .select('organisation_id')
    .where('user_id', '=', userId)
    .orderBy('organisation_id')
    .execute()
  return rows.map((row) => row.organisation_id)
}
