import { withSession } from '../src/database/session.ts'
import { httpRequest, type Load, load } from './limits/load.ts'
import { start } from './limits/start.ts'
import { benchDatabase } from './service.ts'

/**
 * Publications against what Fastify alone, and Fastify with one select, can do on the same machine in one run.
 * `node bench/limits.ts [rows] [seconds]`
 */
const rows = Number(process.argv[2] ?? 10_000)
const seconds = Number(process.argv[3] ?? 5)
const connections = 32

await using database = await benchDatabase()
type Marquee = { origin: string; headers: Record<string, string>; environment: string; databaseUrl: string }
const startMarquee = (settings: Record<string, string>) =>
  start<Marquee>('marquee.ts', [database.url, 'bench_limits', JSON.stringify(settings)])
const marquee = await startMarquee({ MARQUEE_CACHE_MB: '0' })

const ask = async (method: string, path: string, body?: object) => {
  const headers = { ...marquee.headers, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(marquee.origin + path, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}

const words = 'harbour morning news council river music festival bridge weather sport radio city'.split(' ')
const text = (number: number): string =>
  Array.from({ length: 300 }, (_, index) => words[(number * 7 + index * 13) % words.length]).join(' ')

const model = await ask('POST', '/publication_models', {
  body: 'Article',
  fields: [
    { api_id: 'title', label: 'Text' },
    { api_id: 'body', label: 'Text' },
    { api_id: 'tags', label: 'TagBox' },
  ],
})
const publication = (number: number) => ({
  label: 'Publication',
  model: { id: model.id },
  locales: ['en-US'],
  status: { 'en-US': { body: 'Done' } },
  publish_on: { 'en-US': 1_700_000_000 + number },
  items: {
    'en-US': {
      title: { body: `Publication ${number}`, format: 'H1' },
      body: { body: text(number) },
      tags: { items: [{ body: `Tag ${number % 50}` }, { body: `Tag ${(number * 3) % 50}` }] },
    },
  },
})

const ids: string[] = []
for (let from = 0; from < rows; from += 50)
  ids.push(
    ...(
      await Promise.all(
        Array.from({ length: Math.min(50, rows - from) }, (_, index) =>
          ask('POST', '/publications', publication(from + index)),
        ),
      )
    ).map(({ id }) => id),
  )
// As it is a minute later: PostgreSQL has counted by itself what it plans by.
await withSession(marquee.databaseUrl, (session) => session.run('analyze'))
console.log(`${ids.length} publications`)

const newest = '/publications?sort=-publish_on&locale=en-US'
const one = await ask('GET', `/publications/${ids[0]}`)
const bare = await start<{ port: number }>('bare.ts', [
  marquee.databaseUrl,
  `${marquee.environment} ${ids[0]}`,
  JSON.stringify(one),
  JSON.stringify(await ask('GET', newest)),
])
const bareOrigin = `http://127.0.0.1:${bare.port}`

const measure = (origin: string, request: (number: number) => string): Promise<Load> =>
  load(origin, connections, seconds, request)
const get = (path: (number: number) => string) => (number: number) =>
  httpRequest('GET', path(number), marquee.headers)
const pickOne = (number: number): string => ids[(number * 7919) % ids.length]!

let made = rows
const cases: Record<string, () => Promise<Load>> = {
  'bare Fastify': () => measure(bareOrigin, () => httpRequest('GET', '/bare', {})),
  'bare Fastify, list': () => measure(bareOrigin, () => httpRequest('GET', '/list', {})),
  'Fastify + one select': () => measure(bareOrigin, () => httpRequest('GET', '/select', {})),
  'one by id': () =>
    measure(
      marquee.origin,
      get((number) => `/publications/${pickOne(number)}`),
    ),
  'one by id, with items': () =>
    measure(
      marquee.origin,
      get((number) => `/publications/${pickOne(number)}?fields=items`),
    ),
  'list 25 + total': () =>
    measure(
      marquee.origin,
      get(() => newest),
    ),
  'tag + status + total': () =>
    measure(
      marquee.origin,
      get(
        (number) =>
          `/publications?locale=en-US&status[eq]=Done&tags[0][eq]=tag-${number % 50}&tags[0][param]=slug`,
      ),
    ),
  'search + total': () =>
    measure(
      marquee.origin,
      get((number) => `/publications?locale=en-US&q=publication ${number % rows}`.replaceAll(' ', '%20')),
    ),
  create: () =>
    measure(marquee.origin, () => {
      made += 1
      return httpRequest('POST', '/publications', marquee.headers, JSON.stringify(publication(made)))
    }),
  update: () =>
    measure(marquee.origin, (number) =>
      httpRequest(
        'PUT',
        `/publications/${pickOne(number)}`,
        marquee.headers,
        JSON.stringify({
          items: { 'en-US': { body: { body: text(number + 1) } } },
        }),
      ),
    ),
}

const results: Record<string, Load> = {}
const measureAll = async (cases: Record<string, () => Promise<Load>>): Promise<void> => {
  for (const [name, run] of Object.entries(cases)) {
    await run().catch(() => {})
    results[name] = await run()
    const { perSecond, p50, p99, bytes } = results[name]
    console.log(
      `${name.padEnd(24)} ${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${bytes} bytes`,
    )
  }
}
await measureAll(cases)
await marquee.stop()
const keeping = await startMarquee({})
await measureAll({
  'one by id, kept': () =>
    measure(
      keeping.origin,
      get((number) => `/publications/${ids[number % 500]}`),
    ),
  'list 25 + total, kept': () =>
    measure(
      keeping.origin,
      get(() => newest),
    ),
})
const ratio = (name: string, to: string) => results[name]!.perSecond / results[to]!.perSecond
const goals: [string, string, number][] = [
  ['one by id', 'Fastify + one select', 0.8],
  ['one by id, kept', 'bare Fastify', 0.6],
  ['list 25 + total, kept', 'bare Fastify, list', 0.5],
]
for (const [name, to, goal] of goals) {
  const found = ratio(name, to)
  console.log(`${name} / ${to}: ${found.toFixed(2)} (goal ${goal}) ${found >= goal ? 'holds' : 'FAILS'}`)
}
await Promise.all([keeping.stop(), bare.stop()])
