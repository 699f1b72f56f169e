import { randomUUID } from 'node:crypto'
import { createWriteStream, existsSync, lchownSync, readFileSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Session } from '../database/session.ts'
import { readArchive } from './archive.ts'

/**
 * Files and the key cannot be part of the database's transaction. They wait in a folder of their own, with an
 * id that the transaction writes into the database: whoever opens the database next sees by it whether the
 * restore was committed, and finishes or forgets it.
 */
const folderOf = (data: string): string => join(data, 'restore')

export const restoreLock = 7_236_503

export type Staged = { id: string }

export const stage = async (
  data: string,
  file: string,
  secret: string | undefined,
  withFiles: boolean,
): Promise<Staged> => {
  const folder = folderOf(data)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const id = randomUUID()
  if (withFiles) await stageFiles(file, folder, data)
  if (secret !== undefined) await writeSynced(join(folder, 'secret.key'), secret, data)
  await writeSynced(join(folder, 'id'), id, data)
  return { id }
}

const stageFiles = async (file: string, folder: string, data: string): Promise<void> => {
  await mkdir(join(folder, 'files'), { recursive: true })
  keepOwner(join(folder, 'files'), data)
  await readArchive(file, async (name, content) => {
    if (!name.startsWith('files/')) return
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    for (let parent = dirname(path); parent.length > folder.length; parent = dirname(parent))
      keepOwner(parent, data)
    await pipeline(content, createWriteStream(path, { flags: 'wx', flush: true }))
    keepOwner(path, data)
  })
}

const writeSynced = async (path: string, text: string, data: string): Promise<void> => {
  await writeFile(path, text, { mode: 0o600, flush: true })
  keepOwner(path, data)
}

/** Root, in a folder of another user, leaves that user the files. */
const keepOwner = (path: string, data: string): void => {
  const { uid, gid } = statSync(data)
  if (process.getuid?.() === 0 && uid !== 0) lchownSync(path, uid, gid)
}

const mark = (id: string): string => `restored from a backup, ${id}`

/** Inside the transaction that restores the tables. */
export const markRestored = (tx: Session, { id }: Staged): Promise<unknown> =>
  tx.run(`comment on table migrations is '${mark(id)}'`)

/** Finishes what a restore that was killed after its commit left to do, and clears away one that was not committed. */
export const finishRestore = async (data: string, session: Session): Promise<void> => {
  if (!existsSync(folderOf(data))) return
  try {
    // A killed restore's session may hold the lock for a moment longer; a living one keeps it.
    await session.run(`set lock_timeout = '5s'; select pg_advisory_lock(${restoreLock})`)
    const id = join(folderOf(data), 'id')
    const [table] = await session<{ note: string | null }[]>`
      select obj_description(to_regclass('migrations'), 'pg_class') as note`
    if (existsSync(id) && table!.note === mark(readFileSync(id, 'utf8'))) await putInPlace(data)
    await rm(folderOf(data), { recursive: true, force: true })
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
  } finally {
    await session.run('reset lock_timeout; select pg_advisory_unlock_all()').catch(() => {})
  }
}

/** Each step can be repeated, so a kill between any two of them does no harm. */
const putInPlace = async (data: string): Promise<void> => {
  const folder = folderOf(data)
  if (existsSync(join(folder, 'files'))) {
    await rm(join(folder, 'replaced'), { recursive: true, force: true })
    if (existsSync(join(data, 'files'))) await rename(join(data, 'files'), join(folder, 'replaced'))
    await rename(join(folder, 'files'), join(data, 'files'))
  }
  if (existsSync(join(folder, 'secret.key')))
    await rename(join(folder, 'secret.key'), join(data, 'secret.key'))
  const handle = await open(data, 'r')
  await handle.sync().finally(() => handle.close())
}
