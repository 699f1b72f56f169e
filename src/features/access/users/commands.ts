import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { checkVersion, type Expected } from '../../../database/records.ts'
import { conflict } from '../../../errors.ts'
import { emit, type Performer } from '../../../events.ts'
import { hashPassword } from '../../../secrets.ts'
import { unbindApplications } from '../applications/commands.ts'
import type { Actor } from '../authenticate.ts'
import { aboveEnvironments, requireOrganisation, requireRole } from '../authority.ts'
import { lockOrganisation, updateRow } from '../rows.ts'
import { endOtherSessions } from '../sessions/commands.ts'
import type { Role, UserRow } from '../table.ts'
import { revokeTokens } from '../tokens/commands.ts'
import { presentUser, withRole } from './present.ts'
import { lockUser } from './queries.ts'
import type { UserBody, UserChanges } from './schema.ts'

type NewUser = { email: string; name: string; password: string | null; role: Role }

export const createUser = async (
  tx: Tx,
  by: Performer,
  { email, name, password, role }: NewUser,
): Promise<UserRow> => {
  const row = await tx
    .insertInto('users')
    .values({
      id: randomUUIDv7(),
      email: email.trim().toLowerCase(),
      name,
      password_hash: password === null ? null : await hashPassword(password),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addMember(tx, by.organisation_id, row.id, role)
  await emit(tx, aboveEnvironments(by), 'user.created', row, presentUser(withRole(row, role)))
  return row
}

export const addMember = async (
  tx: Tx,
  organisation_id: string,
  user_id: string,
  role: Role,
): Promise<void> => {
  await tx.insertInto('memberships').values({ organisation_id, user_id, role }).execute()
}

export const addUser = async (tx: Tx, actor: Actor, body: UserBody): Promise<UserRow & { role: Role }> => {
  requireOrganisation(actor)
  await requireRole(tx, actor, body.role)
  const row = await createUser(tx, actor, { ...body, password: body.password ?? null })
  return withRole(row, body.role)
}

export const changeUser = async (
  tx: Tx,
  actor: Actor,
  id: string,
  { role, password, ...body }: UserChanges,
  expected: Expected,
): Promise<UserRow & { role: Role }> => {
  requireOrganisation(actor)
  const password_hash = password === undefined ? undefined : await hashPassword(password)
  await lockOrganisation(tx, actor.organisation_id)
  const before = await lockUser(tx, actor, id)
  checkVersion('User', before, expected)
  await requireRole(tx, actor, before.role, role ?? before.role)
  const email = body.email?.trim().toLowerCase()
  if (password !== undefined || (email !== undefined && email !== before.email))
    await requireOnlyMembership(tx, id, password !== undefined ? 'password' : 'email')
  const changed = await updateRow(tx, 'users', before, { ...body, email, password_hash })
  const after = role && role !== before.role ? await changeRole(tx, actor, before, changed, role) : changed
  if (password !== undefined) await endOtherSessions(tx, id, keptSession(actor, id), actor)
  const row = withRole(after, role ?? before.role)
  if (after !== before) await emit(tx, aboveEnvironments(actor), 'user.changed', row, presentUser(row))
  return row
}

/** The session that a user changes the own password from goes on. */
export const keptSession = ({ user_id, token }: Actor, id: string): string | null =>
  user_id === id ? token.session_id : null

/**
 * Sessions keep their user, but the studio tokens they were exchanged for carry the old role's scopes. The role
 * stands in the membership, but it is part of what a reader of the user sees, so it raises the user's version.
 */
const changeRole = async (
  tx: Tx,
  actor: Actor,
  user: UserRow & { role: Role },
  changed: UserRow,
  role: Role,
): Promise<UserRow> => {
  if (user.role === 'owner') await requireAnotherOwner(tx, actor.organisation_id, user.id)
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('organisation_id', '=', actor.organisation_id)
    .where('user_id', '=', user.id)
    .execute()
  await revokeTokens(tx, actor, sql`(user_id = ${user.id} and kind = 'studio')`)
  return changed === user ? raiseVersion(tx, user.id) : changed
}

const raiseVersion = (tx: Tx, id: string): Promise<UserRow> =>
  tx
    .updateTable('users')
    .set((eb) => ({ version: eb('version', '+', 1), changed_on: sql<Date>`now()` }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Ends the membership and every token in the user's name; the last membership takes the user along. */
export const removeUser = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  requireOrganisation(actor)
  await lockOrganisation(tx, actor.organisation_id)
  const row = await lockUser(tx, actor, id)
  checkVersion('User', row, expected)
  await requireRole(tx, actor, row.role)
  if (row.role === 'owner') await requireAnotherOwner(tx, actor.organisation_id, id)
  await revokeTokens(tx, actor, sql`user_id = ${id}`)
  await unbindApplications(tx, actor, id)
  await tx
    .deleteFrom('memberships')
    .where('organisation_id', '=', actor.organisation_id)
    .where('user_id', '=', id)
    .execute()
  await sql`delete from users where id = ${id}
    and not exists (select 1 from memberships where user_id = ${id})`.execute(tx)
  await emit(tx, aboveEnvironments(actor), 'user.deleted', row, presentUser(row))
}

const requireAnotherOwner = async (tx: Tx, organisationId: string, userId: string): Promise<void> => {
  const other = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('organisation_id', '=', organisationId)
    .where('role', '=', 'owner')
    .where('user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  if (!other) throw conflict('role', 'an organisation needs at least one owner', 'LastOwner')
}

/** One organisation must not reach into another through a user that both have. */
const requireOnlyMembership = async (tx: Tx, userId: string, path: string): Promise<void> => {
  const memberships = await tx
    .selectFrom('memberships')
    .select('role')
    .where('user_id', '=', userId)
    .limit(2)
    .execute()
  if (memberships.length > 1) throw conflict(path, 'only the user can change it', 'NotYours')
}
