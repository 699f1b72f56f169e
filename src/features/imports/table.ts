import type { Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'
import type { FieldError } from '../../errors.ts'

/** What an import can be about, and what it is then called. */
export const importNames = {
  persons: { label: 'PersonImport', event: 'person_import' },
  artists: { label: 'ArtistImport', event: 'artist_import' },
  tracks: { label: 'TrackImport', event: 'track_import' },
  timelines: { label: 'TimelineImport', event: 'timeline_import' },
} as const
export type ImportName = keyof typeof importNames

export type ImportTable = RecordColumns & {
  kind: ImportName
  status: 'receiving' | 'pending' | 'running' | 'done' | 'cancelled' | 'failed'
  dry_run: boolean
  /** One of what the kind says that its records are found by. */
  match_by: string | null
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

export type ImportErrorTable = {
  environment_id: string
  id: string
  import_id: string
  number: number
  column: string
  message: string
}

export type ImportRow = Selectable<ImportTable>
export type ImportErrorRow = Selectable<ImportErrorTable>

/** A row of the file: a body that its schema takes, or what is wrong with it. */
export type FileRow = { number: number; body?: Record<string, unknown>; faults?: FieldError[] }

/** What became of a row that was not taken. */
export type FailedRow = { number: number; faults: FieldError[] }

export type Outcome = { created: number; updated: number; failed: FailedRow[] }
