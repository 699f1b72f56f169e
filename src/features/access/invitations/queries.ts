import type { Db, Tx } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import type { Keys } from '../../../secrets.ts'
import type { Actor } from '../authenticate.ts'
import type { InvitationRow } from '../table.ts'

export const findInvitation = async (db: Db | Tx, actor: Actor, id: string): Promise<InvitationRow> => {
  const row = await db
    .selectFrom('invitations')
    .selectAll()
    .where('organisation_id', '=', actor.organisation_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new NotFound('Invitation', id)
  return row
}

/** What the link in the letter carries. It can be worked out again, so nothing secret is stored. */
export const invitationToken = (
  keys: Keys,
  { id, expires_on }: Pick<InvitationRow, 'id' | 'expires_on'>,
): string => keys.sign('invitation', `${id} ${expires_on.toISOString()}`)
