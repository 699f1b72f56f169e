import { isoDateOrNull } from '../../../dates.ts'
import { presentBase } from '../../../http/schemas.ts'
import type { OrganisationUserRow, Role, UserRow } from '../table.ts'

export const presentUser = (row: Omit<OrganisationUserRow, 'organisation_id'>) => ({
  ...presentOwnUser(row),
  role: row.role,
})

/** A user apart from any organisation. */
export const presentOwnUser = (row: Omit<OrganisationUserRow, 'organisation_id' | 'role'>) => ({
  ...presentBase('User', row),
  name: row.name,
  email: row.email,
  two_factor: row.totp_confirmed,
  last_seen: isoDateOrNull(row.last_seen),
})

export const withRole = (row: UserRow, role: Role): UserRow & { role: Role } => ({ ...row, role })
