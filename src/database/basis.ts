import type { Family } from './versions.ts'

/** `interactions`: counted anew all the time. `drafts`: changed without an event. `time`: addresses that expire. */
export type Basis = Family | 'interactions' | 'drafts' | 'time'

const bases = new WeakMap<object, Set<Basis>>()

/**
 * Notes that the answer to a reader rests on something that its route does not name, because most answers do not: a
 * person that a publication refers to, a user that made it. Whoever keeps answers asks `basisOf` afterwards.
 */
export const restOn = (reader: object, basis: Basis): void => {
  const known = bases.get(reader)
  if (known) known.add(basis)
  else bases.set(reader, new Set([basis]))
}

export const basisOf = (reader: object): ReadonlySet<Basis> => bases.get(reader) ?? nothing
const nothing: ReadonlySet<Basis> = new Set()
