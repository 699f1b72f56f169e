import { isoDate, isoDateOrNull } from '../../../dates.ts'
import { presentBase } from '../../../http/schemas.ts'
import type { InvitationRow } from '../table.ts'

export const presentInvitation = (row: InvitationRow) => ({
  ...presentBase('Invitation', row),
  email: row.email,
  role: row.role,
  invited_by: row.invited_by ? { id: row.invited_by } : null,
  expires_on: isoDate(row.expires_on),
  accepted_on: isoDateOrNull(row.accepted_on),
})
