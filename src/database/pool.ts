import type postgres from 'postgres'
import { shareArrayTypes } from './array-types.ts'

export type Pool = {
  current(): postgres.Sql
  /** Called once, when other connections take over; gives what makes it forget. */
  whenReplaced(call: () => void): () => void
  close(): Promise<void>
}

/** How long what is under way on the old connections may take once new ones have taken their place. */
const grace = 15

/** Seconds that pass between two replacements, so that an outage does not make a new pool with every attempt. */
const rest = 0.2

/**
 * Connections that are replaced together as soon as one of them is lost. postgres.js (3.4.9) uses a lost one
 * again, but when a statement was about to be written at that moment, its next start-up message stays unsent
 * for good, and a statement between the error and the close of a socket is never answered.
 *
 * Connections must not be closed for idleness or age, which would look like a loss.
 */
export const createPool = (open: (onclose: () => void) => postgres.Sql): Pool => {
  let closed = false
  const waiting = new Set<() => void>()
  const retired = new Map<postgres.Sql, NodeJS.Timeout>()
  let current = make()

  /** What is under way goes on; what the driver forgot to answer is refused when the time is over. */
  const retire = (old: postgres.Sql): void => {
    const end = () => {
      retired.delete(old)
      old.end({ timeout: 0 }).catch(() => {})
    }
    retired.set(old, setTimeout(end, grace * 1000).unref())
  }

  function make(): postgres.Sql {
    const from = performance.now()
    let asked = false
    const replace = (): void => {
      if (closed) return
      current = make()
      for (const call of [...waiting]) call()
      retire(own)
    }
    const own: postgres.Sql = open(() => {
      if (asked || closed) return
      asked = true
      setTimeout(replace, Math.max(0, rest * 1000 - (performance.now() - from))).unref()
    })
    return shareArrayTypes(own)
  }

  return {
    current: () => shareArrayTypes(current),
    whenReplaced(call) {
      waiting.add(call)
      return () => waiting.delete(call)
    },
    async close() {
      closed = true
      for (const timer of retired.values()) clearTimeout(timer)
      const old = [...retired.keys()].map((sql) => sql.end({ timeout: 0 }).catch(() => {}))
      await Promise.all([current.end({ timeout: 5 }), ...old])
    },
  }
}
