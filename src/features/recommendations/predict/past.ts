import { strengthOf } from '../model/events.ts'
import { boundedStrength, halfLife } from '../model/matrix.ts'
import type { Model } from '../model/model.ts'
import type { Past } from '../model/score.ts'
import type { Happened } from './person.ts'

/** What a prediction is made from: publications by id, the newest first, and how much each counts. */
export type History = Map<string, number>

/** Of a person that is known: as it counts when all is learned. What was disliked in sum is seen, but speaks for nothing. */
export const historyOfPerson = (past: readonly Happened[]): History => {
  const sums: History = new Map()
  for (const { publication_id, label, age } of past) {
    const strength = strengthOf[label as keyof typeof strengthOf] ?? 0
    sums.set(publication_id, (sums.get(publication_id) ?? 0) + strength * 2 ** (-Math.max(0, age) / halfLife))
  }
  for (const [id, sum] of sums) sums.set(id, boundedStrength(Math.max(0, sum)))
  return sums
}

/** Of a visitor without a name only the order is known: the further back, the less it counts. */
export const historyOfVisitor = (ids: readonly string[]): History =>
  new Map(
    [...ids]
      .reverse()
      .map((id) => [id, 1 / (1 + ids.indexOf(id) / 5)] as const)
      .reverse(),
  )

/** The publication that others shall be like counts as much as all that led to it. */
export const historyAround = (publicationId: string, history: History): History => {
  const sum = [...history.values()].reduce((total, strength) => total + strength, 0)
  const led = [...history].map(([id, strength]) => [id, (strength / Math.max(1, sum)) * 0.5] as const)
  return new Map([[publicationId, 1], ...led.filter(([id]) => id !== publicationId)])
}

export const numbered = (model: Model, history: History): Past =>
  [...history].flatMap(([id, strength]) => {
    const item = model.index.get(id)
    return item === undefined || strength === 0 ? [] : [{ item, strength }]
  })
