import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { transaction } from '../../../database/transaction.ts'
import { conflict, invalid, NotFound, Unauthorized } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import { sameText, verifyPassword } from '../../../secrets.ts'
import { limit, policies } from '../rate-limit.ts'
import { lockOrganisation } from '../rows.ts'
import type { InvitationRow, Role, UserRow } from '../table.ts'
import { addMember, createUser } from '../users/commands.ts'
import { presentUser, withRole } from '../users/present.ts'
import { presentInvitation } from './present.ts'
import { invitationToken } from './queries.ts'
import type { Acceptance } from './schema.ts'

type Member = UserRow & { role: Role }

/** Who knows the link owns the mailbox; who has an account already must be its owner, too. */
export const accept = async (
  context: Context,
  reply: FastifyReply,
  id: string,
  body: Acceptance,
): Promise<Member> => {
  const { db, keys } = context
  const row = await db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst()
  const expected = row ? invitationToken(keys, row) : keys.sign('invitation', id)
  if (!sameText(body.token, expected) || !row) throw new NotFound('Invitation', id)
  requireOpen(row)
  const known = await db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', row.email))
    .executeTakeFirst()
  if (known) {
    await limit(context, reply, policies.signInAccount, row.email)
    if (!(await verifyPassword(body.password, known.password_hash))) throw new Unauthorized('credentials')
  } else if (body.name === undefined) throw invalid('name', 'is required')
  return transaction(context, (tx) => join(tx, row, known, body))
}

/** Of many that accept at once the first takes the invitation; the others find it taken. */
const join = async (
  tx: Tx,
  { id, organisation_id }: InvitationRow,
  known: UserRow | undefined,
  { name, password }: Acceptance,
): Promise<Member> => {
  await lockOrganisation(tx, organisation_id)
  const row = await tx
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new NotFound('Invitation', id)
  requireOpen(row)
  const by = { organisation_id, environment_id: null, token_id: null, user_id: null }
  const user =
    known ?? (await createUser(tx, by, { email: row.email, name: name!, password, role: row.role }))
  const member = withRole(user, row.role)
  if (known) {
    await addMember(tx, organisation_id, user.id, row.role)
    await emit(tx, { ...by, user_id: user.id }, 'user.created', user, presentUser(member))
  }
  const accepted = await tx
    .updateTable('invitations')
    .set({ accepted_on: new Date(), changed_on: new Date(), version: row.version + 1 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(tx, { ...by, user_id: user.id }, 'invitation.accepted', accepted, presentInvitation(accepted))
  return member
}

const requireOpen = ({ accepted_on, expires_on }: InvitationRow): void => {
  if (accepted_on) throw conflict('token', 'was used already', 'InvitationAccepted')
  if (expires_on <= new Date()) throw conflict('token', 'has expired', 'InvitationExpired')
}
