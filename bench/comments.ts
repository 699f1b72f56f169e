import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { withSession } from '../src/database/session.ts'
import { busiestOf, fill, frequent, rare, secret } from './comments/fill.ts'
import type { Load, Measured } from './publications/load.ts'
import { type BenchService, benchService, keptDatabase, percentile } from './service.ts'

/**
 * Comments under one publication and messages of one inbox over HTTP: first and deep pages, threads, queue and words, by
 * 8 connections, at rest and beside 20 new comments a second.
 * `node bench/comments.ts [--rows 200000] [--folder kept] [--only deep] [--seconds 3] [--explain]`
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    /** Where the database is kept for the next time. */
    folder: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '3' },
    explain: { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)
const goal = 100

type Body = { id: string; after: string; total: number; items: unknown[] }

const call = async ({ origin, headers }: BenchService, path: string, body?: object): Promise<Body> => {
  const json = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(origin + path, {
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...json,
  })
  const answer = (await response.json()) as Body
  if (!response.ok) throw new Error(`${path} ${JSON.stringify(answer)}`)
  return answer
}

/** Filled once; a folder that is kept spares the next time. */
const prepare = async (service: BenchService): Promise<string> => {
  const [known] = await withSession(
    service.url,
    (sql) => sql<{ id: string }[]>`select publication_id as id from comments limit 1`,
  )
  if (known) return known.id
  const items = { 'en-US': { title: { label: 'Text', body: 'The evening', format: 'H1' } } }
  const publication = {
    label: 'Publication',
    locales: ['en-US'],
    items,
    status: { 'en-US': { body: 'Done' } },
  }
  const { id } = await call(service, '/publications', publication)
  const from = Date.now()
  await fill(service, id, rows)
  console.log(`${rows} comments and messages filled in ${Math.round((Date.now() - from) / 1000)} s`)
  return id
}

/** A cursor that many pages lie before. */
const cursorAt = async (service: BenchService, path: string, skip: number): Promise<string> =>
  (await call(service, `${path}${path.includes('?') ? '&' : '?'}limit=1&skip=${skip}`)).after

const casesOf = async (service: BenchService, under: string): Promise<Record<string, string>> => {
  const deep = await cursorAt(service, under, Math.round(rows * 0.7))
  const oldest = await cursorAt(service, `${under}?sort=created_on`, Math.round(rows * 0.7))
  const month = 'created_on[gt]=2020-01-01'
  const inbox = await cursorAt(service, `/messages?${month}`, Math.round(rows * 0.7))
  return {
    'first page': under,
    'first page with writers and replies': `${under}?fields=sent,replies`,
    'deep page by cursor': `${under}?after=${deep}`,
    'deep page by cursor, oldest first': `${under}?sort=created_on&after=${oldest}`,
    'deep page by skip': `${under}?skip=${Math.round(rows * 0.7)}`,
    'replies to one comment': `/v5/comments/${busiestOf(rows)}/replies`,
    'moderation queue': '/v5/comments?status=pending',
    'moderated ones': '/v5/comments?moderated=true',
    'all comments': '/v5/comments',
    'words, rare': `${under}?q=${rare}`,
    'words, in every second': `${under}?q=${frequent}`,
    'inbox, first page': `/messages?${month}`,
    'inbox, deep page by cursor': `/messages?${month}&after=${inbox}`,
    'inbox, on screen': `/messages?${month}&on_screen[has]=true`,
    'inbox, by name': `/messages?${month}&q=nick77`,
    'inbox, words in every second': `/messages?${month}&q=${frequent}`,
  }
}

const run = (load: Load): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./publications/load.ts', import.meta.url), { workerData: load })
    worker.once('message', resolve).once('error', reject)
  })

const measure = async (
  service: BenchService,
  under: string,
  [title, path]: [string, string],
  perSecond: number,
) => {
  const from = performance.now()
  const { total } = await call(service, path)
  const first = performance.now() - from
  const { origin, headers } = service
  const bodies = [{ body: 'Said while others read', session_hash: secret }]
  const milliseconds = Number(options.seconds) * 1000
  const writes = { perSecond, bodies, path: under }
  const { times, failures } = await run({
    origin,
    headers,
    paths: [path],
    connections: 8,
    milliseconds,
    writes,
  })
  const [half, most] = [percentile(times, 0.5), percentile(times, 0.99)]
  const figures = [half, most].map((time) => time.toFixed(1).padStart(8)).join('')
  const rate = `${Math.round(times.length / Number(options.seconds))}/s`.padStart(7)
  const verdict = most <= goal ? 'holds' : 'FAILS'
  console.log(
    `${title.padEnd(38)}${figures} ${rate} ${verdict}  total ${total}, first in ${first.toFixed(0)} ms`,
  )
  for (const failure of new Set(failures.slice(0, 3))) console.log(`  ${failure}`)
}

const explain = async (service: BenchService, logFile: string, [title, path]: [string, string]) => {
  const before = statSync(logFile).size
  await call(service, path)
  await new Promise((resolve) => setTimeout(resolve, 300))
  console.log(`\n== ${title}\n${readFileSync(logFile).subarray(before)}`)
}

await using database = await keptDatabase(options)
await using service = await benchService(database.url, `bench_${rows}`)
const under = `/v5/publications/${await prepare(service)}/comments`
const chosen = Object.entries(await casesOf(service, under)).filter(([title]) => title.includes(options.only))
if (options.explain) for (const one of chosen) await explain(service, database.logFile, one)
else
  for (const perSecond of [0, 20]) {
    console.log(
      `\nAt ${perSecond} new comments/s: p50 and p99 in ms, answers by 8 connections, goal p99 ${goal}`,
    )
    for (const one of chosen) await measure(service, under, one, perSecond)
  }
