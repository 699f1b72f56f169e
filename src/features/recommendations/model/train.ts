import { companionsOf, easeSolver } from './ease.ts'
import { type Gram, gramOf } from './gram.ts'
import { chooseLambda } from './holdout.ts'
import { type Histories, type Sparse, transpose } from './matrix.ts'

/** Neighbours per publication. */
export const neighbours = 80
/** Companions of a publication that are remembered while learning. */
const companions = 500
/** Pairs of publications that are looked at, at most: some ten seconds. */
const pairs = 1_200_000_000

export type Ease = {
  /** From a publication to those that it speaks for. */
  speaks: Sparse
  lambda: number
  /** The companions that later corrections of single publications rest on. */
  gram: Gram
}

/** The longest history that can be afforded: pairs grow with the square. */
export const affordable = (lengths: Int32Array, most: number): number => {
  for (let cap = most; cap > 20; cap = Math.floor(cap * 0.7)) {
    let sum = 0
    for (const length of lengths) sum += Math.min(length, cap) ** 2
    if (sum <= pairs) return cap
  }
  return 20
}

export const trainEase = (histories: Histories, items: number): Ease => {
  const lambda = chooseLambda(histories, items, { neighbours, keep: companions })
  const gram = gramOf(histories, items, companions)
  const solve = easeSolver(gram, { neighbours, lambda })
  const starts = new Int32Array(items + 1)
  const from = new Int32Array(items * neighbours)
  const weights = new Float32Array(items * neighbours)
  let end = 0
  for (let item = 0; item < items; item++) {
    const row = solve(companionsOf(gram, item))
    from.set(row.neighbours, end)
    weights.set(row.weights, end)
    end += row.neighbours.length
    starts[item + 1] = end
  }
  const spoken = { starts, columns: from.subarray(0, end), values: weights.subarray(0, end) }
  return { speaks: transpose(spoken, items), lambda, gram: cut(gram, neighbours) }
}

/** The strongest of each row: what is stored with the model. */
const cut = (gram: Gram, keep: number): Gram => {
  const items = gram.diagonal.length
  const starts = new Int32Array(items + 1)
  const columns = new Int32Array(items * keep)
  const values = new Float32Array(items * keep)
  let end = 0
  for (let item = 0; item < items; item++) {
    const from = gram.starts[item]!
    const order = [...gram.values.subarray(from, gram.starts[item + 1]!).keys()]
    order.sort((a, b) => gram.values[from + b]! - gram.values[from + a]!)
    for (const at of order.slice(0, keep)) {
      columns[end] = gram.columns[from + at]!
      values[end++] = gram.values[from + at]!
    }
    starts[item + 1] = end
  }
  return { starts, columns: columns.slice(0, end), values: values.slice(0, end), diagonal: gram.diagonal }
}
