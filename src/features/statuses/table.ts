import type { Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'

/** The built-in statuses carry the publication workflow: they are neither renamed nor deleted. */
export type StatusTable = RecordColumns & { body: string; built_in: boolean }

export type StatusRow = Selectable<StatusTable>
