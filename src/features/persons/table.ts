import type { Generated, Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'

/** Other tables join by `key`, so that anonymizing a person changes one row. */
export type PersonTable = RecordColumns & {
  key: Generated<string>
  reference_id: string | null
  first_name: string | null
  last_name: string | null
  last_seen: Date | null
}

export type PersonTagTable = { environment_id: string; person_key: string; tag_id: string }

export type PersonRow = Selectable<PersonTable>
