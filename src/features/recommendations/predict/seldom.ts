import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'

/** Where publications change all the time, reading one thing anew takes at most one part in so many of the time. */
const patience = 50

/**
 * Values worked out from an environment's publications: right as long as nothing changes, and otherwise not read anew
 * with every request. Only for what is held against the rows again before it is shown.
 */
export const seldomRead = ({ remember }: Pick<Context, 'remember'>) => {
  const known = new LRUCache<string, { until: number; value: Promise<unknown> }>({ max: 200 })
  return <T>(environmentId: string, key: string, load: () => Promise<T>): Promise<T> => {
    const name = `${environmentId} ${key}`
    const before = known.get(name)
    const begun = performance.now()
    if (before && begun < before.until) return before.value as Promise<T>
    const value = remember(environmentId, 'content', key, load)
    const entry = { until: Number.POSITIVE_INFINITY, value }
    known.set(name, entry)
    value.then(
      () => {
        entry.until = begun + (performance.now() - begun) * patience
      },
      () => known.delete(name),
    )
    return value
  }
}
export type Seldom = ReturnType<typeof seldomRead>
