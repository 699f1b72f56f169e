import type { Tx } from '../../../database/connect.ts'
import { checkVersion, type Expected } from '../../../database/records.ts'
import { invalid } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import { hashPassword, verifyPassword } from '../../../secrets.ts'
import type { Actor } from '../authenticate.ts'
import { aboveEnvironments } from '../authority.ts'
import { updateRow } from '../rows.ts'
import { endOtherSessions } from '../sessions/commands.ts'
import type { Role, UserRow } from '../table.ts'
import { keptSession } from './commands.ts'
import { presentUser, withRole } from './present.ts'
import { lockUser } from './queries.ts'
import type { OwnChanges } from './schema.ts'

/** A bound token may be in other hands than its user's, so without a session the password must prove the user. */
export const needsProof = ({ token }: Actor): boolean => token.kind !== 'studio'

export const requirePassword = async (user: UserRow, sent: string | undefined): Promise<void> => {
  if (sent === undefined) throw invalid('current_password', 'is required')
  if (!(await verifyPassword(sent, user.password_hash))) throw invalid('current_password', 'is not right')
}

export const changeOwnAccount = async (
  tx: Tx,
  actor: Actor,
  { current_password, password, ...body }: OwnChanges,
  expected: Expected,
): Promise<UserRow & { role: Role }> => {
  const before = await lockUser(tx, actor, actor.user_id ?? 'me')
  checkVersion('User', before, expected)
  const email = body.email?.trim().toLowerCase()
  const serious = password !== undefined || (email !== undefined && email !== before.email)
  if (serious || needsProof(actor)) await requirePassword(before, current_password)
  const password_hash = password === undefined ? undefined : await hashPassword(password)
  const after = await updateRow(tx, 'users', before, { ...body, email, password_hash })
  const row = withRole(after, before.role)
  if (password !== undefined) await endOtherSessions(tx, row.id, keptSession(actor, row.id), actor)
  if (after !== before) await emit(tx, aboveEnvironments(actor), 'user.changed', row, presentUser(row))
  return row
}
