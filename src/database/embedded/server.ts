import type { StdioOptions } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Explained } from '../../explained.ts'
import type { Account } from './account.ts'
import { findBinaries } from './binaries.ts'
import { failed, logSince } from './explain.ts'
import { type PidFile, readPidFile } from './pidfile.ts'
import { openLog, type Place } from './place.ts'
import { alive } from './processes.ts'
import { run, spawnAs } from './run.ts'
import { settingArguments } from './settings.ts'

type Progress = (line: string) => void
type Launch = { place: Place; account: Account; postgres: string; settings: Record<string, string> }

/** Starts the server apart from this process: Ctrl-C in the terminal does not reach it, and node may end first. */
export const launch = async (
  { place, account, postgres, settings }: Launch,
  progress: Progress,
): Promise<PidFile> => {
  const { file: log, size } = await openLog(place)
  const named = { ...settings, cluster_name: place.name }
  let ended: Error | undefined
  const onError = (error: Error) => {
    ended = error
  }
  const args = ['-D', place.cluster, ...settingArguments(named)]
  const stdio: StdioOptions = ['ignore', log.fd, log.fd]
  const child = spawnAs(account, postgres, args, { detached: true, stdio }, onError)
  child.on('exit', (code, signal) => {
    const output = logSince(place.log, size)
    ended = failed(`PostgreSQL ended while starting (${signal ?? `exit code ${code}`}).`, output, place.log)
  })
  child.unref()
  await log.close()
  return untilReady(place, child.pid, progress, () => ended)
}

const recoveryLimit = 5 * 60_000

/** Reads how far the server is from its pid file; connecting again and again costs it more and is slower. */
export const untilReady = async (
  place: Place,
  pid: number | undefined,
  progress: Progress,
  ended: () => Error | undefined = () =>
    alive(pid!) ? undefined : failed('PostgreSQL ended.', logSince(place.log, 0), place.log),
): Promise<PidFile> => {
  const since = Date.now()
  let next = since + 2000
  for (;;) {
    const running = readPidFile(place.cluster)
    if (running?.pid === pid && running?.status === 'ready') return running
    const error = ended()
    if (error) throw error
    if (Date.now() - since > recoveryLimit)
      throw new Explained(
        `PostgreSQL (pid ${pid}) has been recovering for 5 minutes and goes on. Start Marquee again later: it ` +
          `will wait for the same server. The log is ${place.log}`,
      )
    if (Date.now() > next) {
      progress(`PostgreSQL is recovering… ${Math.round((Date.now() - since) / 1000)} s`)
      next = Date.now() + 3000
    }
    await sleep(3)
  }
}

export const untilGone = async (pid: number, limit: number): Promise<boolean> => {
  const since = Date.now()
  while (alive(pid)) {
    if (Date.now() - since > limit) return false
    await sleep(5)
  }
  return true
}

/** Fast shutdown: open transactions are rolled back, everything committed is written. */
export const shutDown = async (pid: number, { cluster }: Place, progress: Progress): Promise<void> => {
  if (process.platform === 'win32') {
    const { pg_ctl } = await findBinaries()
    await run({ name: 'this user' }, pg_ctl, ['stop', '-D', cluster, '-m', 'fast', '-t', '60'])
    return
  }
  signal(pid, 'SIGINT')
  if (await untilGone(pid, 60_000)) return
  progress('PostgreSQL did not stop within 60 s and is ended at once; it will recover at the next start')
  signal(pid, 'SIGQUIT')
  if (await untilGone(pid, 10_000)) return
  throw new Explained(`PostgreSQL (pid ${pid}) does not stop.`)
}

export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
