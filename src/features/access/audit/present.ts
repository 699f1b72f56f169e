import { presentBase } from '../../../http/schemas.ts'

export type AuditRow = {
  sequence: string
  id: string
  created_on: Date
  event: string
  label: string
  record_id: string
  user_id: string | null
  token_id: string | null
}

const reference = (id: string | null) => (id === null ? null : { id })

export const presentAuditEntry = (row: AuditRow) => ({
  ...presentBase('AuditEntry', { ...row, changed_on: null }),
  event: row.event,
  record: { id: row.record_id, label: row.label },
  performed_by: { user: reference(row.user_id), token: reference(row.token_id) },
})
