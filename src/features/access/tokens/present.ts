import { isoDateOrNull } from '../../../dates.ts'
import { presentBase } from '../../../http/schemas.ts'
import type { TokenRow } from '../table.ts'

/** Never the value or its hash. */
export const presentToken = (row: TokenRow) => ({
  ...presentBase('Token', row),
  name: row.name,
  kind: row.kind,
  hint: row.hint,
  scopes: row.scopes,
  visibility: row.visibility,
  user: row.user_id ? { id: row.user_id } : null,
  expires_on: isoDateOrNull(row.expires_on),
  revoked_on: isoDateOrNull(row.revoked_on),
  last_used_on: isoDateOrNull(row.last_used_on),
  renewed_from: row.renewed_from,
})
