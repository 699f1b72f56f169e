import type { Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'

export type Settings = Record<string, string>

export type ConfigurationTable = RecordColumns & { body: string; settings: Json<Settings | null> }

export type ConfigurationRow = Selectable<ConfigurationTable>
