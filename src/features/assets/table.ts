import type { Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'

type AssetLabel = 'Photo' | 'Video' | 'Audio' | 'Cover' | 'PDF'

export type AssetTable = RecordColumns & {
  label: AssetLabel
  name: string | null
  body: string | null
  author: string | null
  reference_id: string | null
}

export type AssetRow = Selectable<AssetTable>
