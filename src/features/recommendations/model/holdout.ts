import { companionsOf, type EaseRow, easeSolver } from './ease.ts'
import { gramOf } from './gram.ts'
import type { Histories } from './matrix.ts'

/** In units of the mean diagonal of the gram, so that they fit few and many interactions alike. */
const factors = [0.3, 1, 3, 6]
const judges = 3000
const sampled = 1500

export type HoldoutOptions = { neighbours: number; keep: number }

/**
 * λ by what it is good for: of some persons a fifth of their publications, the newest, is held back, and that λ is
 * taken which ranks those highest. Only a sample of publications is ranked, so all λ together cost a few seconds.
 */
export const chooseLambda = (histories: Histories, items: number, options: HoldoutOptions): number => {
  const { kept, held } = holdBack(histories)
  const gram = gramOf(kept, items, options.keep)
  const mean = gram.diagonal.reduce((sum, value) => sum + value, 0) / Math.max(1, activeOf(gram.diagonal))
  const targets = targetsOf(held, items)
  if (targets.length < 10 || !(mean > 0)) return Math.max(1, mean * 3)
  let best = { lambda: mean, quality: -1 }
  for (const factor of factors) {
    const solve = easeSolver(gram, { neighbours: options.neighbours, lambda: factor * mean })
    const quality = qualityOf(kept, held, targets, items, (item) => solve(companionsOf(gram, item)))
    if (quality > best.quality) best = { lambda: factor * mean, quality }
  }
  return best.lambda
}

const activeOf = (diagonal: Float32Array): number =>
  diagonal.reduce((sum, value) => sum + (value > 0 ? 1 : 0), 0)

type Held = Map<number, Int32Array>

/** Every n-th person with enough to hold something back. */
const holdBack = (histories: Histories): { kept: Histories; held: Held } => {
  const persons = histories.starts.length - 1
  const every = Math.max(1, Math.floor(persons / judges))
  const held: Held = new Map()
  const starts = new Int32Array(persons + 1)
  const columns = new Int32Array(histories.columns.length)
  const values = new Float32Array(histories.columns.length)
  let end = 0
  for (let person = 0; person < persons; person++) {
    const from = histories.starts[person]!
    const to = histories.starts[person + 1]!
    const back = person % every === 0 && to - from >= 5 ? Math.floor((to - from) / 5) : 0
    const times = histories.times
    // Where all happened at once, any fifth will do: strewn, so that no order of numbers tells it.
    const isStrewn = back > 0 && times[from] === times[to - 1]
    const isHeld = (at: number): boolean => (isStrewn ? (at - from) % 5 === 2 : at - from < back)
    const own: number[] = []
    for (let at = from; at < to; at++)
      if (back > 0 && isHeld(at)) own.push(histories.columns[at]!)
      else {
        columns[end] = histories.columns[at]!
        values[end++] = histories.values[at]!
      }
    if (own.length > 0) held.set(person, Int32Array.from(own))
    starts[person + 1] = end
  }
  const kept = {
    starts,
    columns: columns.subarray(0, end),
    values: values.subarray(0, end),
    times: histories.times,
  }
  return { kept, held }
}

/** Publications that were held back, as often as they were; the first of them in an order that means nothing. */
const targetsOf = (held: Held, items: number): Int32Array => {
  const seen = new Uint8Array(items)
  const found: number[] = []
  for (const own of held.values())
    for (const item of own)
      if (seen[item] === 0 && found.length < sampled) {
        seen[item] = 1
        found.push(item)
      }
  return Int32Array.from(found)
}

type Solve = (item: number) => EaseRow

/** Mean discounted gain of what was held back, ranked among the targets. */
const qualityOf = (kept: Histories, held: Held, targets: Int32Array, items: number, solve: Solve): number => {
  const speaks = new Map<number, { target: number; weight: number }[]>()
  targets.forEach((item, target) => {
    const { neighbours, weights } = solve(item)
    neighbours.forEach((from, at) => {
      const list = speaks.get(from)
      const entry = { target, weight: weights[at]! }
      if (list) list.push(entry)
      else speaks.set(from, [entry])
    })
  })
  const place = new Int32Array(items).fill(-1)
  targets.forEach((item, target) => {
    place[item] = target
  })
  const scores = new Float32Array(targets.length)
  let gain = 0
  for (const [person, own] of held) {
    scores.fill(0)
    for (let at = kept.starts[person]!; at < kept.starts[person + 1]!; at++)
      for (const { target, weight } of speaks.get(kept.columns[at]!) ?? [])
        scores[target]! += weight * kept.values[at]!
    for (let at = kept.starts[person]!; at < kept.starts[person + 1]!; at++) {
      const target = place[kept.columns[at]!]!
      if (target >= 0) scores[target] = Number.NEGATIVE_INFINITY
    }
    for (const item of own) gain += place[item]! >= 0 ? 1 / Math.log2(2 + rankOf(scores, place[item]!)) : 0
  }
  return gain
}

const rankOf = (scores: Float32Array, target: number): number => {
  const own = scores[target]!
  let rank = 0
  for (const score of scores) if (score > own) rank++
  return own > 0 ? rank : scores.length
}
