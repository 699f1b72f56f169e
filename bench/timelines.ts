import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { withSession } from '../src/database/session.ts'
import { facet } from '../src/features/publications/facets.ts'
import { type BenchService, benchDatabase, benchService, percentile } from './service.ts'

/** A day of 20,000 entries among a month of such days: read whole, beside writes, and what is on air. `node bench/timelines.ts [entries a day] [days]` */
const perDay = Number(process.argv[2] ?? 20_000)
const days = Number(process.argv[3] ?? 30)
const goal = 20

const channel = 'bench-channel'
const day = 86_400
const midnight = Math.floor(Date.now() / 1000 / day) * day
const date = new Date(midnight * 1000).toISOString().slice(0, 10)

const fill = ({ url, environment }: BenchService): Promise<void> =>
  withSession(url, async (sql) => {
    await sql`insert into channels (environment_id, id, name, slug) values (${environment.id}, ${channel}, 'Bench', 'bench')`
    await sql`insert into tracks (environment_id, id, body, artist_text, status, published_on)
      select ${environment.id}, 'track-' || n, 'Track ' || n, 'Artist ' || n % 500, 'published', now()
      from generate_series(0, 4999) n`
    await sql`insert into timelines (environment_id, id, body, channel_id, track_id, published_on, unpublish_on)
      select ${environment.id}, gen_random_uuid()::text, 'Artist ' || n % 500 || ' - Track ' || n % 5000, ${channel},
        'track-' || n % 5000, at, at + interval '5 seconds'
      from generate_series(0, ${perDay * days - 1}::int) n,
        lateral (select to_timestamp(${midnight - (days - 2) * day}::bigint + floor(n * ${day / perDay}::float8))) as moment (at)`
    await sql`insert into publications (environment_id, id, label, locales, state, items, channel_ids, container_ids, facets)
      values (${environment.id}, 'live', 'Publication', '{}', '{}', '{}', array[${channel}], '{}',
        array[${facet(environment.id, 'channel', channel)}::bigint])`
    await sql`insert into interactions (environment_id, person_key, created_on, id, publication_id, label)
      select ${environment.id}, n % 20000, to_timestamp(${midnight}::bigint + n * ${day / 200_000}::float8), n::text,
        case when n % 2 = 0 then 'live' else 'other' end, 'Like'
      from generate_series(0, 199999) n`
    await sql`vacuum analyze timelines, tracks, interactions`
  })

const reader = new Worker(new URL('./timelines/read.ts', import.meta.url))

type Measured = { times: number[]; bytes: number }

const read = async ({ origin, headers }: BenchService, path: string, rounds: number): Promise<Measured> => {
  reader.postMessage({ origin, headers, path, rounds })
  const [measured] = await once(reader, 'message')
  return measured
}

const write = async ({ origin, headers }: BenchService): Promise<void> => {
  const body = { body: 'New', channel_id: channel, published_on: midnight + 100, duration: 5 }
  const response = await fetch(`${origin}/v5/timelines`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // Refused, because the processor is busy with something else.
  if (response.status === 503) return write({ origin, headers } as BenchService)
  if (response.status !== 201) throw new Error(await response.text())
}

const report = (title: string, { times, bytes }: Measured, limit?: number): void => {
  const [half, most] = [percentile(times, 0.5), percentile(times, 0.99)]
  const verdict = limit === undefined ? '' : `(goal ${limit}) ${most <= limit ? 'holds' : 'FAILS'}`
  console.log(
    `${title.padEnd(34)} p50 ${half.toFixed(1).padStart(7)}  p99 ${most.toFixed(1).padStart(7)} ms  ${bytes} bytes ${verdict}`,
  )
}

await using database = await benchDatabase()
await using service = await benchService(database.url, 'bench_timelines')
await fill(service)
console.log(`${perDay} entries a day, ${days} days, one client`)
const whole = `/v5/timelines?date=${date}`
const cases: [title: string, path: string, rounds: number, limit?: number][] = [
  ['a day', whole, 300, goal],
  ['a day of a channel', `${whole}&channel_id=${channel}`, 300, goal],
  ['now', `/v5/timelines/now?channel_id=${channel}&fields=track`, 300, goal],
  ['moments, 100,000 interactions', `/v5/timelines/moments?channel_id=${channel}&date=${date}`, 10],
]
for (const [title, path, rounds, limit] of cases) {
  await read(service, path, Math.min(rounds, 20))
  report(title, await read(service, path, rounds), limit)
}
const anew: Measured = { times: [], bytes: 0 }
for (let round = 0; round < 40; round += 1) {
  await write(service)
  const { times, bytes } = await read(service, whole, 1)
  anew.times.push(...times)
  anew.bytes = bytes
}
report('a day, right after a write', anew)
await reader.terminate()
