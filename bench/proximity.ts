import { parseArgs } from 'node:util'
import { type Session, withSession } from '../src/database/session.ts'
import { cellOf } from '../src/features/publications/cells.ts'
import { facet } from '../src/features/publications/facets.ts'
import { seededRandom } from '../src/seed/random.ts'
import { type BenchService, benchService, keptDatabase, percentile, timed } from './service.ts'

/**
 * Publications near places that nobody has asked for before, so that no total is remembered.
 * `node bench/proximity.ts [--rows 1000000] [--folder kept] [--explain]`
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    /** Where the database is kept for the next time. */
    folder: { type: 'string' },
    explain: { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)
const rounds = 400
const goal = 30
const batch = 20_000

const { next: random } = seededRandom(20_261_115)
const between = (from: number, to: number): number => from + random() * (to - from)
const bell = (): number => Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random())

type Place = { latitude: number; longitude: number }
/** As large as the Netherlands, with 300 towns. */
const anywhere = (): Place => ({ latitude: between(50.7, 53.5), longitude: between(3.3, 7.2) })
const towns = Array.from({ length: 300 }, anywhere)
const inTown = (): Place => {
  const town = towns[Math.floor(random() * towns.length)]!
  return { latitude: town.latitude + bell() * 0.03, longitude: town.longitude + bell() * 0.05 }
}
const somewhere = (): Place => (random() < 0.8 ? inTown() : anywhere())

const fill = async (sql: Session, { environment }: BenchService): Promise<void> => {
  const [there] = await sql`select 1 from publication_places limit 1`
  if (there) return
  const { id } = environment
  const [done] = await sql<
    { id: string }[]
  >`select id from statuses where environment_id = ${id} and body = 'Done'`
  const of = (kind: Parameters<typeof facet>[1], value?: string) => facet(id, kind, value)
  const kinds = [of('environment'), of('label', 'Spot'), of('locale', 'en-US'), of('own_locale', 'en-US')]
  const facets = `{${[...kinds, of('status', done!.id), of('published'), of('main')]}}`
  const state = { title: 'Spot', status_id: done!.id, publish_on: null, expire_on: null, assigned_to: null }
  const states = JSON.stringify({
    'en-US': { ...state, slug: 'spot', version: 1, published: true, expired: false, main: true },
  })
  for (let from = 0; from < rows; from += batch) {
    const places = Array.from({ length: Math.min(batch, rows - from) }, somewhere)
    const ids = places.map((_, index) => `spot-${from + index}`)
    await sql`insert into publications (environment_id, id, label, locales, state, items, channel_ids, container_ids,
        facets) select ${id}, id, 'Spot', '{en-US}', ${states}::text::jsonb, '{}', '{}', '{}', ${facets}::bigint[]
      from unnest(${ids}::text[]) as id`
    await sql`insert into publication_locales (environment_id, id, locale, slug_scope, slug, title, status_id, facets,
        title_search, search, items, main) select ${id}, id, 'en-US', '', id, 'Spot', ${done!.id}, ${facets}::bigint[],
      '', '', '{}', true from unnest(${ids}::text[]) as id`
    await sql`insert into publication_places (environment_id, id, locale, position, latitude, longitude, cell)
      select ${id}, id, 'en-US', 0, latitude, longitude, cell from unnest(${ids}::text[],
        ${places.map(({ latitude }) => latitude)}::float8[], ${places.map(({ longitude }) => longitude)}::float8[],
        ${places.map(cellOf)}::bigint[]) as place (id, latitude, longitude, cell)`
  }
  for (const table of ['publications', 'publication_locales', 'publication_places'])
    await sql.run(`vacuum analyze ${table}`)
}

const near = ({ latitude, longitude }: Place, more: string): string =>
  `/v5/publications?latitude=${latitude}&longitude=${longitude}${more}`

const cases: Record<string, () => string> = {
  'within 500 m of somewhere': () => near(somewhere(), '&distance=500'),
  'within 2 km of somewhere': () => near(somewhere(), '&distance=2000'),
  'within 5 km of a town': () => near(inTown(), '&distance=5000'),
  'within 5 km of anywhere': () => near(anywhere(), '&distance=5000'),
  'the nearest, however far': () => near(anywhere(), ''),
  'within 5 km, published, by label': () => near(inTown(), '&distance=5000&status=published&label=Spot'),
}

type Body = { total: number; items: unknown[] }
const get = async ({ origin, headers }: BenchService, path: string): Promise<Body> => {
  const response = await fetch(origin + path, { headers })
  if (response.status !== 200) throw new Error(await response.text())
  return (await response.json()) as Body
}

await using database = await keptDatabase(options)
await using service = await benchService(database.url, 'bench_proximity')
await withSession(service.url, (sql) => fill(sql, service))
// On a busy machine only the ratio says something.
const plain = await timed(rounds, (round) => get(service, `/v5/publications?skip=${round}`))
console.log(`${rows} places, one client, ms (goal: p99 within ${goal})`)
console.log(`${'the newest, anywhere'.padEnd(36)} p50 ${percentile(plain, 0.5).toFixed(1).padStart(6)}`)
for (const [title, path] of Object.entries(cases)) {
  const totals: number[] = []
  for (let warm = 0; warm < 20; warm += 1) await get(service, path())
  const times = await timed(rounds, async () => {
    totals.push((await get(service, path())).total)
  })
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  const matches = percentile(totals, 0.5)
  console.log(
    `${title.padEnd(36)} p50 ${p50.toFixed(1).padStart(6)}   p99 ${p99.toFixed(1).padStart(6)}   matches ${matches.toFixed(0).padStart(7)}  ${p99 <= goal ? 'holds' : 'FAILS'}`,
  )
}
