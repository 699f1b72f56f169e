import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { withSession } from '../src/database/session.ts'
import { fill, firstNames, lastNames, oldTag, publicationId, tagId } from './persons/fill.ts'
import type { Load, Measured } from './publications/load.ts'
import { among, type BenchService, benchService, keptDatabase, misspelt, percentile } from './service.ts'

/**
 * Lists and searches of persons over HTTP, by 8 connections, at rest and beside 20 writes a second.
 * `node bench/persons.ts [--rows 1000000] [--interactions 10000000] [--folder kept] [--only tag] [--seconds 5]
 * [--explain]`
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    interactions: { type: 'string' },
    /** Where the database is kept for the next time. */
    folder: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '5' },
    explain: { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)
const goal = 100

const week = 7 * 86_400

const rare = among(
  lastNames.slice(20_000).filter((name) => name.length >= 6),
  50,
)
const frequent = firstNames.slice(0, 4)

/** What is asked for, by name. */
const cases: Record<string, string[]> = {
  'no filter': [''],
  'gender and age': ['gender[eq]=female&age[gte]=30', 'gender[eq]=male&age[lt]=25&sort=last_name'],
  'gender and seen this week': [`gender[eq]=female&last_seen[il]=${week}`],
  'created and age': [`created_on[il]=${week}&age[gte]=60`],
  'tag, frequent, and gender': [`tags[eq]=${tagId(0)}&gender[eq]=male`],
  'tag, rare, and gender': [`tags[eq]=${tagId(49)}&gender[eq]=male`],
  'tag, only old, and gender': [
    `tags[eq]=${oldTag}&gender[eq]=male`,
    `tags[eq]=${oldTag}&gender[eq]=male&sort=last_name`,
  ],
  'two tags': [`tags[all]=${tagId(0)},${tagId(7)}&sort=-last_name`],
  'viewed, frequent, and gender': [`viewed[eq]=${publicationId(0)}&gender[eq]=female`],
  'viewed, rare, and gender': [`viewed[eq]=${publicationId(40_000)}&gender[eq]=female`],
  'purchased any, and age': ['purchased[has]=true&age[gte]=30'],
  'liked and terms': [`liked[eq]=${publicationId(3)}&terms[eq]=terms-1`],
  'password and no purchase': ['password[has]=true&purchased[has]=false'],
  alternatives: [`or[0][tags][eq]=${tagId(40)}&or[1][liked][eq]=${publicationId(5)}&gender[eq]=male`],
  'q, rare last name': rare.map((name) => `q=${name}`),
  'q, frequent first name': frequent.map((name) => `q=${name}`),
  'q, both names': rare.map((name, n) => `q=${frequent[n % 4]}+${name}`),
  'q, misspelt': rare.map((name) => `q=${misspelt(name)}`),
  'q, both misspelt': rare.map((name, n) => `q=${misspelt(frequent[n % 4]!)}+${misspelt(name)}`),
  'q, three letters': frequent.map((name) => `q=${name.slice(0, 3)}`),
  'q, address': among(
    Array.from({ length: 1000 }, (_, n) => n),
    50,
  ).map((n) => `q=${firstNames[n % 20]}.${lastNames[n]}`),
  'q, domain': ['q=%40mail.example'],
  'q and gender': rare.map((name) => `q=${name}&gender[eq]=female`),
}

const run = (load: Load): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./publications/load.ts', import.meta.url), { workerData: load })
    worker.once('message', resolve).once('error', reject)
  })

const newPersons = Array.from({ length: 50 }, (_, n) => ({
  first_name: firstNames[n],
  last_name: lastNames[n * 100],
  gender: 'female',
  date_of_birth: `19${50 + n}-03-01`,
  tags: [{ id: tagId(n % 50) }],
}))

const get = async ({ origin, headers }: BenchService, path: string) => {
  const from = performance.now()
  const response = await fetch(origin + path, { headers })
  const body = (await response.json()) as { total: number; items: unknown[] }
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  return { ...body, time: performance.now() - from }
}

const report = (title: string, { times, failures }: Measured, note: string): void => {
  const [half, most] = [percentile(times, 0.5), percentile(times, 0.99)]
  const verdict = most <= goal ? 'holds' : 'FAILS'
  const figures = [half, most].map((time) => time.toFixed(1).padStart(8)).join('')
  console.log(`${title.padEnd(30)}${figures} (goal ${goal}) ${verdict}  ${times.length} answers  ${note}`)
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
  const [known] = await withSession(service.url, (sql) => sql<object[]>`select 1 from persons limit 1`)
  if (known) return
  const from = Date.now()
  await fill(service, rows, Number(options.interactions ?? rows * 10))
  console.log(`${rows} persons filled in ${Math.round((Date.now() - from) / 1000)} s`)
}

const measureAll = async (
  service: BenchService,
  chosen: [string, string[]][],
  perSecond: number,
): Promise<void> => {
  console.log(`\nAt ${perSecond} writes/s: p50 and p99 in ms`)
  for (const [title, queries] of chosen) {
    const paths = queries.map((query) => `/persons?${query}`)
    const first = await get(service, paths[0]!)
    const { origin, headers } = service
    const writes = { perSecond, path: '/persons', bodies: newPersons }
    const milliseconds = Number(options.seconds) * 1000
    const measured = await run({ origin, headers, paths, connections: 8, milliseconds, writes })
    report(title, measured, `total ${first.total}, first in ${first.time.toFixed(0)} ms`)
  }
}

await using database = await keptDatabase(options)
await using service = await benchService(database.url, `bench_${rows}`)
await prepare(service)
const chosen = Object.entries(cases).filter(([title]) => title.includes(options.only))
if (options.explain)
  for (const [, [query]] of chosen) await explain(service, database.logFile, `/persons?${query}`)
else for (const perSecond of [0, 20]) await measureAll(service, chosen, perSecond)
