import type { FieldLabel } from '../../models/table.ts'
import type { StoredValue } from '../table.ts'
import { addresses, elements, events, hours, locations, sales, strings } from './lists.ts'
import { isDate, isDatePattern, secondsOf } from './moments.ts'
import type { ReferenceKind } from './names.ts'
import { type Content, fault, inside, type Place, type Sent } from './place.ts'
import * as read from './properties.ts'
import { references } from './references.ts'
import { countMarks, maxMarks, maxNesting, plainCode, plainText, sanitize } from './sanitize.ts'

type Values = Record<string, unknown>

/** All there is to know of a type of values. */
type FieldType = {
  properties: Record<string, read.Property>
  /** What the properties must be together; may also put them in order. */
  check?(values: Values, place: Place): void
  /** Whether an object without label is one of these, where its properties alone do not tell. */
  isMeant?(sent: Sent): boolean
  /** The property that validations are about. */
  main?: string
  /** The one that `values` of a validation list, where that is another. */
  choice?: string
  /** What search finds it by. */
  words?(values: Values): unknown[]
  /** What filters compare: a number, or the moment of a date in epoch seconds; two for a place or a range. */
  numbers?(values: Values): (number | null)[]
  /** Properties that alone make nothing filled. */
  minor?: readonly string[]
  /** What its items lead to. */
  kind?: ReferenceKind
}

const textFormats = ['H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'CODE'] as const

const has = (sent: Sent, ...names: string[]): boolean => names.every((name) => Object.hasOwn(sent, name))

const checkText = (values: Values, place: Place): void => {
  const { body, format } = values
  const { before, marks } = place
  if (typeof body !== 'string' || (format !== null && format !== 'CODE')) return
  if (before?.body === body && before.format === format) return
  const at = inside(place, 'body')
  marks.left -= countMarks(body)
  if (marks.left < 0) fault(at, `must not bring more than ${maxMarks} tags and entities to one locale`)
  else if (format === null) values.body = sanitizeBody(body, at)
}

const sanitizeBody = (body: string, place: Place): string | undefined => {
  const clean = sanitize(body)
  if (clean === undefined) return fault(place, `must not nest more than ${maxNesting} tags`)
  return clean.length <= read.maxBody
    ? clean
    : fault(place, `must not be longer than ${read.maxBody} characters`)
}

export const plainBody = ({ body, format }: Values): string => {
  if (typeof body !== 'string') return ''
  if (format !== null && format !== 'CODE') return body
  return (format === null ? plainText(body) : plainCode(body)).replace(/\s+/g, ' ').trim()
}

const pattern: read.Property = {
  schema: { type: ['string', 'null'], examples: ['Y-m-d'] },
  read: (raw, place) =>
    typeof raw === 'string' && isDatePattern(raw)
      ? raw
      : fault(place, 'must be a date pattern such as Y-m-d'),
}

const checkDates =
  (...names: string[]) =>
  (values: Values, place: Place): void => {
    const format = values.format as string | null | undefined
    for (const name of names) {
      const text = values[name]
      if (typeof text !== 'string' || text === '' || format === undefined || isDate(text, format)) continue
      const wanted = format === null ? 'in ISO 8601 or epoch seconds' : `written as ${format}`
      fault(inside(place, name), `must be a date ${wanted}`)
    }
  }

const bounds = ({ from, until, format }: Values) => [secondsOf(from, format), secondsOf(until, format)]

const checkRange = (values: Values, place: Place): void => {
  checkDates('from', 'until')(values, place)
  const [from, until] = bounds(values)
  if (typeof from === 'number' && typeof until === 'number' && from > until)
    fault(inside(place, 'until'), 'must not be before from')
}

const checkPlace = ({ latitude, longitude }: Values, place: Place): void => {
  if (latitude === null && typeof longitude === 'number') fault(inside(place, 'latitude'), 'is required')
  if (longitude === null && typeof latitude === 'number') fault(inside(place, 'longitude'), 'is required')
}

const isNumber = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
const numberAt = (name: string) => (values: Values) => [values[name] as number | null]

const post: FieldType = { properties: { url: read.url }, main: 'url', isMeant: () => false }
const foreign: FieldType = { properties: { id: read.foreignId }, main: 'id', isMeant: () => false }
const reference = (kind: ReferenceKind): FieldType => ({
  properties: { items: references(kind) },
  isMeant: () => false,
  kind,
})

/** A list that only its label, its model or what it was before tells from others. */
const list = (items: read.Property): FieldType => ({ properties: { items }, isMeant: () => false })
const namesIn = ({ items }: Values): unknown[] => (items as { name: unknown }[]).map(({ name }) => name)

/** In the order in which an object without label is tried. */
export const fieldTypes: Record<FieldLabel, FieldType> = {
  Boolean: {
    properties: { value: read.boolean },
    isMeant: ({ value }) => typeof value === 'boolean' || value === 'true' || value === 'false',
    numbers: ({ value }) => [value === null ? null : Number(value)],
  },
  Integer: {
    properties: { value: read.integer() },
    main: 'value',
    isMeant: ({ value }) => isNumber(value) && Number.isInteger(Number(value)),
    numbers: numberAt('value'),
  },
  Float: {
    properties: { value: read.number },
    main: 'value',
    isMeant: ({ value }) => isNumber(value),
    numbers: numberAt('value'),
  },
  Coordinates: {
    properties: { latitude: read.degrees(90), longitude: read.degrees(180) },
    check: checkPlace,
    isMeant: (sent) => has(sent, 'latitude') || has(sent, 'longitude'),
    numbers: ({ latitude, longitude }) => [latitude as number | null, longitude as number | null],
  },
  Quote: {
    properties: { body: read.text, author: read.text },
    main: 'body',
    isMeant: (sent) => has(sent, 'author'),
    words: ({ body, author }) => [body, author],
  },
  Number: {
    properties: { title: read.text, number: read.integer(), description: read.text, body: read.text },
    main: 'number',
    isMeant: (sent) => has(sent, 'number'),
    words: ({ title, description, body }) => [title, description, body],
    numbers: numberAt('number'),
  },
  Resource: {
    properties: {
      url: read.link,
      type: read.oneOf(['Webpage', 'Audio', 'Video', 'Document', 'Other'], 'Webpage'),
    },
    main: 'url',
    choice: 'type',
    minor: ['type'],
    isMeant: (sent) => has(sent, 'url', 'type'),
  },
  DateTimeRange: {
    properties: { from: read.date, until: read.date, format: pattern },
    check: checkRange,
    main: 'from',
    minor: ['format'],
    isMeant: (sent) => has(sent, 'from') || has(sent, 'until'),
    numbers: bounds,
  },
  CardItem: {
    properties: {
      body: read.text,
      sub_title: read.text,
      description: read.text,
      url: read.link,
      url_label: read.text,
    },
    main: 'body',
    isMeant: (sent) =>
      ['sub_title', 'url_label'].some((name) => has(sent, name)) ||
      (has(sent, 'body') && (has(sent, 'description') || has(sent, 'url'))),
    words: ({ body, sub_title, description, url_label }) => [body, sub_title, description, url_label],
  },
  Color: {
    properties: { body: read.color, format: read.oneOf(['Color'], 'Color') },
    main: 'body',
    minor: ['format'],
    isMeant: ({ format }) => format === 'Color',
  },
  DateTime: {
    properties: { body: read.date, format: pattern },
    check: checkDates('body'),
    main: 'body',
    minor: ['format'],
    isMeant: ({ format }) =>
      typeof format === 'string' && !textFormats.includes(format as never) && isDatePattern(format),
    numbers: ({ body, format }) => [secondsOf(body, format)],
  },
  Text: {
    properties: { body: read.body, format: read.oneOf(textFormats) },
    check: checkText,
    main: 'body',
    minor: ['format'],
    isMeant: (sent) => has(sent, 'body'),
    words: (values) => [plainBody(values)],
  },
  MicroblogPost: post,
  PhotoSocialPost: post,
  VideoSitePost: post,
  SocialNetworkPost: post,
  VideoHostPost: post,
  AudioHostPost: post,
  MusicPlaylist: post,
  QuizPost: foreign,
  BroadcasterPost: foreign,
  BusinessHours: { properties: { items: hours } },
  String: {
    properties: { body: read.text },
    main: 'body',
    isMeant: () => false,
    words: ({ body }) => [body],
  },
  Strings: { ...list(strings), words: ({ items }) => items as string[] },
  Locations: { ...list(locations), words: namesIn },
  Addresses: { ...list(addresses), words: ({ items }) => (items as object[]).flatMap(Object.values) },
  Events: { ...list(events), words: namesIn },
  Sales: list(sales),
  ElementBox: {
    properties: { items: elements },
    words: ({ items }) => (items as StoredValue[]).flatMap(wordsOf),
  },
  Publication: reference('Publication'),
  Asset: reference('Asset'),
  Person: reference('Person'),
  TagBox: reference('Tag'),
}

export const wordsOf = (value: StoredValue | Content): string[] =>
  (fieldTypes[value.label].words?.(value) ?? []).filter((word): word is string => !!word) as string[]

/** Labels by kind: `Tag` is shown as TagBox. */
export const labelOfKind = (kind: ReferenceKind): FieldLabel => (kind === 'Tag' ? 'TagBox' : kind)
