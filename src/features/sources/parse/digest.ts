import { createHash } from 'node:crypto'
import { sanitize } from '../../publications/fields/sanitize.ts'
import { firstImage, linkOf, plain, shortened, withLinks } from './clean.ts'
import { readDate } from './dates.ts'

/** An item as a source tells it; texts may be html. */
export type RawItem = {
  reference?: string | undefined
  url?: string | undefined
  title?: string | undefined
  body?: string | undefined
  author?: string | undefined
  image?: string | undefined
  date?: string | undefined
}

/** An item that was not there before, safe to be shown. */
export type NewItem = {
  key: string
  title: string | null
  body: string | null
  url: string | null
  author: string | null
  image_url: string | null
  published_on: number
  reference_id: string | null
  words: string
}

export type Digest = {
  items: NewItem[]
  /** Keys of what was seen, the newest first, eight bytes each, in hexadecimal. */
  seen: string
  /** Items per day by their dates; null where they have none. */
  perDay: number | null
}

export const maxItems = 500
const day = 86_400_000
const week = 7 * day
const maxBody = 50_000
/** Of the body, that an item is found by. */
const wordsOfBody = 2000

/** What is new among the items of a source: nothing is kept of the others but that they were seen. */
export const digest = (all: RawItem[], seen: string, base: string, now: number): Digest => {
  const items = all.slice(0, maxItems)
  const keys = keysOf(items)
  const known = new Set(seen.match(/.{16}/g) ?? [])
  const fresh = [...new Map(items.map((item, place) => [keys[place]!, { item, place }]))]
    .filter(([key]) => !known.has(key))
    .map(([key, { item, place }]) => cleaned(item, key, base, now, place))
  return { items: fresh, seen: remembered(keys, known), perDay: paceOf(items, now) }
}

/** All that the source shows now, and some of what it showed before: feeds bring items back. */
const remembered = (keys: string[], known: Set<string>): string =>
  [...new Set([...keys, ...known])].slice(0, Math.max(200, 2 * keys.length)).join('')

/** An id that several items share is none. */
const keysOf = (items: RawItem[]): string[] => {
  const uses = new Map<string, number>()
  for (const { reference } of items) if (reference) uses.set(reference, (uses.get(reference) ?? 0) + 1)
  return items.map(({ reference, url, title, body, date }) => {
    const isOwn = reference && uses.get(reference) === 1
    const identity = isOwn ? [reference] : url ? [reference, url, title] : [reference, title, date, body]
    return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16)
  })
}

const cleaned = (item: RawItem, key: string, base: string, now: number, place: number): NewItem => {
  const html = item.body === undefined ? '' : shortened(item.body, 2 * maxBody)
  const body = withLinks(safeHtml(html), base)
  const text = plain(body)
  const title = shortened(plain(item.title ?? ''), 500) || shortened(text, 100)
  return {
    key,
    title: title || null,
    body: body || null,
    url: linkOf(item.url, base),
    author: shortened(plain(item.author ?? ''), 200) || null,
    image_url: linkOf(item.image, base) ?? linkOf(firstImage(html), base),
    // Without a date: when it was first seen, in the order of the source.
    published_on: readDate(item.date, now) ?? now - place,
    reference_id: shortened(item.reference ?? '', 500) || null,
    words: `${title} ${shortened(text, wordsOfBody)}`.trim(),
  }
}

/** What is too long is cut, and then closed again; what is nested too deep is nothing. */
const safeHtml = (html: string): string => {
  const safe = sanitize(html)
  if (safe === undefined) return ''
  return safe.length <= maxBody ? safe : (sanitize(safe.slice(0, maxBody).replace(/<[^<>]*$/, '')) ?? '')
}

/** Of the last week, or of as much of it as the source shows. */
const paceOf = (items: RawItem[], now: number): number | null => {
  const dates = items.flatMap(({ date }) => readDate(date, now) ?? [])
  if (dates.length === 0) return null
  const recent = dates.filter((date) => date > now - week)
  if (recent.length < dates.length) return recent.length / 7
  const span = now - recent.reduce((first, date) => Math.min(first, date), now)
  return recent.length / (Math.max(span, day / 24) / day)
}
