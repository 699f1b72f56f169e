import { strongest } from './gram.ts'
import type { Model } from './model.ts'
import { addSessionScores } from './sessions.ts'

/** What a prediction is made from; `strength` says how much each counts, the newest come first. */
export type Past = { item: number; strength: number }[]

export type Weights = { collaborative: number; sessions: number; content: number; popularity: number }

export type Scored = { item: number; score: number }

const parts = ['collaborative', 'sessions', 'content', 'popularity'] as const
export type Part = (typeof parts)[number]

/** Publications that popularity alone brings in. */
const popular = 200
/** How fast a publication that persons come to stops being judged by its content. */
const warm = 5
const contentFrom = 10

/** Scores of one kind; made once and emptied after each use, as it is as long as there are publications. */
type Board = { scores: Float32Array; touched: Int32Array; count: number }
const boards = new WeakMap<Model, Record<Part | 'total', Board>>()

const boardsOf = (model: Model): Record<Part | 'total', Board> => {
  const known = boards.get(model)
  if (known && known.total.scores.length >= model.ids.length) return known
  const size = model.ids.length + 256
  const board = (): Board => ({ scores: new Float32Array(size), touched: new Int32Array(size), count: 0 })
  const made = {
    collaborative: board(),
    sessions: board(),
    content: board(),
    popularity: board(),
    total: board(),
  }
  boards.set(model, made)
  return made
}

/** A score that comes back to nothing is touched again; a board has room for that by being read once per number. */
const adder = (board: Board) => (item: number, score: number) => {
  const { scores, touched } = board
  if (scores[item] === 0) {
    if (board.count === touched.length) return
    touched[board.count++] = item
  }
  scores[item]! += score
}

/** The best publications after such a past, best first, without those of `excluded` and only those of `within`. */
export const predict = (
  model: Model,
  past: Past,
  weights: Weights,
  excluded: ReadonlySet<number>,
  most: number,
  within?: ReadonlySet<number>,
): Scored[] => {
  const used = boardsOf(model)
  if (weights.collaborative > 0) addCollaborative(model, past, adder(used.collaborative))
  if (weights.sessions > 0)
    addSessionScores(
      model.sessions,
      past.map(({ item }) => item),
      adder(used.sessions),
    )
  if (weights.content > 0) addContent(model, past, adder(used.content))
  if (weights.popularity > 0) addPopularity(model, adder(used.popularity))
  for (const part of parts) blend(used[part], weights[part], adder(used.total))
  return best(used.total, excluded, most, within)
}

const addCollaborative = (model: Model, past: Past, add: (item: number, score: number) => void): void => {
  const { starts, columns, values } = model.speaks
  const { replaced, speaks } = model.corrections
  for (const { item, strength } of past) {
    const end = item + 1 < starts.length ? starts[item + 1]! : 0
    for (let at = end === 0 ? 0 : starts[item]!; at < end; at++)
      if (replaced.size === 0 || !replaced.has(columns[at]!)) add(columns[at]!, strength * values[at]!)
    for (const [to, weight] of speaks.get(item) ?? []) add(to, strength * weight)
  }
}

/** The colder a publication, the more its content counts; what persons make of it is the better judge. */
const addContent = (model: Model, past: Past, add: (item: number, score: number) => void): void => {
  const { starts, columns, values } = model.content
  for (const { item, strength } of past.slice(0, contentFrom)) {
    const end = item + 1 < starts.length ? starts[item + 1]! : 0
    for (let at = end === 0 ? 0 : starts[item]!; at < end; at++) {
      add(columns[at]!, strength * values[at]! * coldness(model, columns[at]!))
    }
    for (const [to, likeness] of model.corrections.likes.get(item) ?? [])
      add(to, strength * likeness * coldness(model, to))
  }
}

const coldness = ({ support }: Model, item: number): number => 1 / (1 + (support[item] ?? 0) / warm)

const addPopularity = (model: Model, add: (item: number, score: number) => void): void => {
  const { popularity } = model
  model.popular ??= Int32Array.from(popularity.keys())
    .sort((one, other) => popularity[other]! - popularity[one]!)
    .slice(0, popular)
  for (const item of model.popular) if (popularity[item]! > 0) add(item, popularity[item]!)
}

/** Each kind is measured by its own best, so that weights mean the same everywhere. */
const blend = (board: Board, weight: number, add: (item: number, score: number) => void): void => {
  const { scores, touched, count } = board
  let top = 0
  for (let at = 0; at < count; at++) top = Math.max(top, scores[touched[at]!]!)
  for (let at = 0; at < count; at++) {
    const score = scores[touched[at]!]!
    if (top > 0 && score !== 0) add(touched[at]!, (weight * score) / top)
    scores[touched[at]!] = 0
  }
  board.count = 0
}

/** Only as many as are wanted are put in order. Ties go by number, so that the same question has the same answer. */
const best = (
  board: Board,
  excluded: ReadonlySet<number>,
  most: number,
  within?: ReadonlySet<number>,
): Scored[] => {
  const { scores, touched, count } = board
  if (within) for (let at = 0; at < count; at++) if (!within.has(touched[at]!)) scores[touched[at]!] = 0
  for (const item of excluded) scores[item] = 0
  const chosen = strongest(scores, touched.subarray(0, count), most)
  const scored = Array.from(new Set(chosen), (item): Scored => ({ item, score: scores[item]! }))
  for (let at = 0; at < count; at++) scores[touched[at]!] = 0
  board.count = 0
  return scored.sort((one, other) => other.score - one.score || one.item - other.item)
}
