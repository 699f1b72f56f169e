import { dirname } from 'node:path'
import { Explained } from '../explained.ts'
import { chooseAccount, requireOwnership, withReach } from './embedded/account.ts'
import { findBinaries, major } from './embedded/binaries.ts'
import { prepareCluster } from './embedded/cluster.ts'
import { explained } from './embedded/explain.ts'
import { readOwner, removeOwner, withLock, writeOwner } from './embedded/lock.ts'
import type { PidFile } from './embedded/pidfile.ts'
import { openPlace, type Place, readPassword } from './embedded/place.ts'
import { isPostmaster } from './embedded/processes.ts'
import { findRunning } from './embedded/running.ts'
import { launch, shutDown } from './embedded/server.ts'
import { serviceSettings } from './embedded/settings.ts'
import { connectionUrl, listenSettings, prepareSocketFolder, socketFolder } from './embedded/socket.ts'

export type EmbeddedServer = {
  /** For the packages postgres and pg, and for psql. */
  url: string
  logFile: string
  /** False when another living Marquee process owns the server; stop() then leaves it alone. */
  started: boolean
  pid: number
  stop(): Promise<void>
}

type Options = { folder: string; progress?: (line: string) => void; settings?: Record<string, string> }

/** Longer than the longest recovery that the holder of the lock may be waiting for. */
const lockLimit = 6 * 60_000

export async function startEmbedded(options: Options): Promise<EmbeddedServer> {
  const { progress = () => {}, settings = {} } = options
  try {
    const place = await openPlace(options.folder)
    requireOwnership(place.folder, place.cluster)
    const onWait = (pid: number) => progress(`Waiting for another Marquee process (pid ${pid})…`)
    return await withLock(place.lock, { limit: lockLimit, onWait }, async () => {
      const found = await findRunning(place, progress)
      const running = found ?? (await boot(place, progress, settings))
      const started = !found || (await readOwner(place.owner)) === undefined
      if (started) await writeOwner(place.owner)
      return describe(place, running, started, progress)
    })
  } catch (error) {
    throw explained(error, options.folder)
  }
}

const boot = async (
  place: Place,
  progress: (line: string) => void,
  extra: Record<string, string>,
): Promise<PidFile> => {
  const binaries = await findBinaries()
  const chosen = chooseAccount(place.folder, place.cluster)
  const sockets = socketFolder(place)
  if (process.platform !== 'win32') prepareSocketFolder(sockets, chosen)
  const account = withReach(chosen, [place.folder, sockets, dirname(binaries.postgres)], binaries.postgres)
  await prepareCluster({ place, account, binaries, progress, sync: extra.fsync !== 'off' })
  progress(`Starting PostgreSQL ${major}…`)
  const settings = { ...serviceSettings, ...(await listenSettings(sockets)), ...extra }
  return launch({ place, account, postgres: binaries.postgres, settings }, progress)
}

const describe = async (
  place: Place,
  running: PidFile,
  started: boolean,
  progress: (line: string) => void,
): Promise<EmbeddedServer> => {
  const password = await readPassword(place)
  if (!password)
    throw new Explained(
      `The database runs (pid ${running.pid}), but its password in ${place.password} is lost. Stop it ` +
        '(kill -INT) and start again: a new password will be set.',
    )
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= started ? end(place, running.pid, progress) : Promise.resolve()
    return stopped
  }
  return { url: connectionUrl(running, password), logFile: place.log, started, pid: running.pid, stop }
}

/** Under the lock, so that no other process takes over a server that is about to go. */
const end = async (place: Place, pid: number, progress: (line: string) => void): Promise<void> => {
  let tried = false
  const shut = async () => {
    tried = true
    // Killed by somebody else: the pid may be another program's by now, and the owner file a newer server's.
    if (isPostmaster(pid, place.cluster, place.name) === false) return
    await shutDown(pid, place, progress)
    await removeOwner(place.owner)
  }
  try {
    await withLock(place.lock, { limit: 5000 }, shut)
  } catch (error) {
    // The folder may be gone, or its lock held for long; the server must end all the same.
    if (tried) throw error
    await shut()
  }
}
