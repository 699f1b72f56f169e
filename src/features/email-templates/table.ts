import type { Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'

export type EmailTemplateTable = RecordColumns & {
  name: string
  subject: string
  html: string
  text: string | null
}

export type EmailTemplateRow = Selectable<EmailTemplateTable>
