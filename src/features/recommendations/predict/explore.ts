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

export type Drawn = { ids: string[]; propensity: number }

/** Some of the pool at random, each with the same chance, so that what became of them can later be judged by it. */
export const drawn = (pool: readonly string[], count: number): Drawn => {
  const ids = shuffled(pool).slice(0, count)
  return { ids, propensity: ids.length / Math.max(1, pool.length) }
}

/** What is tried stands anywhere but first, in place of what was ranked there. */
export const explored = <T>(
  ranked: readonly T[],
  tried: readonly T[],
  propensity: number,
  limit: number,
): Slot<T>[] => {
  const length = Math.min(limit, ranked.length + tried.length)
  const places = Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1)
  const exploring = new Set(shuffled(places).slice(0, tried.length))
  const [next, rest] = [tried[Symbol.iterator](), ranked[Symbol.iterator]()]
  const slots: Slot<T>[] = []
  for (let at = 0; at < length; at++) {
    const isTried = exploring.has(at)
    const row = (isTried ? next : rest).next().value
    if (row) slots.push({ row, propensity: isTried ? propensity : 1, exploring: isTried })
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
