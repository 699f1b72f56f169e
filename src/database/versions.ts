import { LRUCache } from 'lru-cache'

/**
 * Parts of an environment's data that change apart from one another. Interactions bump none. `structure` is what
 * content is made by, models and statuses: it changes rarely and is asked for by every request.
 */
export type Family = 'content' | 'structure' | 'audience' | 'messages' | 'music' | 'access'

/**
 * One number per environment and family, raised whenever something in it may have changed: by this process
 * at commit, by the others when the dispatcher tells. Whatever was worked out under an older number is stale.
 */
export const dataVersions = () => {
  const versions = new Map<string, number>()
  let epoch = 1
  return {
    of: (environment: string, family: Family): string =>
      `${epoch}.${versions.get(`${environment} ${family}`) ?? 0}`,
    bump(environment: string, family: Family): void {
      const key = `${environment} ${family}`
      versions.set(key, (versions.get(key) ?? 0) + 1)
    },
    /** After a gap in what we heard, nothing that is remembered can be trusted. */
    forget(): void {
      epoch += 1
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

/** Totals of lists, remembered until the data version moves; requests for the same total share one count. */
export const rememberedTotals = (versions: DataVersions, trusted: () => boolean) => {
  const totals = new LRUCache<string, Promise<number>>({ max: 20_000 })
  return (
    environment: string,
    family: Family,
    key: string,
    count: () => Promise<number>,
  ): Promise<number> => {
    if (!trusted()) return count()
    const full = `${environment} ${versions.of(environment, family)} ${key}`
    const known = totals.get(full)
    if (known) return known
    const counted = count()
    totals.set(full, counted)
    counted.catch(() => totals.delete(full))
    return counted
  }
}
export type RememberedTotals = ReturnType<typeof rememberedTotals>
