import type { Context } from '../../../context.ts'
import { invitationToken } from './queries.ts'

/** Mails the link. The job knows only the id; the link is worked out here and stands nowhere else. */
export const sendInvitation = async (
  { db, keys, mail, config }: Context,
  { id }: { id: string },
): Promise<void> => {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('organisations', 'organisations.id', 'invitations.organisation_id')
    .selectAll('invitations')
    .select('organisations.name as organisation')
    .where('invitations.id', '=', id)
    .where('accepted_on', 'is', null)
    .where('expires_on', '>', new Date())
    .executeTakeFirst()
  if (!row) return
  const link = `${config.publicUrl}/studio/invitations/${row.id}?token=${invitationToken(keys, row)}`
  await mail.send({
    organisation_id: row.organisation_id,
    environment_id: null,
    to: row.email,
    subject: `Your invitation to ${row.organisation}`,
    text: `You are invited to work on ${row.organisation} as ${row.role}.\n\nAccept the invitation here:\n${link}\n\nOr send a POST with "token", "name" and "password" to ${config.publicUrl}/invitations/${row.id}/accept; the token stands in the link.\n\nThe link is valid until ${row.expires_on.toUTCString()}.\n`,
  })
}
