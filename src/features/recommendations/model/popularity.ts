import type { Events } from './events.ts'

export const halfLife = 7 * 86_400

/** What many did lately. */
export const popularityOf = (events: Events, items: number, now: number): Float32Array => {
  const sums = new Float32Array(items)
  for (let at = 0; at < events.length; at++) {
    const age = Math.max(0, now - events.times[at]!)
    sums[events.items[at]!]! += events.strengths[at]! * 2 ** (-age / halfLife)
  }
  return sums.map((sum) => Math.log1p(Math.max(0, sum)))
}
