import type { Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../../database/columns.ts'
import type { FieldError } from '../../../errors.ts'

export const matches = ['id', 'reference_id', 'email'] as const
export type MatchBy = (typeof matches)[number]

export type PersonImportTable = RecordColumns & {
  status: 'receiving' | 'pending' | 'running' | 'done' | 'cancelled' | 'failed'
  dry_run: boolean
  match_by: MatchBy | null
  /** Fields, such as `addresses.0.street`, with the columns of the file that hold them. */
  columns: Json<Record<string, string>>
  position: number
  matched: number
  processed: number
  created: number
  updated: number
  failed: number
  reason: string | null
  performed_by: Json<unknown>
}

export type PersonImportErrorTable = {
  environment_id: string
  id: string
  import_id: string
  number: number
  column: string
  message: string
}

export type ImportRow = Selectable<PersonImportTable>
export type ImportErrorRow = Selectable<PersonImportErrorTable>

/** A row of the file: a body that its schema takes, or what is wrong with it. */
export type FileRow = { number: number; body?: Record<string, unknown>; faults?: FieldError[] }

/** What became of a row that was not taken. */
export type FailedRow = { number: number; faults: FieldError[] }
