import { createHash, randomBytes } from 'node:crypto'
import { constants, lchownSync, statSync } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where everything of one embedded server lies. */
export type Place = {
  folder: string
  cluster: string
  log: string
  password: string
  owner: string
  lock: string
  /** Names the server's processes; by device and number too, since a container may have the same path. */
  name: string
}

export const openPlace = async (path: string): Promise<Place> => {
  await mkdir(path, { recursive: true })
  // Real, so that every process names the same cluster alike, whichever link it came by.
  const folder = await realpath(path)
  const { dev, ino } = await stat(folder)
  return {
    folder,
    cluster: join(folder, 'postgres'),
    log: join(folder, 'postgres.log'),
    password: join(folder, 'postgres.password'),
    owner: join(folder, 'postgres.owner'),
    lock: join(folder, 'postgres.lock'),
    name: `marquee-${createHash('sha256').update(`${folder} ${dev} ${ino}`).digest('hex').slice(0, 16)}`,
  }
}

/** Root, in a folder of another user, leaves that user the files. */
const giveToKeeper = async (file: FileHandle, folder: string): Promise<void> => {
  const { uid, gid } = statSync(folder)
  if (process.getuid?.() === 0 && uid !== 0) await file.chown(uid, gid)
}

export const giveTo = (path: string, account: { uid?: number; gid?: number }): void => {
  if (account.uid !== undefined) lchownSync(path, account.uid, account.gid!)
}

export const newPassword = (): string => randomBytes(24).toString('base64url')

export const readPassword = async ({ password }: Place): Promise<string | undefined> => {
  const text = await readFile(password, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const found = text.trim()
  // Cut short by a full disk: as good as none.
  if (!/^[\w-]{32}$/.test(found)) return undefined
  await chmod(password, 0o600).catch(() => {})
  return found
}

export const writePassword = async (place: Place, password: string): Promise<void> => {
  const unfinished = `${place.password}.new`
  await rm(unfinished, { force: true })
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(`${password}\n`)
    await giveToKeeper(file, place.folder)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, place.password)
}

const rotateAt = 10 * 1024 * 1024

/** For appending. No link is followed: root may be writing into a folder of another user. */
export const openLog = async (place: Place): Promise<{ file: FileHandle; size: number }> => {
  const before = await stat(place.log).catch(() => undefined)
  if (before && before.size > rotateAt) await rename(place.log, `${place.log}.1`)
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants
  const file = await open(place.log, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  await giveToKeeper(file, place.folder)
  return { file, size: (await file.stat()).size }
}
