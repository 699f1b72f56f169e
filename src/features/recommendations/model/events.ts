import type { InteractionLabel } from '../../interactions/labels.ts'

/**
 * What happened, one entry per interaction: dense numbers of person and publication, strength by label, and when.
 * Arrays are as long as they had to grow; `length` says how far they are filled.
 */
export type Events = {
  length: number
  persons: Int32Array
  items: Int32Array
  strengths: Float32Array
  /** Epoch seconds. */
  times: Int32Array
}

/** How much an interaction tells of a liking; what is not named here tells nothing. */
export const strengthOf: Partial<Record<InteractionLabel, number>> = {
  View: 1,
  Opened: 1,
  Clickthrough: 1.2,
  Search: 0.5,
  Vote: 1.5,
  Commented: 1.5,
  Remarked: 1.5,
  Share: 2,
  Bookmark: 2,
  Subscribe: 2,
  Like: 2.5,
  Win: 1,
  Sale: 3,
  Purchase: 3,
  Cancellation: -1,
  Dislike: -2.5,
}

export const emptyEvents = (capacity = 1024): Events => ({
  length: 0,
  persons: new Int32Array(capacity),
  items: new Int32Array(capacity),
  strengths: new Float32Array(capacity),
  times: new Int32Array(capacity),
})

export const addEvent = (
  events: Events,
  person: number,
  item: number,
  strength: number,
  time: number,
): void => {
  if (events.length === events.persons.length) grow(events)
  const at = events.length++
  events.persons[at] = person
  events.items[at] = item
  events.strengths[at] = strength
  events.times[at] = time
}

/** By half: ten million events never hold more than 160 MB twice. */
const grow = (events: Events): void => {
  const capacity = Math.ceil(events.persons.length * 1.5)
  const persons = new Int32Array(capacity)
  const items = new Int32Array(capacity)
  const strengths = new Float32Array(capacity)
  const times = new Int32Array(capacity)
  persons.set(events.persons)
  items.set(events.items)
  strengths.set(events.strengths)
  times.set(events.times)
  Object.assign(events, { persons, items, strengths, times })
}
