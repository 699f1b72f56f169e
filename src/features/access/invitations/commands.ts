import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { checkVersion, type Expected } from '../../../database/records.ts'
import { conflict } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../authenticate.ts'
import { aboveEnvironments, requireOrganisation, requireRole } from '../authority.ts'
import { lockOrganisation } from '../rows.ts'
import type { InvitationRow } from '../table.ts'
import { presentInvitation } from './present.ts'
import { findInvitation } from './queries.ts'
import type { InvitationBody } from './schema.ts'

const days = 7

/** An open invitation of the same address is replaced, and its link is void. The letter goes out by a job. */
export const invite = async (tx: Tx, actor: Actor, body: InvitationBody): Promise<InvitationRow> => {
  const email = body.email.trim().toLowerCase()
  requireOrganisation(actor)
  await requireRole(tx, actor, body.role)
  await lockOrganisation(tx, actor.organisation_id)
  await refuseMember(tx, actor, email)
  const { rows: replaced } = await sql<InvitationRow>`delete from invitations
    where organisation_id = ${actor.organisation_id} and lower(email) = ${email} and accepted_on is null
    returning *`.execute(tx)
  for (const old of replaced)
    await emit(tx, aboveEnvironments(actor), 'invitation.deleted', old, presentInvitation(old))
  const row = await tx
    .insertInto('invitations')
    .values({
      id: randomUUIDv7(),
      organisation_id: actor.organisation_id,
      email,
      role: body.role,
      invited_by: actor.user_id,
      expires_on: new Date(Date.now() + days * 86_400_000),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(tx, aboveEnvironments(actor), 'invitation.created', row, presentInvitation(row))
  return row
}

const refuseMember = async (tx: Tx, actor: Actor, email: string): Promise<void> => {
  const member = await tx
    .selectFrom('organisation_users')
    .select('id')
    .where('organisation_id', '=', actor.organisation_id)
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email))
    .executeTakeFirst()
  if (member) throw conflict('email', 'belongs to a user of this organisation already')
}

export const withdrawInvitation = async (
  tx: Tx,
  actor: Actor,
  id: string,
  expected: Expected,
): Promise<void> => {
  requireOrganisation(actor)
  await lockOrganisation(tx, actor.organisation_id)
  const row = await findInvitation(tx, actor, id)
  checkVersion('Invitation', row, expected)
  await tx.deleteFrom('invitations').where('id', '=', id).execute()
  await emit(tx, aboveEnvironments(actor), 'invitation.deleted', row, presentInvitation(row))
}
