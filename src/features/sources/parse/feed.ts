import { parseFeed } from 'feedsmith'
import { maxItems, type RawItem } from './digest.ts'
import { closed, firstItems, itemsApart, repaired } from './repair.ts'

type Parsed = ReturnType<typeof parseFeed<string>>
type Feed<F extends Parsed['format']> = Extract<Parsed, { format: F }>['feed']
type Item<F extends 'rss' | 'rdf' | 'json'> = NonNullable<Feed<F>['items']>[number]
type Entry = NonNullable<Feed<'atom'>['entries']>[number]
type Media = NonNullable<Item<'rss'>['media']>

/** `ttl`: for how many seconds it asks to be left alone. */
type ParsedFeed = { items: RawItem[]; base: string | undefined; ttl: number | undefined }

export class NotAFeed extends Error {}

/** What a text says as RSS, RDF, Atom or JSON Feed. What cannot be read as a whole is read item by item. */
export const readFeed = (text: string): ParsedFeed => {
  if (/^\s*[{[]/.test(text)) return described(tryParse(text))
  const xml = firstItems(repaired(text), maxItems)
  if (/^\s*<(!doctype\s+)?html\b/i.test(xml)) throw new NotAFeed(pageMessage(xml))
  try {
    return described(tryParse(xml))
  } catch (error) {
    const rest = closed(xml)
    const items = rest ? tryItems(rest) : []
    if (items.length === 0) throw error
    return { items, base: undefined, ttl: undefined }
  }
}

const tryParse = (text: string): Parsed => {
  try {
    return parseFeed(text, { maxItems })
  } catch {
    throw new NotAFeed('What is at the address is not a feed')
  }
}

const tryItems = (xml: string): RawItem[] => {
  try {
    return described(tryParse(xml)).items
  } catch {
    return itemsApart(xml, maxItems).flatMap((one) => {
      try {
        return described(parseFeed(one)).items
      } catch {
        return []
      }
    })
  }
}

const pageMessage = (html: string): string => {
  const head = html.slice(0, 100_000)
  const link = head.match(
    /<link\b[^<>]{0,500}application\/(?:rss|atom|feed)\+(?:xml|json)[^<>]{0,500}>/i,
  )?.[0]
  const address = link && /href\s*=\s*["']?([^"'\s<>]{1,500})/i.exec(link)?.[1]
  const hint = address ? `; its feed is at ${address}` : ''
  return `What is at the address is a web page, not a feed${hint}`
}

const described = (parsed: Parsed): ParsedFeed => {
  if (parsed.format === 'json') {
    const { items = [], home_page_url } = parsed.feed
    return { items: items.map(ofJson), base: home_page_url, ttl: undefined }
  }
  if (parsed.format === 'atom') {
    const { entries = [], links } = parsed.feed
    return { items: entries.map(ofAtom), base: alternate(links), ttl: undefined }
  }
  const { items = [], link } = parsed.feed
  const ttl = parsed.format === 'rss' ? parsed.feed.ttl : undefined
  return { items: items.map(ofRss), base: link, ttl: ttl && ttl * 60 }
}

const ofRss = (item: Item<'rss'> & Item<'rdf'>): RawItem => ({
  reference: item.guid?.value ?? item.rdf?.about,
  url: item.link ?? permalinkOf(item) ?? enclosureOf(item),
  title: item.title ?? item.itunes?.title ?? item.dc?.titles?.[0],
  body: item.content?.encoded ?? item.description ?? item.itunes?.summary ?? item.atom?.summary?.value,
  author:
    item.authors?.[0]?.name ?? item.dc?.creators?.[0] ?? item.itunes?.author ?? item.authors?.[0]?.email,
  image: imageOf(item.media) ?? enclosureOf(item, 'image') ?? item.itunes?.image,
  date: item.pubDate ?? item.dc?.dates?.[0] ?? item.atom?.published ?? item.atom?.updated,
})

const permalinkOf = ({ guid }: Item<'rss'>): string | undefined =>
  guid?.isPermaLink !== false && /^https?:/i.test(guid?.value ?? '') ? guid?.value : undefined

const enclosureOf = ({ enclosures = [] }: Item<'rss'>, kind = ''): string | undefined =>
  enclosures.find(({ type, url }) => type?.startsWith(kind) || (kind === 'image' && isPicture(url)))?.url

const isPicture = (url = ''): boolean => /\.(jpe?g|png|gif|webp|avif)(\?|$)/i.test(url)

/** The largest picture; a thumbnail where there is none. */
const imageOf = (media: Media | undefined): string | undefined => {
  const contents = [
    ...(media?.contents ?? []),
    ...(media?.groups ?? []).flatMap(({ contents = [] }) => contents),
  ]
  const pictures = contents.filter(
    ({ url, medium, type }) => url && (medium === 'image' || type?.startsWith('image/') || isPicture(url)),
  )
  const [largest] = pictures.toSorted((a, b) => (b.width ?? 0) - (a.width ?? 0))
  return largest?.url ?? media?.thumbnails?.[0]?.url ?? contents[0]?.thumbnails?.[0]?.url
}

type Links = Entry['links']
const alternate = (links: Links): string | undefined =>
  (links?.find(({ rel }) => rel === undefined || rel === 'alternate') ?? links?.[0])?.href

const ofAtom = (entry: Entry): RawItem => ({
  reference: entry.id,
  url: alternate(entry.links) ?? entry.content?.src,
  title: entry.title?.value ?? entry.media?.title?.value,
  body: entry.content?.value ?? entry.summary?.value ?? entry.media?.groups?.[0]?.description?.value,
  author: entry.authors?.[0]?.name ?? entry.dc?.creators?.[0],
  image:
    imageOf(entry.media) ??
    entry.media?.groups?.[0]?.thumbnails?.[0]?.url ??
    entry.links?.find(({ rel, type }) => rel === 'enclosure' && type?.startsWith('image/'))?.href,
  date: entry.published ?? entry.updated ?? entry.dc?.dates?.[0],
})

const ofJson = (item: Item<'json'>): RawItem => ({
  reference: item.id,
  url: item.url ?? item.external_url,
  title: item.title,
  body: item.content_html ?? (item.content_text && escaped(item.content_text)) ?? item.summary,
  author: item.authors?.[0]?.name,
  image:
    item.image ??
    item.banner_image ??
    item.attachments?.find((one) => one.mime_type?.startsWith('image/'))?.url,
  date: item.date_published ?? item.date_modified,
})

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
