import type { Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'

export type TagTable = RecordColumns & { body: string; slug: string }

export type TagRow = Selectable<TagTable>
