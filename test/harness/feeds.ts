import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after } from 'node:test'
import { eventually } from './access.ts'
import { startApp, type TestApp } from './app.ts'
import { made } from './records/kind.ts'

type Page = {
  body?: string | Buffer
  status?: number
  headers?: Record<string, string>
  answer?(response: ServerResponse): void
}
type Asked = { path: string; headers: IncomingHttpHeaders }

const endings: (() => void)[] = []
after(() => {
  for (const end of endings) end()
})

/** A web server whose pages are put there by a test. */
export const startSite = async () => {
  const pages = new Map<string, Page>()
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const path = request.url!
    asked.push({ path, headers: request.headers })
    const page = pages.get(path) ?? pages.get(path.split('?', 1)[0]!) ?? { status: 404 }
    const { etag } = page.headers ?? {}
    if (page.answer) page.answer(response)
    else if (etag && request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(page.status ?? 200, page.headers).end(page.body)
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    put: (path: string, page: Page | string | Buffer): string => {
      pages.set(path, typeof page === 'string' || Buffer.isBuffer(page) ? { body: page } : page)
      return origin + path
    },
    timesAsked: (path: string): number => asked.filter((one) => one.path.split('?', 1)[0] === path).length,
  }
}
export type Site = Awaited<ReturnType<typeof startSite>>

/** A service that may ask this machine. */
export const startFollowing = (settings: Record<string, string> = {}) =>
  startApp({ MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1', ...settings })

type Story = {
  title?: string
  link?: string
  guid?: string
  description?: string
  date?: string
  more?: string
}

const element = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `<${name}>${value}</${name}>`

export const rss = (stories: Story[], head = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
    xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Harbour news</title>
    <link>https://news.example.org/</link>${head}${stories
      .map(
        ({ title, link, guid, description, date, more = '' }) =>
          `<item>${element('title', title)}${element('link', link)}${element('guid', guid)}${element('description', description)}${element('pubDate', date)}${more}</item>`,
      )
      .join('')}</channel></rss>`

export type Source = {
  id: string
  label: string
  name: string
  url: string | null
  failed: number
  error: string | null
  interval: number
  adaptive: boolean
  frequency: number
  fetched_on: number | null
  last_import: number | null
  next_fetch_on: number | null
}

export const follow = async (app: TestApp, url: string, name = 'Harbour news'): Promise<Source> =>
  made(await app.post('/v5/rss/follow', { url, name })) as unknown as Source

export const sourceOf = async (app: TestApp, id: string): Promise<Source> =>
  (await app.get(`/v5/sources/${id}`)).body

/** The source, once a poll of it later than the moment has ended. */
export const polled = (app: TestApp, { id }: { id: string }, after = 0): Promise<Source> =>
  eventually(async () => {
    const source = await sourceOf(app, id)
    return (source.fetched_on ?? 0) > after && source
  }, 30_000) as Promise<Source>

/** Has it polled again, and waits for what that comes to. */
export const pollAgain = async (app: TestApp, source: { id: string }): Promise<Source> => {
  const { fetched_on } = await sourceOf(app, source.id)
  await app.post(`/v5/sources/${source.id}/fetch`)
  return polled(app, source, fetched_on ?? 0)
}

export type Item = {
  id: string
  title: string | null
  body: string | null
  url: string | null
  author: string | null
  image_url: string | null
  published_on: string
  reference_id: string | null
  source: { id: string; label: string; name: string }
  publication: { id: string } | null
  asset: { id: string } | null
}

export const itemsOf = async (app: TestApp, { id }: { id: string }, query = ''): Promise<Item[]> =>
  (await app.get(`/v5/sources/items?source_ids_or=${id}&limit=1000${query}`)).body.items
