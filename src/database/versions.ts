import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/**
 * Parts of an environment's data that change apart from one another. Interactions bump none. `structure` is what
 * content is made by, models and statuses: it changes rarely and is asked for by every request. `segments` are apart from
 * persons: who comes and goes by itself makes no list of persons stale.
 */
export type Family =
  | 'content'
  | 'structure'
  | 'audience'
  | 'segments'
  | 'messages'
  | 'sources'
  | 'music'
  | 'access'

/**
 * Numbers per environment and family, raised whenever something in it may have changed: by this process at commit,
 * by the others when the dispatcher tells. Whatever was worked out under an older number is stale.
 */
export const dataVersions = () => {
  const versions = new Map<string, number>()
  const untold = new Map<string, number>()
  const raise = (numbers: Map<string, number>, key: string) => numbers.set(key, (numbers.get(key) ?? 0) + 1)
  let epoch = 1
  let origin = randomBytes(6).toString('base64url')
  return {
    of: (environment: string, family: Family): string =>
      `${epoch}.${versions.get(`${environment} ${family}`) ?? 0}`,
    /** Moves only with changes of which nobody told what they were. */
    untold: (environment: string, family: Family): string =>
      `${epoch}.${untold.get(`${environment} ${family}`) ?? 0}`,
    bump(environment: string, family: Family, isTold = false): void {
      const key = `${environment} ${family}`
      raise(versions, key)
      if (!isTold) raise(untold, key)
    },
    /** After a gap in what we heard, nothing that is remembered can be trusted. */
    forget(): void {
      epoch += 1
    },
    /** The name under which this process writes events, so that it knows its own when they are told to all. */
    origin: (): string => origin,
    /** A commit without an answer may still happen, and is then news to this process too. */
    rename(): void {
      origin = randomBytes(6).toString('base64url')
    },
  }
}
export type DataVersions = ReturnType<typeof dataVersions>

/** Values worked out from an environment's data, until its version moves; those who ask together share one. */
export const rememberedValues = (versions: DataVersions, trusted: () => boolean) => {
  const values = new LRUCache<string, { version: string; value: Promise<unknown> }>({ max: 2000 })
  return <T>(environment: string, family: Family, key: string, load: () => Promise<T>): Promise<T> => {
    if (!trusted()) return load()
    const name = `${environment} ${family} ${key}`
    const version = versions.of(environment, family)
    const known = values.get(name)
    if (known?.version === version) return known.value as Promise<T>
    const value = load()
    values.set(name, { version, value })
    value.catch(() => values.delete(name))
    return value
  }
}
export type RememberedValues = ReturnType<typeof rememberedValues>
