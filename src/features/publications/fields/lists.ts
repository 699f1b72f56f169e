import { listOf } from '../../../database/lists.ts'
import { parseMoment } from '../../../database/values.ts'
import { isoDate } from '../../../dates.ts'
import { isObject } from '../../../objects.ts'
import { isDate } from './moments.ts'
import { fault, inside, type Place } from './place.ts'
import { date, degrees, integer, link, number, type Property, readProperties, text } from './properties.ts'

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

type Properties = Record<string, Property>

/** A list of objects of one shape; each must have what is required. */
const objects = (
  properties: Properties,
  required: readonly string[] = [],
  check: (values: Record<string, unknown>, place: Place) => void = () => {},
): Property => ({
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(properties).map(([name, { schema }]) => [name, schema])),
    },
  },
  default: [],
  read: (raw, place) =>
    readList(raw, place, (item, at) => {
      if (!isObject(item)) return fault(at, 'must be an object')
      const read = readProperties(properties, item, { ...at, before: undefined })
      for (const name of required) if (read[name] === null) fault(inside(at, name), 'is required')
      check(read, at)
      return read
    }),
})

export const hours = objects(hourProperties, Object.keys(hourProperties))

export const strings: Property = {
  schema: { type: 'array', items: { type: 'string', maxLength: 10_000 } },
  default: [],
  read: (raw, place) => readList(raw, place, (item, at) => text.read(item, at)),
}

export const locations = objects({ latitude: degrees(90), longitude: degrees(180), name: text }, [
  'latitude',
  'longitude',
])

/** House numbers have letters, and are sent as numbers all the same. */
const houseNumber: Property = {
  ...text,
  sent: { type: ['string', 'integer', 'null'] },
  read: (raw, place) => text.read(Number.isSafeInteger(raw) ? String(raw) : raw, place),
}
export const addresses = objects({
  street: text,
  number: houseNumber,
  postal_code: text,
  city: text,
  country: text,
})

/** As it was written, since a day is as wide as it is long; seconds as the moment that they are. */
const moment: Property = {
  ...date,
  read: (raw, place) => {
    const written = date.read(raw, place) as string | undefined
    if (written === undefined) return undefined
    if (!isDate(written, null)) return fault(place, 'must be a date in ISO 8601 or epoch seconds')
    return /^-?\d+$/.test(written) ? isoDate(parseMoment(written)!.from) : written
  },
}

const checkSpan = ({ from, until }: Record<string, unknown>, place: Place): void => {
  const [start, end] = [spanOf(from), spanOf(until)]
  if (start && end && end.until <= start.from) fault(inside(place, 'until'), 'must not be before from')
}

const spanOf = (written: unknown) => (typeof written === 'string' ? parseMoment(written) : undefined)

export const events = objects({ from: moment, until: moment, name: text }, ['from'], checkSpan)

export const sales = objects(
  { price: number, currency: text, url: link, from: moment, until: moment },
  [],
  checkSpan,
)

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
