import { type Gram, strongest } from './gram.ts'
import { solveRidge } from './ridge.ts'

export type EaseOptions = {
  /** Neighbours that may speak for a publication. */
  neighbours: number
  /** Against chance: in the unit of the gram's diagonal. */
  lambda: number
}

/** What a publication goes together with, and how often. */
export type Companions = { columns: Int32Array; values: Float32Array }

/** Which publications speak for one, and how loudly. */
export type EaseRow = { neighbours: Int32Array; weights: Float32Array }

/**
 * One small ridge regression per publication ("local EASE"): how well its strongest companions, all together, tell
 * who has it. Dense EASE inverts one matrix of all publications; here each has one of its neighbours alone, so time
 * and memory grow with their number, not with its cube.
 */
export const easeSolver = (gram: Gram, { neighbours: most, lambda }: EaseOptions) => {
  const items = gram.diagonal.length
  const place = new Int32Array(items).fill(-1)
  const ranks = new Float32Array(items)
  const a = new Float64Array(most * most)
  const b = new Float64Array(most)

  const chosen = ({ columns, values }: Companions): Int32Array => {
    if (columns.length <= most) return columns
    for (let at = 0; at < columns.length; at++)
      ranks[columns[at]!] = values[at]! / Math.sqrt(gram.diagonal[columns[at]!]!)
    return strongest(ranks, columns, most)
  }

  return (companions: Companions): EaseRow => {
    const neighbours = chosen(companions)
    const size = neighbours.length
    for (let at = 0; at < size; at++) place[neighbours[at]!] = at
    fillTarget(companions, place, b)
    a.fill(0, 0, size * size)
    for (let at = 0; at < size; at++) fillRow(gram, neighbours[at]!, at, size, place, a)
    for (let at = 0; at < size; at++) place[neighbours[at]!] = -1
    const weights = new Float32Array(size)
    if (solveRidge(a, b, size, lambda)) for (let at = 0; at < size; at++) weights[at] = b[at]!
    return { neighbours, weights }
  }
}

/** The row of one publication, as it was counted. */
export const companionsOf = ({ starts, columns, values }: Gram, item: number): Companions => ({
  columns: columns.subarray(starts[item]!, starts[item + 1]!),
  values: values.subarray(starts[item]!, starts[item + 1]!),
})

const fillTarget = ({ columns, values }: Companions, place: Int32Array, b: Float64Array): void => {
  for (let at = 0; at < columns.length; at++) {
    const to = place[columns[at]!]!
    if (to >= 0) b[to] = values[at]!
  }
}

/** A pair that either of the two counts among its strongest is known. */
const fillRow = (
  gram: Gram,
  item: number,
  row: number,
  size: number,
  place: Int32Array,
  a: Float64Array,
): void => {
  a[row * size + row] = gram.diagonal[item]!
  const end = gram.starts[item + 1]!
  for (let at = gram.starts[item]!; at < end; at++) {
    const column = place[gram.columns[at]!]!
    if (column < 0) continue
    if (column < row) a[row * size + column] = gram.values[at]!
    else a[column * size + row] = gram.values[at]!
  }
}
