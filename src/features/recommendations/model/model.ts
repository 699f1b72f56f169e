import { contentNeighbours, type Documents } from './content.ts'
import type { Events } from './events.ts'
import type { Gram } from './gram.ts'
import { historiesOf, type Sparse } from './matrix.ts'
import { popularityOf } from './popularity.ts'
import { type Sessions, sessionsOf } from './sessions.ts'
import { affordable, trainEase } from './train.ts'

/** All that predictions rest on. Publications have numbers; `ids` gives them their names. */
export type Model = {
  ids: string[]
  index: Map<string, number>
  speaks: Sparse
  content: Sparse
  popularity: Float32Array
  /** The most popular, once somebody asked for them. */
  popular?: Int32Array | undefined
  /** Persons that each was learned from: what few have seen is cold. */
  support: Int32Array
  sessions: Sessions
  /** Publications that were learned anew since, by who speaks for them. */
  corrections: Corrections
}

export type Corrections = {
  /** Numbers whose column in `speaks` no longer counts. */
  replaced: Set<number>
  speaks: Map<number, [to: number, weight: number][]>
  /** By content, from each that is like one. */
  likes: Map<number, [to: number, likeness: number][]>
}

export const noCorrections = (): Corrections => ({ replaced: new Set(), speaks: new Map(), likes: new Map() })

export type Trained = { model: Model; gram: Gram; lambda: number }

const longest = 1000

export const trainModel = (
  ids: string[],
  events: Events,
  persons: number,
  documents: Documents,
  now: number,
): Trained => {
  const items = ids.length
  const cap = affordable(lengthsOf(events, persons), longest)
  const histories = historiesOf(events, persons, { now, cap })
  const { speaks, lambda, gram } = trainEase(histories, items)
  const support = new Int32Array(items)
  for (const item of histories.columns) support[item]!++
  const model: Model = {
    ids,
    index: new Map(ids.map((id, number) => [id, number])),
    speaks,
    content: contentNeighbours(documents),
    popularity: popularityOf(events, items, now),
    support,
    sessions: sessionsOf(histories, items),
    corrections: noCorrections(),
  }
  return { model, gram, lambda }
}

const lengthsOf = ({ length, persons: owners }: Events, persons: number): Int32Array => {
  const lengths = new Int32Array(persons)
  for (let at = 0; at < length; at++) lengths[owners[at]!]!++
  return lengths
}
