import type { Db, Tx } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import { sha256 } from '../../../secrets.ts'
import type { UserSessionRow } from '../table.ts'

/** A session whose user belongs to the organisation. */
export const findSession = async (
  db: Db | Tx,
  organisationId: string,
  id: string,
): Promise<UserSessionRow> => {
  const row = await db
    .selectFrom('user_sessions as row')
    .innerJoin('memberships', 'memberships.user_id', 'row.user_id')
    .selectAll('row')
    .where('row.id', '=', id)
    .where('memberships.organisation_id', '=', organisationId)
    .where('row.expires_on', '>', new Date())
    .executeTakeFirst()
  if (!row) throw new NotFound('Session', id)
  return row
}

/** The session that a secret opens. Locked, it cannot end before what is made from it is there to end with it. */
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

export const organisationsOf = async (db: Db | Tx, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('memberships')
    .select('organisation_id')
    .where('user_id', '=', userId)
    .orderBy('organisation_id')
    .execute()
  return rows.map((row) => row.organisation_id)
}
