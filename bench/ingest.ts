import { parseArgs } from 'node:util'
import { withSession } from '../src/database/session.ts'
import { httpRequest, type Load, load } from './limits/load.ts'
import { start } from './limits/start.ts'
import { benchDatabase, percentile } from './service.ts'

/**
 * Interactions over HTTP: in batches of 100, and one by one from 256 connections against an empty Fastify route that
 * parses the same JSON, in turns on the same machine.
 *
 *   node bench/ingest.ts [--persons 100000] [--publications 1000] [--seconds 5] [--rounds 3]
 */
const { values } = parseArgs({
  options: {
    persons: { type: 'string', default: '100000' },
    publications: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
})
const [persons, publications, seconds, rounds] = [
  Number(values.persons),
  Number(values.publications),
  Number(values.seconds),
  Number(values.rounds),
]
const batch = 100
const goals = { batches: 10_000, single: 0.35 }

await using database = await benchDatabase()
const marquee = await start<{
  origin: string
  headers: Record<string, string>
  environment: string
  databaseUrl: string
}>('marquee.ts', [database.url, 'bench_ingest'])
const bare = await start<{ port: number }>('bare.ts', [marquee.databaseUrl, 'none none', '{"accepted":1}'])

await withSession(marquee.databaseUrl, async (session) => {
  await session`insert into persons (environment_id, id, reference_id)
    select ${marquee.environment}, 'person-' || n, 'reference-' || n from generate_series(1, ${persons}::int) n`
  await session`insert into publications (environment_id, id, label, locales, state, items, channel_ids,
      container_ids, facets)
    select ${marquee.environment}, 'publication-' || n, 'Publication', '{}', '{}', '{}', '{}', '{}', '{}'
    from generate_series(1, ${publications}::int) n`
  await session.run('analyze')
})

const labels = ['View', 'View', 'View', 'View', 'View', 'Share', 'Bookmark', 'Opened']
/** The person may be anybody; of the publications few are looked at by most. */
const interaction = (number: number) => ({
  label: labels[number % labels.length],
  value: 1,
  person: { id: `person-${1 + Math.floor(Math.random() * persons)}` },
  created_on: Math.floor(Date.now() / 1000),
})
const place = () =>
  `/publications/publication-${1 + Math.floor(Math.random() ** 3 * publications)}/interactions`
const body = (number: number) => JSON.stringify(interaction(number))

const single = (number: number) => httpRequest('POST', place(), marquee.headers, body(number))
const empty = (number: number) => httpRequest('POST', '/bare', marquee.headers, body(number))
const many = (number: number) =>
  httpRequest(
    'POST',
    place(),
    marquee.headers,
    JSON.stringify({ items: Array.from({ length: batch }, (_, n) => interaction(number + n)) }),
  )

const bareOrigin = `http://127.0.0.1:${bare.port}`
const show = (name: string, { perSecond, p50, p99 }: Load, times = 1) =>
  console.log(
    `${name.padEnd(28)} ${(perSecond * times).toFixed(0).padStart(7)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms`,
  )

await load(bareOrigin, 256, 2, empty)
await load(marquee.origin, 256, 2, single)
await load(marquee.origin, 16, 2, many)
const ratios: number[] = []
const batches: number[] = []
for (let round = 1; round <= rounds; round += 1) {
  const a = await load(bareOrigin, 256, seconds, empty)
  const b = await load(marquee.origin, 256, seconds, single)
  const c = await load(marquee.origin, 16, seconds, many)
  show('empty Fastify route', a)
  show('one by one', b)
  show(`in batches of ${batch}`, c, batch)
  ratios.push(b.perSecond / a.perSecond)
  batches.push(c.perSecond * batch)
}

/** What is waiting when the load ends was committed, but not yet counted. */
const lag = await withSession(marquee.databaseUrl, async (session) => {
  const from = performance.now()
  for (;;) {
    const [row] = await session<{ open: boolean }[]>`select exists (select 1 from audience_deltas) as open`
    if (!row!.open) return performance.now() - from
  }
})
const [wrong] = await withSession(
  marquee.databaseUrl,
  (session) => session<{ stored: string; counted: string }[]>`
    select (select count(*) from interactions) as stored, (select sum(count) from publication_counters) as counted`,
)
console.log(
  `${wrong!.stored} stored, ${wrong!.counted} counted, the last ${lag.toFixed(0)} ms after the load`,
)
const ratio = percentile(ratios, 0.5)
const perSecond = percentile(batches, 0.5)
const said = (holds: boolean) => (holds ? 'holds' : 'FAILS')
console.log(
  `one by one / empty Fastify route: ${ratio.toFixed(2)} (goal ${goals.single}) ${said(ratio >= goals.single)}`,
)
console.log(
  `in batches: ${perSecond.toFixed(0)}/s (goal ${goals.batches}) ${said(perSecond >= goals.batches)}`,
)
await Promise.all([marquee.stop(), bare.stop()])
