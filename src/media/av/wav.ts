import { open } from 'node:fs/promises'

const searched = 65_536

/**
 * The part of a WAV file's samples that is there: FFmpeg takes a file that was cut off for a shorter one. Recorders that
 * cannot go back write no length, or the largest there is, and promise nothing.
 */
export const wholePart = async (path: string, size: number): Promise<number> => {
  const head = Buffer.alloc(searched)
  await using file = await open(path)
  const { bytesRead } = await file.read(head, 0, searched, 0)
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return 1
  for (let at = 12; at + 8 <= bytesRead; ) {
    const length = head.readUInt32LE(at + 4)
    if (head.toString('latin1', at, at + 4) === 'data')
      return length === 0 || length >= 0xffff_ff00 ? 1 : Math.min(1, (size - at - 8) / length)
    at += 8 + length + (length % 2)
  }
  return 1
}
