import { invalid } from '../../errors.ts'

type Range = { start: number; size: number }

/** `Content-Range: bytes 0-52428799/300000000` of a chunk. */
const readContentRange = (header: string | undefined): Range | undefined => {
  if (header === undefined) return undefined
  const match = /^bytes (\d{1,10})-(\d{1,10})\/(\d{1,10}|\*)$/.exec(header.trim())
  const [start, end] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || end < start || (match[3] !== '*' && Number(match[3]) <= end))
    throw invalid('Content-Range', 'must be such as bytes 0-52428799/300000000')
  return { start, size: end - start + 1 }
}

/** Where a chunk begins, as its sender says in one way or both. */
export const offsetOf = (
  sent: number | undefined,
  header: string | undefined,
  size: number,
): number | undefined => {
  const range = readContentRange(header)
  if (!range) return sent
  if (range.size !== size) throw invalid('Content-Range', `names ${range.size} bytes; the chunk has ${size}`)
  if (sent !== undefined && sent !== range.start)
    throw invalid('Content-Range', 'names another start than start_offset')
  return range.start
}
