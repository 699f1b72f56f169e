import { listOf } from '../../../database/lists.ts'
import { isObject } from '../../../objects.ts'
import { fault, inside, type Place } from './place.ts'
import { integer, type Property, readProperties } from './properties.ts'

const maxItems = 1_000

/** A list, also as an object keyed by index: forms send lists so, and a GET shows references so. */
export const readList = <T>(
  raw: unknown,
  place: Place,
  readItem: (item: unknown, place: Place) => T | undefined,
): T[] => {
  const list = isObject(raw) && Object.keys(raw).length === 0 ? [] : listOf(raw)
  if (!list) fault(place, 'must be a list')
  else if (list.length > maxItems) fault(place, `must not hold more than ${maxItems} items`)
  else
    return list.flatMap((item, index) => {
      const read = readItem(item, inside(place, index))
      return read === undefined ? [] : [read]
    })
  return []
}

const time: Property = {
  schema: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$|^24:00$' },
  read: (raw, place) =>
    typeof raw === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(raw)
      ? raw
      : fault(place, 'must be a time HH:MM from 00:00 to 24:00'),
}
const hourProperties = {
  open_day: integer(0, 7),
  open_time: time,
  close_day: integer(0, 7),
  close_time: time,
}

/** Opening hours. All four of their properties are wanted. */
export const hours: Property = {
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(hourProperties).map(([name, { schema }]) => [name, schema]),
      ),
    },
  },
  default: [],
  read: (raw, place) =>
    readList(raw, place, (item, at) => {
      if (!isObject(item)) return fault(at, 'must be an object')
      const read = readProperties(hourProperties, item, { ...at, before: undefined })
      for (const name of Object.keys(hourProperties))
        if (read[name] === null) fault(inside(at, name), 'is required')
      return read
    }),
}

const maxDepth = 3

export const elements: Property = {
  schema: { type: 'array', items: { type: 'object', additionalProperties: true } },
  default: [],
  read: (raw, place) => {
    if (place.depth >= maxDepth) return fault(place, `must not be nested deeper than ${maxDepth}`)
    const depth = place.depth + 1
    return readList(raw, place, (item, at) => place.readElement(item, { ...at, depth, models: undefined }))
  },
}
