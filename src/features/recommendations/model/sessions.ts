import { type Histories, type Sparse, transpose } from './matrix.ts'

/** Histories of others that a visitor without a name is compared with: the newest, short, nobody's. */
export type Sessions = { starts: Int32Array; items: Int32Array; byItem: Sparse }

const most = 20_000
const length = 20
/** Of those that share something, the newest are looked at and the nearest speak. */
const looked = 500
const nearest = 100

export const sessionsOf = (histories: Histories, items: number): Sessions => {
  const persons = histories.starts.length - 1
  const ended = (person: number): number => histories.times[histories.starts[person]!] ?? 0
  const eligible = Int32Array.from({ length: persons }, (_, person) => person).filter(
    (person) => histories.starts[person + 1]! - histories.starts[person]! >= 2,
  )
  const chosen = eligible.sort((one, other) => ended(other) - ended(one)).subarray(0, most)
  const starts = new Int32Array(chosen.length + 1)
  const found = new Int32Array(chosen.length * length)
  let end = 0
  chosen.forEach((person, session) => {
    const from = histories.starts[person]!
    const to = Math.min(histories.starts[person + 1]!, from + length)
    found.set(histories.columns.subarray(from, to), end)
    end += to - from
    starts[session + 1] = end
  })
  return withIndex(starts, found.slice(0, end), items)
}

export const withIndex = (starts: Int32Array, found: Int32Array, items: number): Sessions => {
  const values = new Float32Array(found.length).fill(1)
  return { starts, items: found, byItem: transpose({ starts, columns: found, values }, items) }
}

/**
 * Sessions like this one speak for what else they had (VSKNN): the newest publications of the visitor count most, and
 * sessions in which they stand near what is suggested (STAN). Scores are added to `scores`.
 */
export const addSessionScores = (
  { starts, items, byItem }: Sessions,
  history: readonly number[],
  add: (item: number, score: number) => void,
): void => {
  const likeness = new Map<number, number>()
  history.slice(0, length).forEach((item, age) => {
    if (item + 1 >= byItem.starts.length) return
    const to = Math.min(byItem.starts[item + 1]!, byItem.starts[item]! + looked)
    for (let at = byItem.starts[item]!; at < to; at++) {
      const session = byItem.columns[at]!
      likeness.set(session, (likeness.get(session) ?? 0) + 1 / (1 + age))
    }
  })
  const near = [...likeness].sort(([, one], [, other]) => other - one).slice(0, nearest)
  const own = new Set(history)
  for (const [session, score] of near) {
    const from = starts[session]!
    const to = starts[session + 1]!
    let shared = from
    while (shared < to && !own.has(items[shared]!)) shared++
    for (let at = from; at < to; at++)
      if (!own.has(items[at]!))
        add(items[at]!, (score / Math.sqrt(to - from)) * Math.exp(-Math.abs(at - shared) / 5))
  }
}
