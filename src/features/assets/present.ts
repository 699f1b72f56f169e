import { isoDate } from '../../dates.ts'
import { presentBase } from '../../http/schemas.ts'
import type { FoundAsset } from './queries.ts'
import type { AssetRow } from './table.ts'
import { maxAsset } from './types.ts'

/** The specification's usual chunk. */
const chunkSize = 52_428_800

export const presentAsset = (row: FoundAsset) => ({
  ...presentBase(row.label, row),
  name: row.name,
  body: row.body,
  author: row.author,
  reference_id: row.reference_id,
  status: row.status,
  progress: row.progress,
  failure: row.failure,
  original_name: row.original_name,
  copyright: row.copyright,
  folder: row.folder,
  private: row.private,
  alt: row.alt,
  caption: row.caption,
  focal_point: row.focal_x === null || row.focal_y === null ? null : { x: row.focal_x, y: row.focal_y },
  ...(row.status === 'uploading' && offsetsOf(row)),
})

/** Which byte is expected next, and where a chunk of the usual size ends. */
const offsetsOf = ({ status, size, received, file_size }: FoundAsset) => {
  const start_offset = status === 'uploading' ? (received ?? 0) : (size ?? 0)
  const whole = status === 'uploading' ? (file_size ?? maxAsset) : start_offset
  return { start_offset, end_offset: Math.min(start_offset + chunkSize, whole) }
}

export const presentUpload = (row: FoundAsset) => ({ ...presentAsset(row), ...offsetsOf(row) })

export const presentDeletedAsset = (row: AssetRow) => ({
  ...presentAsset(row),
  deleted_on: isoDate(row.deleted_on!),
})
