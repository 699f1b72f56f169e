import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { Family } from '../database/versions.ts'

/** What a cache in between knows the answers by that rest on a part of an environment's data. */
export const surrogateKey = (environment: string, family: Family): string => `${environment}/${family}`

/** Changes of this long are told together, and what was not taken is told again after as long, doubled up to a minute. */
const gather = 200
const longest = 60_000
const patience = 10_000

/**
 * Tells MARQUEE_PURGE_URL which surrogate keys have changed: `POST {"keys": ["<environment>/content", …]}`. `*` means
 * everything. Keys that could not be told wait and are told with the next; none is forgotten while the process lives.
 */
export const startPurging = (
  { config, notices }: Context,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } => {
  const { purgeUrl, purgeToken } = config
  if (!purgeUrl) return { stop: async () => {} }
  const changed = new Set<string>()
  const ended = new AbortController()
  const tell = async (keys: string[]): Promise<void> => {
    const response = await fetch(purgeUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(purgeToken && { authorization: `Bearer ${purgeToken}` }),
      },
      body: JSON.stringify({ keys }),
      redirect: 'error',
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(patience)]),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the purge hook answered ${response.status}`)
  }

  let working: Promise<void> | undefined
  const work = async (): Promise<void> => {
    for (let wait = gather; changed.size > 0 && !ended.signal.aborted; ) {
      await sleep(wait, undefined, { signal: ended.signal }).catch(() => {})
      const keys = [...changed]
      changed.clear()
      try {
        await tell(keys)
        wait = gather
      } catch (error) {
        for (const key of keys) changed.add(key)
        wait = Math.min(wait * 2, longest)
        if (!ended.signal.aborted) onError(error)
      }
    }
    working = undefined
  }
  const stopListening = notices.listen((environment, families) => {
    for (const family of families) changed.add(environment === '*' ? '*' : surrogateKey(environment, family))
    working ??= work()
  })
  return {
    async stop(): Promise<void> {
      stopListening()
      ended.abort()
      await working
    },
  }
}
