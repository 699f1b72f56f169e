import type { Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'

/** A note of a back-office user, on a publication or a person. */
export type RemarkTable = RecordColumns & {
  publication_id: string | null
  person_key: string | null
  body: string
}

export type RemarkRow = Selectable<RemarkTable>

/** What a note is about. */
export type Subject = { publication_id: string } | { person_key: string }
