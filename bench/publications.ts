import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { withSession } from '../src/database/session.ts'
import type { Actor } from '../src/features/access/authenticate.ts'
import { fill, oldTag, tagId, vocabulary } from './publications/fill.ts'
import type { Load, Measured } from './publications/load.ts'
import { among, type BenchService, benchService, keptDatabase, misspelt, percentile } from './service.ts'

/**
 * Lists and searches of publications over HTTP, by 8 connections, at rest and beside 20 writes a second.
 * `node bench/publications.ts [--rows 1000000] [--folder kept] [--only tag] [--seconds 5] [--explain]`
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    /** Where the database is kept for the next time. */
    folder: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '5' },
    explain: { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)

type Case = { goal: number; paths: string[] }

const casesOf = async ({ url }: BenchService): Promise<Record<string, Case>> => {
  const [model] = await withSession(
    url,
    (sql) => sql<{ id: string }[]>`select id from publication_models order by id limit 1`,
  )
  const list = (query: string) => `/publications?locale=en-US&${query}`
  const newest = (query: string): Case => ({
    goal: 50,
    paths: [list(`${query}&sort=-publish_on`), list(`${query}&sort=-publish_on&limit=10`)],
  })
  const slugs = Array.from({ length: 500 }, (_, n) => list(`slug[eq]=en-US-${Math.floor((n * rows) / 500)}`))
  // Of 30,000 words the 2,500th stands in about 0.8% of texts, the 10th in most.
  const rare = among(
    vocabulary.slice(2_500, 6_000).filter((word) => word.length >= 6),
    50,
  )
  const frequent = vocabulary.slice(8, 14)
  const search = (name: string, words: string[], goal: number): Case => ({
    goal,
    paths: words.map((word) => list(`${name}=${word}`)),
  })
  return {
    'newest, Done': newest('status[eq]=Done'),
    'newest created, Done': { goal: 50, paths: [list('status[eq]=Done')] },
    'tag, frequent': newest(`tags[eq]=${tagId(0)}`),
    'tag, rare': newest(`tags[eq]=${tagId(199)}`),
    'tag, rare, newest created': { goal: 50, paths: [list(`tags[eq]=${tagId(199)}`)] },
    'tag, only old': newest(`tags[eq]=${oldTag}`),
    'tag, only old, newest created': { goal: 50, paths: [list(`tags[eq]=${oldTag}`)] },
    'channel and model': newest(`channels[eq]=channels-3&model[eq]=${model!.id}`),
    'channel and model, any locale': {
      goal: 50,
      paths: [`/publications?channels[eq]=channels-3&model[eq]=${model!.id}`],
    },
    slug: { goal: 50, paths: slugs },
    'q, rare': search('q', rare, 100),
    'q, rare, Done': { goal: 100, paths: rare.map((word) => list(`q=${word}&status[eq]=Done`)) },
    'q, rare, any locale': { goal: 100, paths: rare.map((word) => `/publications?q=${word}`) },
    'q, misspelt': search('q', rare.map(misspelt), 100),
    'q, frequent': search('q', frequent, 300),
    'q, frequent, any locale': { goal: 300, paths: frequent.map((word) => `/publications?q=${word}`) },
    'title, rare': search('title', rare, 100),
    'title, misspelt': search('title', rare.map(misspelt), 100),
    'title, frequent': search('title', vocabulary.slice(0, 4), 300),
  }
}

const run = (load: Load): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./publications/load.ts', import.meta.url), { workerData: load })
    worker.once('message', resolve).once('error', reject)
  })

/** No two with one title: who takes the same slug at once waits for the other. */
const titleOf = (n: number): string =>
  Array.from(
    { length: 5 + (n % 3) },
    (_, place) => vocabulary[(n * 7919 + place * 104_729) % vocabulary.length],
  ).join(' ')

const newPublications = Array.from({ length: 500 }, (_, n) => ({
  label: 'Publication',
  locales: ['en-US', 'nl-NL'],
  status: { 'en-US': { body: 'Done' }, 'nl-NL': { body: 'Done' } },
  items: Object.fromEntries(
    ['en-US', 'nl-NL'].map((locale) => [
      locale,
      {
        title: { label: 'Text', body: titleOf(n), format: 'H1' },
        body: {
          label: 'Text',
          body: vocabulary.slice((n % 50) * 200, (n % 50) * 200 + 200).join(' '),
          format: null,
        },
      },
    ]),
  ),
}))

const get = async ({ origin, headers }: BenchService, path: string) => {
  const from = performance.now()
  const response = await fetch(origin + path, { headers })
  const body = (await response.json()) as { total: number; items: unknown[] }
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  return { ...body, time: performance.now() - from }
}

const report = (title: string, { goal }: Case, { times, failures }: Measured, note: string): void => {
  const [half, most] = [percentile(times, 0.5), percentile(times, 0.99)]
  const verdict = most <= goal ? 'holds' : 'FAILS'
  const figures = [half, most].map((time) => time.toFixed(1).padStart(8)).join('')
  console.log(`${title.padEnd(34)}${figures} (goal ${goal}) ${verdict}  ${times.length} answers  ${note}`)
  for (const failure of new Set(failures.slice(0, 3))) console.log(`  ${failure}`)
}

const explain = async (service: BenchService, logFile: string, path: string): Promise<void> => {
  const before = statSync(logFile).size
  await get(service, path)
  await get(service, path)
  await new Promise((resolve) => setTimeout(resolve, 300))
  console.log(readFileSync(logFile).subarray(before).toString())
}

/** Filled once; a folder that is kept spares the next time. */
const prepare = async (service: BenchService): Promise<void> => {
  const { url, environment } = service
  const [known] = await withSession(url, (sql) => sql<object[]>`select 1 from publications limit 1`)
  if (known) return
  const from = Date.now()
  const { id: environment_id, organisation_id } = environment
  const actor = {
    organisation_id,
    environment_id,
    token_id: null,
    user_id: null,
    environment,
  } as unknown as Actor
  await fill(service, actor, rows)
  console.log(`${rows} publications filled in ${Math.round((Date.now() - from) / 1000)} s`)
}

const measureAll = async (
  service: BenchService,
  cases: [string, Case][],
  perSecond: number,
): Promise<void> => {
  console.log(`\nAt ${perSecond} writes/s: p50 and p99 in ms`)
  for (const [title, one] of cases) {
    const first = await get(service, one.paths[0]!)
    for (const path of one.paths) await get(service, path)
    const { origin, headers } = service
    const writes = { perSecond, bodies: newPublications }
    const milliseconds = Number(options.seconds) * 1000
    const measured = await run({ origin, headers, paths: one.paths, connections: 8, milliseconds, writes })
    report(title, one, measured, `total ${first.total}, first in ${first.time.toFixed(0)} ms`)
  }
}

await using database = await keptDatabase(options)
await using service = await benchService(database.url, `bench_${rows}`)
await prepare(service)
const cases = Object.entries(await casesOf(service)).filter(([title]) => title.includes(options.only))
if (options.explain) for (const [, { paths }] of cases) await explain(service, database.logFile, paths[0]!)
else for (const perSecond of [0, 20]) await measureAll(service, cases, perSecond)
