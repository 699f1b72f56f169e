import { createHash, randomUUIDv7 } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Storage } from './storage.ts'
import { typeOf } from './uploaded.ts'

/** Enough of a file to tell what it is. */
const headSize = 65_536

type Incoming = { key: string; size: number; sha256: string; mime_type: string | null }

/** Stores bytes that belong to nothing yet, as they arrive; `watch` is told how many there are and may stop them. */
export const storeIncoming = async (
  storage: Storage,
  chunks: AsyncIterable<Buffer>,
  watch: (size: number) => void = () => {},
): Promise<Incoming> => {
  const key = `incoming/${randomUUIDv7()}`
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let size = 0
  async function* arriving(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (size < headSize) head.push(chunk)
      size += chunk.length
      watch(size)
      hash.update(chunk)
      yield chunk
    }
  }
  await storage.put(key, Readable.from(arriving(), { objectMode: false, highWaterMark: 65_536 }))
  return { key, size, sha256: hash.digest('hex'), mime_type: await typeOf(Buffer.concat(head)) }
}

/** When it arrived, as the time in its name tells: a key, or an id. */
export const arrivedOn = (key: string): number =>
  Number.parseInt(key.split('/').at(-1)!.replaceAll('-', '').slice(0, 12), 16)
