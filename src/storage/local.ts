import { randomUUIDv7 } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, constants, mkdir, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkKey, type Storage } from './storage.ts'

/** Files in a folder of this machine, or of a network share that all nodes see. */
export const localStorage = (root: string): Storage => {
  const pathOf = (key: string) => join(root, ...checkKey(key).split('/'))

  const put: Storage['put'] = async (key, bytes) => {
    const path = pathOf(key)
    const temporary = join(root, 'temporary', randomUUIDv7())
    await makeFolder(dirname(temporary))
    try {
      const size = await writeDurably(temporary, bytes)
      await replace(temporary, path)
      return { size }
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  return {
    put,
    read: (key, range = {}) => createReadStream(pathOf(key), { ...range, highWaterMark: 262_144 }),
    size: (key) => stat(pathOf(key)).then(({ size }) => size, ifAbsent(undefined)),
    move: (from, to) => replace(pathOf(from), pathOf(to)),
    async remove(key) {
      await rm(pathOf(key), { force: true })
      // Folders of one asset go with their last file; those of environments stay.
      if (key.split('/').length > 3) await rmdir(dirname(pathOf(key))).catch(() => {})
    },
    list: (prefix) => list(root, checkKey(prefix.replace(/\/$/, ''))),
    localPath: pathOf,
    async check() {
      // No folder is made here: whoever looks may be another user than the service.
      if (!existsSync(root)) return access(dirname(root), constants.W_OK)
      const path = join(root, randomUUIDv7())
      await writeDurably(path, Buffer.from('Marquee'))
      await rm(path)
    },
  }
}

/** A file is only there after a crash if its bytes and its name in the folder are. */
const writeDurably = async (path: string, bytes: Readable | Buffer): Promise<number> => {
  const target = createWriteStream(path, { flags: 'wx', flush: true })
  await pipeline(Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes, target)
  return target.bytesWritten
}

const replace = async (from: string, to: string, attempts = 3): Promise<void> => {
  await makeFolder(dirname(to))
  try {
    await rename(from, to)
    await flushFolder(dirname(to))
  } catch (error) {
    // Somebody may just have removed the folder, for it was empty.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempts === 1) throw error
    await replace(from, to, attempts - 1)
  }
}

/** Folders that are new must be durable in the folders that hold them. */
const makeFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let folder = path; folder.length >= first.length; folder = dirname(folder))
    await flushFolder(dirname(folder))
}

const flushFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const ifAbsent =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value
    throw error
  }

async function* list(root: string, prefix: string): AsyncGenerator<{ key: string; size: number }> {
  const folder = await opendir(join(root, prefix), { recursive: true }).catch(ifAbsent(undefined))
  if (!folder) return
  for await (const entry of folder) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const size = await stat(path).then((found) => found.size, ifAbsent(undefined))
    if (size !== undefined)
      yield {
        key: path
          .slice(root.length + 1)
          .split(sep)
          .join('/'),
        size,
      }
  }
}
