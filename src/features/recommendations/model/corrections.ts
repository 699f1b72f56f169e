import type { Model } from './model.ts'

/** One publication learned anew: who speaks for it, and what it is like. */
export type CorrectionRow = {
  publication_id: string
  neighbours: string[]
  weights: number[]
  content: string[]
  likeness: number[]
  support: number
  popularity: number
}

/** Puts publications that were learned anew in the place of what was known of them; new ones get a number. */
export const applyCorrections = (model: Model, rows: readonly CorrectionRow[]): void => {
  const { replaced, speaks, likes } = model.corrections
  const again = new Set(rows.flatMap(({ publication_id }) => model.index.get(publication_id) ?? []))
  for (const map of [speaks, likes])
    for (const [from, list] of map) {
      const rest = list.filter(([to]) => !again.has(to))
      if (rest.length < list.length) map.set(from, rest)
    }
  model.popular = undefined
  for (const row of rows) {
    const to = numberOf(model, row.publication_id)
    replaced.add(to)
    model.support[to] = row.support
    model.popularity[to] = row.popularity
    add(model, speaks, to, row.neighbours, row.weights)
    // Likeness goes both ways: what is new is suggested to who had the others, and leads to them.
    add(model, likes, to, row.content, row.likeness)
    likes.set(to, likingOf(model, row))
  }
}

type Spoken = Map<number, [to: number, weight: number][]>

const add = (model: Model, map: Spoken, to: number, ids: string[], weights: number[]): void => {
  ids.forEach((id, at) => {
    const from = model.index.get(id)
    if (from === undefined) return
    const list = map.get(from)
    if (list) list.push([to, weights[at]!])
    else map.set(from, [[to, weights[at]!]])
  })
}

const likingOf = (model: Model, { content, likeness }: CorrectionRow): [number, number][] =>
  content.flatMap((id, at): [number, number][] => {
    const number = model.index.get(id)
    return number === undefined ? [] : [[number, likeness[at]!]]
  })

const numberOf = (model: Model, id: string): number => {
  const known = model.index.get(id)
  if (known !== undefined) return known
  const number = model.ids.push(id) - 1
  model.index.set(id, number)
  if (number >= model.support.length) {
    model.support = longer(model.support, Int32Array)
    model.popularity = longer(model.popularity, Float32Array)
  }
  return number
}

const longer = <T extends Int32Array | Float32Array>(values: T, Kind: new (length: number) => T): T => {
  const grown = new Kind(values.length + 1024)
  grown.set(values)
  return grown
}
