import { isoDateOrNull, presentBase } from '../../../http/schemas.ts'
import type { Role, UserRow } from '../table.ts'

export const presentUser = (row: UserRow & { role: Role }) => ({
  ...presentBase('User', row),
  name: row.name,
  email: row.email,
  role: row.role,
  two_factor: row.totp_confirmed,
  last_seen: isoDateOrNull(row.last_seen),
})
