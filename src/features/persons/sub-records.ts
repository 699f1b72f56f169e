import { randomUUIDv7 } from 'node:crypto'
import { isoDate } from '../../dates.ts'
import type { SubRecord } from './table.ts'

type Said<T extends SubRecord> = Omit<T, keyof SubRecord> & { id?: string }

/** How a kind of sub-record is recognised when a list is sent again. */
export type Kind<T extends SubRecord> = {
  /** What makes two the same, whatever their ids. */
  keyOf(said: Said<T>): string
  /** Ids are the caller's. */
  ownIds?: true
}

/**
 * A list that replaces another. What is sent under an id that was there, or says what was there, keeps id and
 * `created_on`; what says nothing new is the same object. What is said twice counts once.
 */
export const replaceList = <T extends SubRecord>(
  before: T[],
  sent: Said<T>[],
  { keyOf, ownIds }: Kind<T>,
  now: Date,
): T[] => {
  const unique = [...Map.groupBy(sent, keyOf).values()].map(([first]) => first!)
  const free = new Set(before)
  const take = (found: T | undefined): T | undefined => (found && free.delete(found) ? found : undefined)
  const byId = unique.map(({ id }) => (ownIds ? undefined : take(before.find((one) => one.id === id))))
  return unique.map((said, index) => {
    const known = byId[index] ?? take([...free].find((one) => keyOf(one) === keyOf(said)))
    return stamp(said, known, ownIds, now)
  })
}

const stamp = <T extends SubRecord>(
  { id, ...said }: Said<T>,
  known: T | undefined,
  ownIds: true | undefined,
  now: Date,
): T => {
  if (known && Object.entries(said).every(([name, value]) => known[name as keyof T] === value)) return known
  const times = known
    ? { created_on: known.created_on, changed_on: isoDate(now) }
    : { created_on: isoDate(now), changed_on: null }
  return { id: ownIds ? id : (known?.id ?? randomUUIDv7()), ...times, ...said } as unknown as T
}
