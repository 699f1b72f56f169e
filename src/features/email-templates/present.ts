import { presentBase } from '../../http/schemas.ts'
import type { EmailTemplateRow } from './table.ts'

export const presentEmailTemplate = (row: EmailTemplateRow) => ({
  ...presentBase('EmailTemplate', row),
  name: row.name,
  subject: row.subject,
  html: row.html,
  text: row.text,
})
