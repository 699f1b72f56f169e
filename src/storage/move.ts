import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Storage } from './storage.ts'

type Stored = { key: string; size: number }
/** What was copied and read back before, with the sum of its bytes. */
export type Journal = {
  get(key: string): { size: number; sha256: string } | undefined
  add(key: string, entry: { size: number; sha256: string }): Promise<void>
}
type Progress = { total(bytes: number): void; add(bytes: number): void }
export type Moved = { files: number; bytes: number; copied: number; problems: string[] }

/** What can be made again, or belongs to a request that is over, is left where it is. */
const folders = ['originals/', 'derivatives/', 'uploads/', 'recordings/']
/** Most files are small, and a store elsewhere answers late. */
const atOnce = 4

/** Copies every file, reads each copy back and compares. What an earlier run has verified is not copied again. */
export const copyFiles = async (
  from: Storage,
  to: Storage,
  journal: Journal,
  progress: Progress,
): Promise<Moved> => {
  const moved: Moved = { files: 0, bytes: 0, copied: 0, problems: [] }
  progress.total(await totalOf(from))
  const files = filesOf(from)
  const work = async (): Promise<void> => {
    for (let next = await files.next(); !next.done; next = await files.next()) {
      const { key, size } = next.value
      const outcome = await transfer(from, to, journal, next.value)
      if (outcome === 'gone') continue
      moved.files += 1
      moved.bytes += size
      if (outcome === 'copied') moved.copied += 1
      else if (outcome !== 'there') moved.problems.push(`${key}: ${outcome}`)
      progress.add(size)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return moved
}

/** Removes what was verified and has not changed since. */
export const removeMoved = async (from: Storage, to: Storage, journal: Journal): Promise<number> => {
  let removed = 0
  for await (const { key, size } of filesOf(from)) {
    if (journal.get(key)?.size !== size || (await to.size(key)) !== size) continue
    await from.remove(key)
    removed += 1
  }
  return removed
}

async function* filesOf(storage: Storage): AsyncGenerator<Stored> {
  for (const folder of folders) yield* storage.list(folder)
}

const totalOf = async (storage: Storage): Promise<number> => {
  let total = 0
  for await (const { size } of filesOf(storage)) total += size
  return total
}

const transfer = async (
  from: Storage,
  to: Storage,
  journal: Journal,
  { key, size }: Stored,
): Promise<string> => {
  const there = await to.size(key)
  if (there === size && journal.get(key)?.size === size) return 'there'
  try {
    // A copy whose verification was cut off is compared before it is made again.
    const known = there === size ? await sumOf(from, key) : undefined
    const isCopied = known === undefined || (await sumOf(to, key)) !== known
    const sha256 = isCopied ? await copy(from, to, key) : known
    if (key.startsWith('originals/') && !key.endsWith(`/${sha256}`))
      return 'its bytes are not those it was stored with'
    if (isCopied && (await sumOf(to, key)) !== sha256) return 'the copy differs'
    await journal.add(key, { size, sha256 })
    return isCopied ? 'copied' : 'there'
  } catch (error) {
    if ((await from.size(key)) === undefined) return 'gone'
    return (error as Error).message
  }
}

const copy = async (from: Storage, to: Storage, key: string): Promise<string> => {
  const hash = createHash('sha256')
  const source = from.read(key)
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  source.once('error', (error) => hashing.destroy(error))
  await to.put(key, source.pipe(hashing))
  return hash.digest('hex')
}

const sumOf = async (storage: Storage, key: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(storage.read(key), hash)
  return hash.digest('hex')
}
