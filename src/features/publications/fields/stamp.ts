import { randomUUIDv7 } from 'node:crypto'
import type { StoredValue } from '../table.ts'
import type { Content } from './place.ts'
import { fieldTypes } from './types.ts'

type Value = Content | StoredValue

/**
 * A value as it is stored. One that says what it said before is the same object; one that says something else
 * keeps its id and the time it was made.
 */
export const stamp = (content: Content, before: StoredValue | undefined, now: string): StoredValue => {
  const same = before?.label === content.label ? before : undefined
  if (same && keyOf(same) === keyOf(content)) return same
  const { label, id: sentId, ...properties } = content
  if (label === 'ElementBox')
    properties.items = stampElements(content.items as Content[], (same?.items ?? []) as StoredValue[], now)
  const id = Object.hasOwn(fieldTypes[label].properties, 'id') ? sentId : (same?.id ?? randomUUIDv7())
  const times = same
    ? { created_on: same.created_on, changed_on: now }
    : { created_on: now, changed_on: null }
  return { label, id: id as string, ...times, ...properties }
}

/** Elements go by their ids; those without one by what they say; each takes the place of at most one. */
const stampElements = (contents: Content[], before: StoredValue[], now: string): StoredValue[] => {
  const byId = new Map(before.map((element) => [`${element.label} ${element.id}`, element]))
  const chosen = contents.map((content) => take(byId, `${content.label} ${content.id}`))
  const rest = Map.groupBy(byId.values(), keyOf)
  return contents.map((content, index) =>
    stamp(content, chosen[index] ?? rest.get(keyOf(content))?.shift(), now),
  )
}

const take = <T>(map: Map<string, T>, key: string): T | undefined => {
  const found = map.get(key)
  map.delete(key)
  return found
}

/** What a value says, in one string: equal ones say the same, whatever the order of their properties. */
export const keyOf = (value: Value): string => {
  const { label, items } = value
  if (label === 'ElementBox') return JSON.stringify([label, (items as Value[]).map(keyOf)])
  const names = Object.keys(fieldTypes[label].properties)
  return JSON.stringify([label, names.map((name) => ordered(value[name]))])
}

const ordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((item: object) => Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
