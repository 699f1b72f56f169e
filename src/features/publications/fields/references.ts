import { isObject } from '../../../objects.ts'
import { readList } from './lists.ts'
import type { ReferenceKind } from './names.ts'
import { fault, inside, type Place, type Sent } from './place.ts'
import type { Property } from './properties.ts'

/** An item of a reference. A tag that was sent by body has no id until names are resolved. */
export type ReferenceItem = { id: string } | { body: string }

const readBack = ['id', 'created_on', 'changed_on', 'label', 'body', 'slug']
const maxTag = 200

/** What a reference names, each thing once. `settled` hears what an item was found to be. */
export const readReferences = (
  raw: unknown,
  place: Place,
  kindsOf: (item: Sent) => ReferenceKind[],
  settled: (kind: ReferenceKind) => string | undefined = () => undefined,
): ReferenceItem[] => {
  const isOne = isObject(raw) && (Object.hasOwn(raw, 'id') || Object.hasOwn(raw, 'body'))
  const readOne = (item: unknown, at: Place) => readItem(item, at, kindsOf, settled)
  const items = isOne ? [readOne(raw, place) ?? []].flat() : readList(raw, place, readOne)
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = 'id' in item ? `id ${item.id}` : `body ${item.body.toLowerCase()}`
    return !seen.has(key) && seen.add(key)
  })
}

const readItem = (
  item: unknown,
  place: Place,
  kindsOf: (item: Sent) => ReferenceKind[],
  settled: (kind: ReferenceKind) => string | undefined,
): ReferenceItem | undefined => {
  if (!isObject(item)) return fault(place, 'must be an object with an id')
  const kinds = kindsOf(item)
  const read = readName(item, place, kinds)
  if (!read) return undefined
  // What a GET showed may carry whatever `fields` expanded in it.
  if (!Object.hasOwn(item, 'created_on'))
    for (const name of Object.keys(item))
      if (!readBack.includes(name)) fault(inside(place, name), 'is not a known property')
  const name = 'id' in read ? 'id' : 'body'
  place.names.push({
    path: `${place.path}.${name}`,
    kinds,
    ...read,
    ...(place.models && { models: place.models }),
    settle: (found) => {
      Object.assign(read, { id: found.id })
      delete (read as { body?: string }).body
      return settled(found.kind)
    },
  })
  return read
}

const readName = (item: Sent, place: Place, kinds: ReferenceKind[]): ReferenceItem | undefined => {
  const { id, body } = item
  if (id !== undefined && id !== null) {
    if (typeof id === 'string' && id !== '' && id.length <= 200) return { id }
    return fault(inside(place, 'id'), 'must be an id')
  }
  if (!kinds.includes('Tag')) return fault(inside(place, 'id'), 'is required')
  if (body === undefined) return fault(inside(place, 'id'), 'or body is required')
  if (typeof body === 'string' && body.trim() !== '' && body.trim().length <= maxTag)
    return { body: body.trim() }
  return fault(inside(place, 'body'), `must be a string of 1 to ${maxTag} characters`)
}

export const references = (kind: ReferenceKind): Property => ({
  schema: { type: 'object', additionalProperties: { type: 'object', additionalProperties: true } },
  sent: {
    type: ['array', 'object'],
    items: {
      type: 'object',
      properties: { id: { type: 'string' }, ...(kind === 'Tag' && { body: { type: 'string' } }) },
    },
  },
  default: [],
  read: (raw, place) => readReferences(raw, place, () => [kind]),
})
