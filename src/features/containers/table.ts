import type { Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'

export type ContainerTable = RecordColumns & { body: string; slug: string; description: string | null }

export type ContainerRow = Selectable<ContainerTable>
