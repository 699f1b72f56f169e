import type { Entries } from './keys.ts'

/** Work that the service has not got yet, kept in this browser until it has. */
type Kept = { etag: string | null; pending: [string, unknown][]; base: [string, unknown][] }

const nameOf = (environment: string, id: string): string => `marquee.work.${environment}.${id}`

export const readKept = (environment: string, id: string): Kept | undefined => {
  try {
    const kept = localStorage.getItem(nameOf(environment, id))
    return kept ? JSON.parse(kept) : undefined
  } catch {
    return undefined
  }
}

/** False where the browser has no room. */
export const keep = (
  environment: string,
  id: string,
  etag: string | null,
  pending: Entries,
  base: Entries,
): boolean => {
  try {
    if (pending.size === 0) localStorage.removeItem(nameOf(environment, id))
    else {
      const before = [...pending.keys()].map((key): [string, unknown] => [key, base.get(key) ?? null])
      const kept: Kept = { etag, pending: [...pending], base: before }
      localStorage.setItem(nameOf(environment, id), JSON.stringify(kept))
    }
    return true
  } catch {
    return false
  }
}
