import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Storage } from './storage.ts'

/** Programs read files by their path; what lies elsewhere is fetched for as long as the work takes. */
export const withLocalFile = async <T>(
  storage: Storage,
  key: string,
  work: (path: string) => Promise<T>,
): Promise<T> => {
  const path = storage.localPath(key)
  if (path) return work(path)
  const folder = await mkdtemp(join(tmpdir(), 'marquee-'))
  try {
    const copy = join(folder, 'file')
    await pipeline(storage.read(key), createWriteStream(copy))
    return await work(copy)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
