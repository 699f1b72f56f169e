import type { Model } from '../model/model.ts'

/** Newer and less seen than this, a publication can be tried. */
export const poolSize = 50
const unseen = 20

export type Slot<T> = { row: T; propensity: number; exploring: boolean }

/** How many slots of an answer explore: on average that part of them. */
export const exploringSlots = (limit: number, part: number): number =>
  Math.floor(limit * part + Math.random())

/** Of the newest, those that few persons have seen. */
export const isUnexplored = (model: Model, id: string): boolean => {
  const item = model.index.get(id)
  return item === undefined || (model.support[item] ?? 0) < unseen
}

/**
 * Gives some slots to publications drawn at random from the pool, each with the same chance, so that what became of
 * them can later be judged by that chance. They stand anywhere but first, in place of what was ranked there.
 */
export const explored = <T extends { id: string }>(
  ranked: readonly T[],
  pool: readonly T[],
  count: number,
  limit: number,
): Slot<T>[] => {
  const shown = new Set(ranked.slice(0, limit).map(({ id }) => id))
  const drawable = pool.filter(({ id }) => !shown.has(id))
  const wanted = Math.min(count, drawable.length, Math.max(0, limit - 1))
  const drawn = shuffled(drawable).slice(0, wanted)
  const places = Array.from(
    { length: Math.max(0, Math.min(limit, ranked.length + wanted) - 1) },
    (_, at) => at + 1,
  )
  const exploring = new Set(shuffled(places).slice(0, wanted))
  const rest = ranked[Symbol.iterator]()
  const slots: Slot<T>[] = []
  for (let at = 0; at < limit; at++) {
    const row = exploring.has(at) ? drawn.pop() : rest.next().value
    if (!row) break
    const propensity = exploring.has(at) ? wanted / drawable.length : 1
    slots.push({ row, propensity, exploring: exploring.has(at) })
  }
  return slots
}

const shuffled = <T>(values: readonly T[]): T[] => {
  const found = [...values]
  for (let at = found.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    const kept = found[at]!
    found[at] = found[other]!
    found[other] = kept
  }
  return found
}
