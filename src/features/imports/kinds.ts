import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import type { Actor } from '../access/authenticate.ts'
import { artistImport, timelineImport, trackImport } from '../music/import/kinds.ts'
import { personImport } from '../persons/import/kind.ts'
import type { FileRow, ImportName, ImportRow, Outcome } from './table.ts'

/** What is done with the rows of a kind. */
type ImportKind = {
  /** Some rows in one transaction; what is wrong with one of them does not touch the others. */
  apply(context: Context, tx: Tx, actor: Actor, order: ImportRow, rows: FileRow[]): Promise<Outcome>
  /** What it fills, for the planner. */
  tables: readonly string[]
}

export const importKinds: Record<ImportName, ImportKind> = {
  persons: personImport,
  artists: artistImport,
  tracks: trackImport,
  timelines: timelineImport,
}
