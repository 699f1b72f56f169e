import type { Model } from '../model/model.ts'
import type { Past } from '../model/score.ts'

/** Publications that speak for one, shown. */
const shown = 3

export type Reason = {
  /** Because of these, which were seen; what each adds. */
  publications: { id: string; weight: number }[]
  /** Tags that it shares with what was seen last. */
  tags: string[]
  /** Whether many came to it lately. */
  popular: boolean
  /** Whether it is being tried, because few have seen it yet. */
  exploring: boolean
}

type Spoken = { starts: Int32Array; columns: Int32Array; values: Float32Array }

const weightIn = ({ starts, columns, values }: Spoken, from: number, to: number): number => {
  if (from + 1 >= starts.length) return 0
  for (let at = starts[from]!; at < starts[from + 1]!; at++) if (columns[at] === to) return values[at]!
  return 0
}

const correctedIn = (map: Map<number, [number, number][]>, from: number, to: number): number =>
  map.get(from)?.find(([other]) => other === to)?.[1] ?? 0

/** What each publication of the past adds to one: by what persons do together, or by being alike. */
export const spokenFor = (model: Model, past: Past, id: string): Reason['publications'] => {
  const to = model.index.get(id)
  if (to === undefined) return []
  const { replaced, speaks, likes } = model.corrections
  const weigh = (from: number): number => {
    const together = replaced.has(to) ? 0 : weightIn(model.speaks, from, to)
    const alike = Math.max(weightIn(model.content, from, to), correctedIn(likes, from, to))
    return Math.max(together + correctedIn(speaks, from, to), alike)
  }
  return past
    .map(({ item, strength }) => ({ id: model.ids[item]!, weight: strength * weigh(item) }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, shown)
    .map(({ id: from, weight }) => ({ id: from, weight: Number(weight.toPrecision(3)) }))
}

export const isPopular = (model: Model, id: string): boolean => {
  const item = model.index.get(id)
  return item !== undefined && (model.popular?.includes(item) ?? false) && model.popularity[item]! > 0
}
