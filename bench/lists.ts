import { withSession } from '../src/database/session.ts'
import { type BenchService, benchDatabase, benchService, percentile, timed } from './service.ts'

/** A list of 25 with its total: is it as quick when the table grows a hundredfold? `node bench/lists.ts [rows]` */
const sizes = { small: 10_000, large: Number(process.argv[2] ?? 1_000_000) }
const rounds = 500
const goal = 1.5

/** A hundred rows share a name, whatever the size; a third was changed. */
const fill = ({ url, environment }: BenchService, rows: number): Promise<void> =>
  withSession(url, async (sql) => {
    // The search index has no part in this, and would take most of the time to fill.
    await sql`drop index channels_name_search`
    await sql`insert into channels (environment_id, id, name, slug, created_on, changed_on)
    select ${environment.id}, gen_random_uuid()::text, 'Channel ' || n % ${rows / 100}::int, 'channel-' || n,
      now() - make_interval(secs => ${rows}::int - n), case when n % 3 = 0 then now() - make_interval(secs => n) end
    from generate_series(1, ${rows}::int) n`
    await sql`vacuum analyze channels`
  })

const cases: Record<string, (service: BenchService, rows: number) => Promise<(round: number) => string>> = {
  unfiltered: async () => () => '/channels',
  'by an indexed filter': async () => (round) => `/channels?name[eq]=Channel%20${round % 50}`,
  'by cursor at the far end': async (service, rows) => {
    const { after } = await get(service, `/channels?skip=${rows - 200}`)
    return () => `/channels?after=${encodeURIComponent(after)}`
  },
  'by changed_on, where most are null': async () => () => '/channels?sort=-changed_on',
  'by cursor among the nulls': async (service, rows) => {
    const { after } = await get(service, `/channels?sort=-changed_on&skip=${rows - 200}`)
    return () => `/channels?sort=-changed_on&after=${encodeURIComponent(after)}`
  },
}

const get = async ({ origin, headers }: BenchService, path: string) => {
  const response = await fetch(origin + path, { headers })
  if (response.status !== 200) throw new Error(await response.text())
  return (await response.json()) as { after: string; items: unknown[]; total: number }
}

const measure = async (serverUrl: string, name: string, rows: number): Promise<Map<string, number[]>> => {
  await using service = await benchService(serverUrl, name)
  await fill(service, rows)
  const results = new Map<string, number[]>()
  for (const [title, prepare] of Object.entries(cases)) {
    const path = await prepare(service, rows)
    results.set(title, await timed(rounds, (round) => get(service, path(round))))
  }
  return results
}

await using database = await benchDatabase()
const small = await measure(database.url, 'bench_small', sizes.small)
const large = await measure(database.url, 'bench_large', sizes.large)
console.log(`List of 25 with total, one client, p50 in ms (goal: at most ${goal} times)`)
for (const [title, times] of large) {
  const [a, b] = [percentile(small.get(title)!, 0.5), percentile(times, 0.5)]
  const verdict = b / a <= goal ? 'holds' : 'FAILS'
  console.log(
    `${title.padEnd(36)} ${sizes.small} rows ${a.toFixed(2).padStart(7)}   ${sizes.large} rows ${b.toFixed(2).padStart(7)}   ratio ${(b / a).toFixed(2)}  ${verdict}`,
  )
}
