import { Agent, get as httpGet } from 'node:http'
import { withSession } from '../src/database/session.ts'
import { facet } from '../src/features/publications/facets.ts'
import { type BenchService, benchDatabase, benchService, percentile, timed } from './service.ts'

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

/**
 * One connection, and nothing is parsed: what a reader does with the answer is its own time. What is refused, because
 * the processor is busy with something else, is asked for again.
 */
const agent = new Agent({ keepAlive: true })
const read = ({ origin, headers }: BenchService, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    httpGet(origin + path, { headers, agent }, (response) => {
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      response.on('end', () => {
        if (response.statusCode === 200) resolve(size)
        else if (response.statusCode === 503) resolve(read({ origin, headers } as BenchService, path))
        else reject(new Error(path))
      })
    }).on('error', reject)
  })

const write = async ({ origin, headers }: BenchService): Promise<void> => {
  const body = { body: 'New', channel_id: channel, published_on: midnight + 100, duration: 5 }
  const response = await fetch(`${origin}/v5/timelines`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status === 503) return write({ origin, headers } as BenchService)
  if (response.status !== 201) throw new Error(await response.text())
}

/** Beside the times, the work of this process for each, client and server together: it hardly depends on the load. */
const measure = async (rounds: number, work: () => Promise<unknown>) => {
  for (let round = 0; round < 20; round += 1) await work()
  const before = process.cpuUsage()
  const times = await timed(rounds, work)
  const { user, system } = process.cpuUsage(before)
  return { times, work: (user + system) / 1000 / (rounds + Math.min(20, rounds)) }
}

const measureOnce = async (work: () => Promise<unknown>): Promise<Measured> => {
  const [from, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { times: [performance.now() - from], work: (user + system) / 1000 }
}

type Measured = { times: number[]; work: number }

const report = (title: string, { times, work }: Measured, bytes: number, limit?: number): void => {
  const [half, most] = [percentile(times, 0.5), percentile(times, 0.99)]
  const verdict = limit === undefined ? '' : `(goal ${limit}) ${most <= limit ? 'holds' : 'FAILS'}`
  console.log(
    `${title.padEnd(34)} p50 ${half.toFixed(1).padStart(7)}  p99 ${most.toFixed(1).padStart(7)} ms  work ${work.toFixed(1)} ms  ${bytes} bytes ${verdict}`,
  )
}

await using database = await benchDatabase()
await using service = await benchService(database.url, 'bench_timelines')
await fill(service)
console.log(`${perDay} entries a day, ${days} days, one client`)
const whole = `/v5/timelines?date=${date}`
report('a day', await measure(300, () => read(service, whole)), await read(service, whole), goal)
const other = await read(service, `${whole}&channel_id=${channel}`)
report(
  'a day of a channel',
  await measure(300, () => read(service, `${whole}&channel_id=${channel}`)),
  other,
  goal,
)
const now = `/v5/timelines/now?channel_id=${channel}&fields=track`
report('now', await measure(300, () => read(service, now)), await read(service, now), goal)
const moments = `/v5/timelines/moments?channel_id=${channel}&date=${date}`
report(
  'moments, 100,000 interactions',
  await measure(10, () => read(service, moments)),
  await read(service, moments),
)
const anew: Measured = { times: [], work: 0 }
for (let round = 0; round < 40; round += 1) {
  await write(service)
  const { times, work } = await measureOnce(() => read(service, whole))
  anew.times.push(...times)
  anew.work += work / 40
}
report('a day, right after a write', anew, await read(service, whole))
agent.destroy()
