import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Explained } from '../../explained.ts'
import { living, stamp } from './processes.ts'

type Waiting = { limit: number; onWait?: (holder: number) => void }

/** Runs `work` while holding the lock file. A lock whose process is gone is taken over. */
export const withLock = async <T>(file: string, waiting: Waiting, work: () => Promise<T>): Promise<T> => {
  await acquire(file, waiting)
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

const acquire = async (file: string, { limit, onWait }: Waiting): Promise<void> => {
  const since = Date.now()
  let told = since
  while (!(await create(file))) {
    const holder = await holderOf(file)
    if (holder === undefined) continue
    if (Date.now() - since > limit)
      throw new Explained(
        `Another Marquee process (pid ${holder || 'unknown'}) has been starting or stopping the database for ` +
          `${Math.round(limit / 1000)} s. If that process hangs, end it and try again. The lock is ${file}.`,
      )
    if (holder && Date.now() - told > 1000) {
      told = Date.now() + 10_000
      onWait?.(holder)
    }
    await sleep(10)
  }
}

const create = async (file: string): Promise<boolean> => {
  try {
    await writeFile(file, stamp(), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // A full disk lets the file be made, but not be written.
    await rm(file, { force: true }).catch(() => {})
    throw error
  }
}

/** The pid that holds the lock, 0 while it is being written, undefined when it is free (again). */
const holderOf = async (file: string): Promise<number | undefined> => {
  const written = await readFile(file, 'utf8').catch(() => undefined)
  if (written === undefined) return undefined
  const holder = living(written)
  if (holder !== undefined) return holder
  if (!written && Date.now() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? 0) < 2000) return 0
  await discard(file, written)
  return undefined
}

/** By rename, so that of two processes that see the same stale lock only one removes it, and never a new one. */
const discard = async (file: string, seen: string): Promise<void> => {
  const aside = `${file}.${process.pid}`
  try {
    await rename(file, aside)
  } catch {
    return
  }
  const taken = await readFile(aside, 'utf8').catch(() => seen)
  if (taken === seen) await rm(aside, { force: true })
  else await rename(aside, file)
}

/** Which Marquee process answers for the running server and will stop it. */
export const readOwner = async (file: string): Promise<number | undefined> =>
  living(await readFile(file, 'utf8').catch(() => ''))

export const writeOwner = async (file: string): Promise<void> => {
  await writeFile(`${file}.new`, stamp())
  await rename(`${file}.new`, file)
}

export const removeOwner = async (file: string): Promise<void> => {
  if ((await readFile(file, 'utf8').catch(() => '')) === stamp()) await rm(file, { force: true })
}
