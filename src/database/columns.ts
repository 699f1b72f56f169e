import type { ColumnType, Generated } from 'kysely'

/** What every record of an environment has. */
export type RecordColumns = {
  environment_id: string
  id: string
  created_by: string | null
  updated_by: string | null
  version: Generated<number>
  created_on: Generated<Date>
  changed_on: Date | null
}

/** What records above the environments have. */
export type GlobalColumns = Pick<RecordColumns, 'id' | 'version' | 'created_on' | 'changed_on'>

/** Written through `json()`, read as plain values. */
export type Json<T> = ColumnType<T, never, never>
