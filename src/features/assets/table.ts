import type { Generated, Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'

export const assetLabels = ['Photo', 'Video', 'Audio', 'Cover', 'PDF'] as const
export type AssetLabel = (typeof assetLabels)[number]
export const assetStatuses = ['uploading', 'processing', 'ready', 'failed'] as const
type AssetStatus = (typeof assetStatuses)[number]

/** A file that was made of the original; `name` is its key below `derivatives/<environment>/<sha256>/`. */
export type Derivative = {
  name: string
  label: string
  mime_type: string
  size: number
  width?: number
  height?: number
  bitrate?: number
}

export type AssetTable = RecordColumns & {
  label: AssetLabel
  name: string | null
  body: string | null
  author: string | null
  reference_id: string | null
  status: Generated<AssetStatus>
  /** Why there will be no derivatives. */
  failure: string | null
  /** How much of the processing is done, from 0 to 1. */
  progress: number | null
  /** Until when the node that processes it need not be doubted. */
  claimed_until: Date | null
  attempts: Generated<number>
  sha256: string | null
  size: number | null
  mime_type: string | null
  original_name: string | null
  width: number | null
  height: number | null
  duration: number | null
  details: Json<Record<string, unknown>>
  derivatives: Json<Derivative[]>
  alt: Json<Record<string, string>>
  caption: Json<Record<string, string>>
  copyright: string | null
  focal_x: number | null
  focal_y: number | null
  folder: string | null
  private: Generated<boolean>
  deleted_on: Date | null
  deleted_by: string | null
  /** The person who sent it, with whom it is erased. */
  person_key: string | null
  /** Name and original name, for search. */
  names: Generated<string>
}

export type AssetRow = Selectable<AssetTable>

export type AssetTagTable = { environment_id: string; asset_id: string; tag_id: string }

export type AssetUploadTable = {
  environment_id: string
  asset_id: string
  file_size: number | null
  received: Generated<number>
  same_as: string | null
  touched_on: Generated<Date>
}

export type AssetChunkTable = {
  environment_id: string
  asset_id: string
  start_offset: number
  size: number
  sha256: string
}
