import type { Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'

export type ViewTable = RecordColumns & {
  /** Whose it is; null where all of the environment share it. */
  user_id: string | null
  area: string
  name: string
  query: string
  position: number
}

export type ViewRow = Selectable<ViewTable>
