import { presentBase } from '../../http/schemas.ts'
import { type ImportErrorRow, type ImportRow, importNames } from './table.ts'

export const presentImport = (row: ImportRow) => ({
  ...presentBase(importNames[row.kind].label, row),
  status: row.status,
  dry_run: row.dry_run,
  match: row.match_by,
  matched: row.matched,
  processed: row.processed,
  created: row.created,
  updated: row.updated,
  failed: row.failed,
  reason: row.reason,
})

export const presentImportError = ({ number, column, message }: ImportErrorRow) => ({
  row: number,
  column,
  message,
})
