import { strongest } from './gram.ts'
import { type Sparse, transpose } from './matrix.ts'

/** What publications say of themselves: words, tags and models as numbered terms, and how much each is said. */
export type Documents = { rows: Sparse; terms: number }

export const noDocuments = (items: number): Documents => ({
  rows: { starts: new Int32Array(items + 1), columns: new Int32Array(0), values: new Float32Array(0) },
  terms: 0,
})

/** Neighbours by content that are kept for each. */
const nearest = 20
/** What more publications than this have says little of each, and would cost the most. */
const widest = 500
/** Saturation and length of BM25. */
const k1 = 1.2
const b = 0.6

/**
 * Neighbours by what publications say, for those that nobody has seen yet. Terms weigh by TF-IDF with the saturation
 * of BM25; the likeness of two is the cosine of their terms.
 */
export const contentNeighbours = (documents: Documents): Sparse => {
  const { starts, columns, values } = weighed(documents)
  const postings = transpose({ starts, columns, values }, documents.terms)
  const items = starts.length - 1
  const scores = new Float32Array(items)
  const touched = new Int32Array(items)
  const found: Sparse = {
    starts: new Int32Array(items + 1),
    columns: new Int32Array(items * nearest),
    values: new Float32Array(items * nearest),
  }
  let end = 0
  for (let own = 0; own < items; own++) {
    let count = 0
    for (let at = starts[own]!; at < starts[own + 1]!; at++) {
      const term = columns[at]!
      for (let other = postings.starts[term]!; other < postings.starts[term + 1]!; other++) {
        const item = postings.columns[other]!
        if (scores[item] === 0) touched[count++] = item
        scores[item]! += values[at]! * postings.values[other]!
      }
    }
    scores[own] = 0
    for (const item of strongest(scores, touched.subarray(0, count), nearest)) {
      found.columns[end] = item
      found.values[end++] = scores[item]!
    }
    for (let at = 0; at < count; at++) scores[touched[at]!] = 0
    found.starts[own + 1] = end
  }
  return { starts: found.starts, columns: found.columns.slice(0, end), values: found.values.slice(0, end) }
}

/** Vectors of length 1, without terms that are too rare or too common to tell two alike. */
const weighed = ({ rows, terms }: Documents): Sparse => {
  const { starts, columns, values } = rows
  const items = starts.length - 1
  const frequency = new Int32Array(terms)
  for (const term of columns) frequency[term]!++
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, items)
  const found = { starts: new Int32Array(items + 1), columns: columns.slice(), values: values.slice() }
  let end = 0
  for (let item = 0; item < items; item++) {
    const from = end
    let length = 0
    for (let at = starts[item]!; at < starts[item + 1]!; at++) length += values[at]!
    let sum = 0
    for (let at = starts[item]!; at < starts[item + 1]!; at++) {
      const having = frequency[columns[at]!]!
      if (having < 2 || having > widest) continue
      const idf = Math.log(1 + (items - having + 0.5) / (having + 0.5))
      const count = values[at]!
      const weight = (idf * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / mean))
      sum += weight * weight
      found.columns[end] = columns[at]!
      found.values[end++] = weight
    }
    for (let at = from; at < end; at++) found.values[at]! /= Math.sqrt(sum)
    found.starts[item + 1] = end
  }
  return {
    starts: found.starts,
    columns: found.columns.subarray(0, end),
    values: found.values.subarray(0, end),
  }
}
