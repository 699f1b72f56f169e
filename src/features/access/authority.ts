import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import { type FieldError, Forbidden } from '../../errors.ts'
import type { Performer } from '../../events.ts'
import type { Actor } from './authenticate.ts'
import { defaultVisibility, holds, scopesOf } from './scopes.ts'
import type { Role, Visibility } from './table.ts'

/** For the whole organisation speak its own tokens and the sessions of owners and admins: only they hold `tokens`. */
export const managesOrganisation = ({ token }: Actor): boolean =>
  token.kind === 'organisation' || (token.kind === 'studio' && token.scopes.has('tokens'))

export const requireOrganisation = (actor: Actor): void => {
  if (!managesOrganisation(actor))
    throw new Forbidden('needs an organisation token or the session of an owner or admin', {
      type: 'OrganisationTokenRequired',
    })
}

/** Users, invitations and the like stand above the environments, and so do their events. */
export const aboveEnvironments = <P extends Performer>(by: P): P & { environment_id: null } => ({
  ...by,
  environment_id: null,
})

const roleOf = async (
  db: Db | Tx,
  organisationId: string,
  userId: string | null,
): Promise<Role | undefined> => {
  if (userId === null) return undefined
  const found = await db
    .selectFrom('memberships')
    .select('role')
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found?.role
}

/** Keeps a user from being removed or given another role until the commit. */
export const holdUser = async (tx: Tx, userId: string | null): Promise<void> => {
  if (userId !== null) await sql`select id from users where id = ${userId} for key share`.execute(tx)
}

/**
 * A role that stays until the commit, for what is made in the user's name. Removal locks the user before all
 * that goes with it, so it is the user that is held here, too: two orders of locks could wait for each other.
 */
export const holdRole = async (
  tx: Tx,
  organisationId: string,
  userId: string | null,
): Promise<Role | undefined> => {
  await holdUser(tx, userId)
  return roleOf(tx, organisationId, userId)
}

/**
 * Whether the actor may give or take a role. A session acts with the role of its user. Any other token, even
 * one bound to an owner, may have been made by somebody else, so it reaches only roles whose scopes it holds.
 */
const covers = async (db: Db | Tx, actor: Actor, role: Role): Promise<boolean> => {
  if (actor.token.kind !== 'studio')
    return role !== 'owner' && scopesOf(role).every((scope) => holds(actor.token.scopes, scope))
  const own = await roleOf(db, actor.organisation_id, actor.user_id)
  return own === 'owner' || (own === 'admin' && role !== 'owner')
}

export const requireRole = async (db: Db | Tx, actor: Actor, ...roles: Role[]): Promise<void> => {
  for (const role of roles)
    if (!(await covers(db, actor, role)))
      throw new Forbidden(`may not act on the role ${role}`, { type: 'RoleNotAllowed' })
}

type Grant = { scopes: readonly string[]; visibility: Visibility; user_id: string | null }

/** Nobody can give more than they hold. */
export const grantProblems = async (tx: Tx, actor: Actor, grant: Grant): Promise<FieldError[]> => {
  const problems = grant.scopes.flatMap((scope, index) =>
    holds(actor.token.scopes, scope)
      ? []
      : [{ path: `scopes.${index}`, message: `${scope} is not held by the token that asks` }],
  )
  if (grant.visibility === 'all' && actor.token.visibility === 'published')
    problems.push({ path: 'visibility', message: 'the token that asks sees only what is published' })
  if (grant.user_id === null && grant.scopes.includes('content_items_publish'))
    problems.push({ path: 'user', message: 'is required with content_items_publish' })
  if (grant.user_id !== null && !(await holdRole(tx, actor.organisation_id, grant.user_id)))
    problems.push({ path: 'user.id', message: 'is not a user of this organisation' })
  return problems
}

/** What was asked for; otherwise the usual for these scopes, but never more than the actor sees. */
export const visibilityFor = (
  actor: Actor,
  scopes: readonly string[],
  asked: Visibility | undefined,
): Visibility => asked ?? (actor.token.visibility === 'published' ? 'published' : defaultVisibility(scopes))
