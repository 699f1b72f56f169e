import type { FieldError } from '../../errors.ts'
import type { UploadedFile } from '../../storage/uploaded.ts'
import type { AssetBody } from './schema.ts'
import type { AssetLabel } from './table.ts'
import { typeFaults } from './types.ts'
import type { Chunk } from './upload.ts'
import type { AssetWords } from './values.ts'

/** What a body asks for: an asset of a whole file, or the start of an upload in chunks. */
type Order = { original_name: string | undefined } & (
  | { kind: 'whole'; label: AssetLabel; file: UploadedFile; path: string }
  | { kind: 'start'; file_size: number | undefined; chunk: Chunk | undefined }
)

type Sent = Pick<AssetBody, 'video_file_chunk' | 'file_chunk' | 'start_offset'>

/** A chunk under either of its names. */
export const chunkIn = ({ video_file_chunk, file_chunk, start_offset }: Sent): Chunk | undefined => {
  if (video_file_chunk) return { file: video_file_chunk, start_offset, path: 'video_file_chunk' }
  return file_chunk && { file: file_chunk, start_offset, path: 'file_chunk' }
}

const forVideo = ['upload_phase', 'file_size', 'video_file_chunk', 'file_chunk', 'start_offset'] as const

/** A body with all that its schema cannot tell to be wrong. */
export const readNew = (body: AssetBody): { words: AssetWords; order: Order; faults: FieldError[] } => {
  const { label, source, original_name, upload_phase, file_size, ...rest } = body
  const { video_file_chunk: _, file_chunk: __, start_offset: ___, ...words } = rest
  const faults: FieldError[] = []
  const fault = (path: string, message: string) => void faults.push({ path, message })
  const chunk = chunkIn(body)
  if (label !== 'Video')
    for (const name of forVideo) if (body[name] !== undefined) fault(name, 'is for a Video only')
  if (body.video_file_chunk && body.file_chunk) fault('file_chunk', 'is the same as video_file_chunk')
  if (source && chunk) fault(chunk.path, 'cannot be sent beside source')
  if (!source && label !== 'Video') fault('source', 'is required')
  if (!source && label === 'Video') {
    if (!upload_phase) fault('upload_phase', 'is required')
    if (upload_phase === 'finish' && !chunk) fault('video_file_chunk', 'is required')
    if (upload_phase === 'start' && !chunk && !file_size) fault('file_size', 'is required')
  }
  const file = source ?? (upload_phase === 'finish' ? chunk?.file : undefined)
  const path = source ? 'source' : (chunk?.path ?? 'source')
  if (file) faults.push(...typeFaults(label, file, path))
  const order: Order = file
    ? { kind: 'whole', label, file, path, original_name }
    : { kind: 'start', file_size, chunk, original_name }
  return { words, order, faults }
}
