import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { alive } from './embedded/processes.ts'
import { type EmbeddedServer, startEmbedded } from './embedded.ts'
import { withSession } from './session.ts'

export type OpenDatabase = {
  url: string
  /** Past a pooler, for LISTEN and jobs. */
  directUrl: string
  secretKey: string
  embedded: EmbeddedServer | undefined
  close(): Promise<void>
}

/** The database of the configuration, or an embedded one in the data folder. */
export const openDatabase = async (
  config: Config,
  progress: (line: string) => void = () => {},
): Promise<OpenDatabase> => {
  if (config.databaseUrl) {
    if (existsSync(join(config.data, 'restore'))) await afterRestore(config.data, config.databaseDirectUrl!)
    return {
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl!,
      secretKey: config.secretKey!,
      embedded: undefined,
      close: async () => {},
    }
  }
  await mkdir(config.data, { recursive: true })
  const embedded = await startEmbedded({ folder: config.data, progress })
  if (existsSync(join(config.data, 'restore')))
    await afterRestore(config.data, embedded.url).catch((error) =>
      embedded.stop().then(() => Promise.reject(error)),
    )
  const secretKey = config.secretKey ?? (await keptSecret(config.data))
  return { url: embedded.url, directUrl: embedded.url, secretKey, embedded, close: embedded.stop }
}

/** A restore that was killed has files and a key waiting, which are put in place or thrown away. */
const afterRestore = async (data: string, url: string): Promise<void> => {
  const { finishRestore } = await import('../backup/staging.ts')
  await withSession(url, (session) => finishRestore(data, session))
}

/** Made once and kept: without it, what was encrypted cannot be read again. */
const keptSecret = async (folder: string): Promise<string> => {
  const file = join(folder, 'secret.key')
  if (!existsSync(file)) {
    const own = `${file}.${process.pid}`
    await writeFile(own, randomBytes(48).toString('base64url'), { mode: 0o600 })
    // A link, unlike a rename, fails when another process was first.
    await link(own, file).catch(() => {})
    await rm(own, { force: true })
  }
  return readFileSync(file, 'utf8').trim()
}

/** Starts the embedded server again when it dies under us; connections come back by themselves. */
export const keepRunning = (
  database: OpenDatabase,
  config: Config,
  tell: (line: string) => void,
): { stop(): void } => {
  let { embedded } = database
  let restarting = false
  const look = async () => {
    if (!embedded || restarting || alive(embedded.pid)) return
    restarting = true
    tell('PostgreSQL has stopped; starting it again')
    try {
      embedded = await startEmbedded({ folder: config.data, progress: tell })
      database.embedded = embedded
      database.close = embedded.stop
    } catch (error) {
      tell(`PostgreSQL could not be started: ${(error as Error).message}`)
    }
    restarting = false
  }
  const timer = setInterval(look, 500).unref()
  return { stop: () => clearInterval(timer) }
}
