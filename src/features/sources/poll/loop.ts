import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { keepLooking, type Looking } from '../../../jobs/looking.ts'
import { byteBudget } from '../connect/budget.ts'
import type { Due } from '../connect/polling.ts'
import { feedReader } from '../parse/run.ts'
import { claimDue, release } from './claim.ts'
import { openHosts } from './hosts.ts'
import { type Polled, pollOnce } from './poll.ts'
import { writePolled, writeSafely } from './write.ts'

const lookEvery = 500
/** While there is work: what is asked meanwhile shares statements. */
const rest = 20
/** Sources in our hands, being asked or waiting until their host has room. */
const maxHeld = 400
const maxTaken = 100
const maxWritten = 200
/** How long a stop waits for answers before it gives up on them. */
const grace = 2000

/** Asks sources when they are due, on every node with background work, until stopped. */
export const startSources = (context: Context, onError: (error: unknown) => void): Looking => {
  const ending = new AbortController()
  const reader = feedReader()
  const own = { reader, budget: byteBudget(), signal: ending.signal }
  const done: Polled[] = []
  const unasked: Due[] = []

  const hosts = openHosts(async (due) => {
    try {
      done.push(await pollOnce({ ...context, ...own }, due))
    } catch (error) {
      unasked.push(due)
      if (!ending.signal.aborted) onError(error)
    }
  })
  const write = async (): Promise<number> => {
    const written = done.splice(0, maxWritten)
    if (written.length === 0) return 0
    try {
      await tell(context, await writeSafely((polled) => writePolled(context.db, polled), written, onError))
    } catch (error) {
      done.unshift(...written)
      throw error
    }
    return written.length
  }
  const take = async (): Promise<number> => {
    await release(context.db, unasked.splice(0))
    const room = Math.min(maxTaken, maxHeld - hosts.held())
    const due = room > 0 ? await claimDue(context.db, room, hosts.busy()) : []
    hosts.add(due)
    return due.length
  }
  const looking = keepLooking(async (isStopped) => {
    const written = await write()
    const taken = isStopped() ? 0 : await take()
    return written + taken + hosts.held() > 0 ? rest : lookEvery
  }, onError)

  return {
    async stop(): Promise<void> {
      await looking.stop()
      unasked.push(...hosts.drain())
      const until = performance.now() + grace
      while (hosts.held() > 0) {
        if (performance.now() > until) ending.abort(new Error('the service stops'))
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      reader.end()
      // What cannot be written down is asked again when the claims have run out.
      await write().catch(onError)
      await release(context.db, unasked.splice(0)).catch(onError)
    },
  }
}

/** Lists of items are stale, here and on the other nodes. Items come too often for an event of each. */
const tell = async ({ db, versions }: Context, environments: string[]): Promise<void> => {
  if (environments.length === 0) return
  for (const environment of environments) versions.bump(environment, 'sources')
  const changed = environments.map((environment) => [environment, 'sources', versions.origin()])
  const notice = { changed: changed.length > 50 ? [['*', 'sources', null]] : changed }
  await sql`select pg_notify('marquee', ${JSON.stringify(notice)})`.execute(db)
}
