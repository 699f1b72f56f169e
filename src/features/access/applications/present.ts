import { presentBase } from '../../../http/schemas.ts'
import type { ApplicationRow } from '../table.ts'

/** Never the secret or its hash. */
export const presentApplication = (row: ApplicationRow) => ({
  ...presentBase('Application', row),
  name: row.name,
  client_id: row.id,
  scopes: row.scopes,
  visibility: row.visibility,
  user: row.user_id ? { id: row.user_id } : null,
})
