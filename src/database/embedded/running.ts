import { setTimeout as sleep } from 'node:timers/promises'
import { Explained } from '../../explained.ts'
import { disownPidFile, type PidFile, readPidFile } from './pidfile.ts'
import type { Place } from './place.ts'
import { isPostmaster, serverProcesses, taken } from './processes.ts'
import { signal, untilGone, untilReady } from './server.ts'
import { answers, isOurs } from './socket.ts'

type Progress = (line: string) => void

/** The server that already runs on the cluster, once it is ready. What only looks like one is cleared away. */
export const findRunning = async (place: Place, progress: Progress): Promise<PidFile | undefined> => {
  const found = readPidFile(place.cluster)
  if (!found) {
    await untilNoProcesses(place, 3000)
    return undefined
  }
  if (!(await runs(found, place))) {
    await clearRemains(found, place, progress)
    return undefined
  }
  if (found.status === 'stopping') {
    progress('Waiting for the last PostgreSQL to stop…')
    if (!(await untilGone(found.pid, 60_000)))
      throw new Explained(`PostgreSQL (pid ${found.pid}) has been stopping for 60 s. The log is ${place.log}`)
    return undefined
  }
  const ready = await untilReady(place, found.pid, progress)
  if (isOurs(ready, place)) return ready
  throw new Explained(
    `A PostgreSQL that Marquee did not start (pid ${ready.pid}) runs on ${place.cluster}. Stop it and start again, ` +
      'or set DATABASE_URL to it.',
  )
}

const runs = async (found: PidFile, { cluster, folder, name }: Place): Promise<boolean> => {
  const postmaster = isPostmaster(found.pid, cluster, name)
  if (postmaster) return true
  const answered = found.port > 0 && (await answers(found))
  // Where the system does not tell what a process is, a living pid and an answer are enough.
  if (postmaster === undefined) return answered
  if (answered)
    throw new Explained(
      `A PostgreSQL answers for ${folder}, but its process (pid ${found.pid}) is not to be seen from here: another ` +
        'container seems to use the same folder. Stop that one, or give this one its own MARQUEE_DATA.',
    )
  return false
}

const clearRemains = async (found: PidFile, place: Place, progress: Progress): Promise<void> => {
  progress('Repairing: PostgreSQL was not stopped cleanly, its data is recovered')
  // Its children end by themselves, unless they are in the middle of a long query.
  await untilNoProcesses(place, 30_000, (children, waited) => {
    if (waited > 500) for (const pid of children) signal(pid, waited > 5000 ? 'SIGKILL' : 'SIGQUIT')
  })
  // A free pid PostgreSQL sees itself; not one that another program or a dead child has, nor an empty file.
  if (!found.pid || taken(found.pid)) await disownPidFile(place.cluster)
}

type OnWait = (children: number[], waited: number) => void

/** A server whose postmaster.pid was removed goes on for up to a minute; a second one beside it destroys data. */
const untilNoProcesses = async (place: Place, limit: number, onWait: OnWait = () => {}): Promise<void> => {
  const since = Date.now()
  for (;;) {
    const { postmasters, children } = serverProcesses(place.name)
    const left = [...postmasters, ...children]
    if (!left.length) return
    const waited = Date.now() - since
    if (waited > limit)
      throw new Explained(
        `PostgreSQL still runs on ${place.cluster} (pid ${left.join(', ')}), but its file postmaster.pid does not ` +
          'name it. Stop it (kill -INT) and start again.',
      )
    onWait(children, waited)
    await sleep(20)
  }
}
