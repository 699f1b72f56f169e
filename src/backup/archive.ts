import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { Damaged } from './problems.ts'

export type Archive = ReturnType<typeof createArchive>

/** A .tar.gz that is written entry by entry; what is under way is never held as a whole. */
export const createArchive = (file: string) => {
  const tar = pack()
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(tar, createGzip(), out)
  written.catch(() => {})
  const mtime = new Date()

  const add = (name: string, bytes: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      tar.entry({ name, mtime, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve()))
    })
  /** Exactly `size` bytes, or the archive cannot be finished. */
  const addStream = async (name: string, size: number, chunks: AsyncIterable<Buffer>): Promise<void> => {
    const { promise: closed, resolve, reject } = Promise.withResolvers<void>()
    closed.catch(() => {})
    const entry = tar.entry({ name, size, mtime, mode: 0o600 }, (error) =>
      error ? reject(error) : resolve(),
    )
    for await (const chunk of chunks)
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), closed])
    entry.end(null)
    await closed
  }
  return {
    add,
    addStream,
    /** Done when everything is on the disk. */
    async finish(): Promise<void> {
      tar.finalize()
      await written
    },
    async abandon(): Promise<void> {
      tar.destroy(null)
      await written.catch(() => {})
    },
    get bytes(): number {
      return out.bytesWritten
    },
  }
}

/** Hands out each entry in turn; whatever is wrong with the file is told as `Damaged`. */
export const readArchive = async (
  file: string,
  onEntry: (name: string, content: AsyncIterable<Buffer>, size: number) => Promise<void>,
  onBytes: (count: number) => void = () => {},
): Promise<void> => {
  const entries = extract()
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length)
      done(null, chunk)
    },
  })
  const source = createReadStream(file, { highWaterMark: 262_144 })
  const read = pipeline(source, count, createGunzip(), entries as unknown as NodeJS.WritableStream)
  read.catch(() => {})
  let trouble: unknown
  try {
    for await (const entry of entries) {
      const name = plainName(entry.header.name, entry.header.type)
      try {
        await onEntry(name, entry as unknown as AsyncIterable<Buffer>, entry.header.size)
        // What was not looked at must still go past.
        for await (const _ of entry);
      } catch (error) {
        trouble = error
        throw error
      }
    }
    await read
  } catch (error) {
    source.destroy()
    throw damage(trouble ?? error)
  }
}

/** Only plain files with names that stay inside the folder they are unpacked to. */
const plainName = (name: string, type: string): string => {
  const parts = name.split('/')
  const escapes =
    parts.some((part) => part === '' || part === '.' || part === '..') || /[\\\0]|^[a-z]:/i.test(name)
  if (type !== 'file' || escapes)
    throw new Damaged(`holds an entry that no backup has: ${JSON.stringify(name)}`)
  return name
}

const damage = (error: unknown): unknown => {
  if (error instanceof Damaged) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR' || message === 'Unexpected end of data') return new Damaged('is cut off')
  if (code?.startsWith('Z_') || /tar header|Invalid header|Header exceeds/.test(message))
    return new Damaged('is not a backup of Marquee, or is damaged')
  return error
}
