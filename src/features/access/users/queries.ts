import type { Db, Tx } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import type { Actor } from '../authenticate.ts'
import type { OrganisationUserRow, Role, UserRow } from '../table.ts'

export const findUser = async (db: Db | Tx, actor: Actor, id: string): Promise<OrganisationUserRow> => {
  const row = await db
    .selectFrom('organisation_users')
    .selectAll()
    .where('organisation_id', '=', actor.organisation_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new NotFound('User', id)
  return row
}

/** The user a token is bound to. */
export const findMe = (db: Db | Tx, actor: Actor): Promise<OrganisationUserRow> =>
  findUser(db, actor, actor.user_id ?? 'me')

/** The whole row, locked, of a user of the actor's organisation. */
export const lockUser = async (tx: Tx, actor: Actor, id: string): Promise<UserRow & { role: Role }> => {
  const row = await tx
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .selectAll('users')
    .select('memberships.role')
    .where('memberships.organisation_id', '=', actor.organisation_id)
    .where('users.id', '=', id)
    .forUpdate('users')
    .executeTakeFirst()
  if (!row) throw new NotFound('User', id)
  return row
}
