import { fault, inside, type Place } from './place.ts'

/** One property of a value: how it is read, and how it is described. Every property may be null. */
export type Property = {
  read(raw: unknown, place: Place): unknown
  /** JSON schema of what is shown; of what is sent, where that may be more. */
  schema: object
  sent?: object
  /** What it is when nothing is sent; null unless told otherwise. */
  default?: unknown
}

const textual = (maxLength: number, check?: (text: string, place: Place) => unknown): Property => ({
  schema: { type: ['string', 'null'], maxLength },
  read: (raw, place) => {
    if (typeof raw !== 'string') return fault(place, 'must be a string')
    if (raw.length > maxLength) return fault(place, `must not be longer than ${maxLength} characters`)
    return check && raw !== '' ? check(raw, place) : raw
  },
})

export const maxBody = 1_000_000
export const body = textual(maxBody)
export const text = textual(10_000)

const webAddress = /^https?:\/\/[^\s/?#]+[^\s]*$/i
export const url = textual(2_000, (raw, place) =>
  webAddress.test(raw) && URL.canParse(raw) ? raw : fault(place, 'must be an http or https address'),
)

/** Addresses of other schemes could run code where they are followed. */
const scheme = /^[a-z][a-z0-9+.-]*:/i
export const link = textual(2_000, (raw, place) => {
  const isSafe = scheme.test(raw) ? /^(?:https?|mailto|tel):/i.test(raw) && URL.canParse(raw) : true
  return isSafe && !/[\x00-\x20\x7f]/.test(raw)
    ? raw
    : fault(place, 'must be an http, https, mailto or tel address, or a relative one')
})

export const color = textual(9, (raw, place) =>
  /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(raw)
    ? raw
    : fault(place, 'must be a hex colour such as #1a2b3c'),
)

/** A given id of a foreign record, which is the content itself. */
export const foreignId = textual(200)

/** Kept as it was written; epoch seconds may come as a number. */
export const date: Property = {
  schema: { type: ['string', 'null'], maxLength: 100 },
  sent: { type: ['string', 'integer', 'null'], maxLength: 100 },
  read: (raw, place) => textual(100).read(Number.isSafeInteger(raw) ? String(raw) : raw, place),
}

export const oneOf = (values: readonly string[], fallback: string | null = null): Property => ({
  schema: { enum: [...values, null] },
  default: fallback,
  read: (raw, place) =>
    values.includes(raw as string) ? raw : fault(place, `must be one of ${values.join(', ')}`),
})

const decimal = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
/** -0 is stored as 0. */
const numberOf = (raw: unknown, fromText: boolean): number | undefined => {
  const number = fromText && typeof raw === 'string' && decimal.test(raw) ? Number(raw) : raw
  return typeof number === 'number' && Number.isFinite(number) ? number + 0 : undefined
}

export const integer = (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): Property => ({
  schema: { type: ['integer', 'null'], minimum: min, maximum: max },
  read: (raw, place) => {
    const number = numberOf(raw, place.isForm)
    const bounded = min === Number.MIN_SAFE_INTEGER ? '' : ` from ${min} to ${max}`
    return Number.isSafeInteger(number) && number! >= min && number! <= max
      ? number
      : fault(place, `must be an integer${bounded}`)
  },
})

export const number: Property = {
  schema: { type: ['number', 'null'] },
  read: (raw, place) => numberOf(raw, place.isForm) ?? fault(place, 'must be a number'),
}

/** Sent as a string or a number, shown as a number. */
export const degrees = (bound: number): Property => ({
  schema: { type: ['number', 'null'], minimum: -bound, maximum: bound },
  sent: { type: ['number', 'string', 'null'] },
  read: (raw, place) => {
    const degree = numberOf(raw, true)
    return degree !== undefined && Math.abs(degree) <= bound
      ? degree
      : fault(place, `must be a number from -${bound} to ${bound}`)
  },
})

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
export const boolean: Property = {
  schema: { type: ['boolean', 'null'] },
  read: (raw, place) => {
    const value = place.isForm ? (booleans.get(raw) ?? raw) : raw
    return typeof value === 'boolean' ? value : fault(place, 'must be true or false')
  },
}

/** Reads each property that was sent; names that are none are faults. */
export const readProperties = (
  properties: Record<string, Property>,
  sent: Record<string, unknown>,
  place: Place,
  ignored: readonly string[] = [],
): Record<string, unknown> => {
  for (const name of Object.keys(sent))
    if (!Object.hasOwn(properties, name) && !ignored.includes(name))
      fault(inside(place, name), 'is not a known property')
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, readProperty(property, name, sent, place)]),
  )
}

/** What is not sent stays, or is what it begins with; null, in a form an empty string, takes it away. */
const readProperty = (
  property: Property,
  name: string,
  sent: Record<string, unknown>,
  place: Place,
): unknown => {
  const raw = Object.hasOwn(sent, name) ? sent[name] : undefined
  const initial = property.default ?? null
  if (raw === undefined) return place.before?.[name] ?? initial
  if (raw === null || (place.isForm && raw === '')) return initial
  return property.read(raw, inside(place, name))
}
