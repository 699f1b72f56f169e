import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { withSession } from '../src/database/session.ts'
import { type BenchService, benchDatabase, benchService, percentile } from './service.ts'

/**
 * One bulk put, its undo and one bulk delete over many publications: records a second, memory of the server, and how
 * long others wait for a GET meanwhile. `node bench/bulk.ts [publications]`
 */
const count = Number(process.argv[2] ?? 20_000)
const goal = { growth: 200, p99: 100 }

type Load = { origin: string; headers: Record<string, string>; id: string }

/** GETs of one and of a list, one after the other, until told to stop. */
const readBeside = async ({ origin, headers, id }: Load): Promise<void> => {
  let times: number[] = []
  process.on('message', () => {
    process.send!({ p50: percentile(times, 0.5), p99: percentile(times, 0.99), count: times.length })
    times = []
  })
  const paths = [`/publications/${id}?fields=items`, '/publications?sort=publish_on&locale=en-US&total=false']
  for (let round = 0; ; round += 1) {
    const from = performance.now()
    const response = await fetch(origin + paths[round % 2], { headers })
    await response.text()
    if (response.status !== 200) throw new Error(`${paths[round % 2]}: ${response.status}`)
    times.push(performance.now() - from)
    await sleep(5)
  }
}

/** Copies of one publication that was made by the interface, with its version. */
const fill = async (service: BenchService): Promise<string> => {
  const { url, environment, origin, headers } = service
  const locale = environment.default_locale
  const title = { label: 'Text', body: 'A morning in the studio', format: 'H1' }
  const body = { label: 'Text', body: '<p>Seven words of a longer text.</p>'.repeat(20), format: null }
  const made = await fetch(`${origin}/publications`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'Publication', locales: [locale], items: { [locale]: { title, body } } }),
  })
  const { id } = (await made.json()) as { id: string }
  await withSession(url, async (sql) => {
    const copy = async (table: string, key: string, changed: Record<string, string>) => {
      const columns = await sql<{ name: string }[]>`select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = ${table}`
      const names = columns.map(({ name }) => name)
      await sql.run(`insert into ${table} (${names}) select ${names.map((name) => changed[name] ?? name)}
        from ${table}, generate_series(2, ${count}) as n where ${key} = '${id}'`)
    }
    const newId = `'${id}-' || lpad(n::text, 8, '0')`
    const state = `jsonb_set(state, '{${locale},slug}', to_jsonb('copy-' || n))`
    await copy('publications', 'id', { id: newId, state })
    await copy('publication_locales', 'id', { id: newId, slug: `'copy-' || n` })
    await copy('publication_versions', 'publication_id', { publication_id: newId, state })
    await sql.run('vacuum analyze')
  })
  // The one that is read all the time is not among those that are changed and deleted.
  await call(service, 'PUT', `/publications/${id}`, { status: { [locale]: { body: 'Review' } } })
  return id
}

const call = async ({ origin, headers }: BenchService, method: string, path: string, body?: object) => {
  const response = await fetch(origin + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
  return JSON.parse(text)
}

const main = async (): Promise<void> => {
  await using database = await benchDatabase()
  await using service = await benchService(database.url, 'bench_bulk')
  const id = await fill(service)
  const load = fork(new URL(import.meta.url), ['beside'])
  load.send({ origin: service.origin, headers: service.headers, id } satisfies Load)
  const reads = async () => {
    load.send('tell')
    const [told] = await once(load, 'message')
    return told as { p50: number; p99: number; count: number }
  }
  const begun = async (): Promise<Awaited<ReturnType<typeof reads>>> => {
    await sleep(2000)
    const told = await reads()
    return told.count > 100 ? told : begun()
  }
  await begun()
  const quiet = await begun()
  const before = process.memoryUsage().rss / 1e6
  console.log(
    `${count} publications; alone a GET takes ${quiet.p50.toFixed(1)} ms, p99 ${quiet.p99.toFixed(1)}`,
  )
  const measure = async (name: string, begin: () => Promise<{ id: string }>): Promise<string> => {
    await reads()
    const from = performance.now()
    let operation = (await begin()) as { id: string; status: string; processed: number; failed: number }
    const accepted = performance.now() - from
    const cpuBefore = process.cpuUsage()
    let most = 0
    while (['pending', 'running'].includes(operation.status)) {
      await sleep(100)
      most = Math.max(most, process.memoryUsage().rss / 1e6)
      operation = await call(service, 'GET', `/bulk_operations/${operation.id}`)
    }
    const seconds = (performance.now() - from - accepted) / 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    const { p50, p99 } = await reads()
    const { processed, failed, status } = operation
    const growth = most - before
    const holds = status === 'done' && failed === 0 && growth <= goal.growth && p99 <= goal.p99
    console.log(
      `${name.padEnd(7)} accepted in ${accepted.toFixed(0)} ms, ${(processed / seconds).toFixed(0)} records/s, ${((user + system) / 1000 / processed).toFixed(1)} ms of this process each, memory +${growth.toFixed(0)} MB, GET p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${failed} failed  ${holds ? 'holds' : 'FAILS'}`,
    )
    return operation.id
  }
  const locale = service.environment.default_locale
  const changes = { status: { [locale]: { body: 'Archived' } } }
  const dry = performance.now()
  await call(service, 'PUT', '/publications/bulk/put?status[eq]=To do&dry_run=true', changes)
  console.log(`dry run in ${(performance.now() - dry).toFixed(0)} ms`)
  const put = await measure('put', () =>
    call(service, 'PUT', '/publications/bulk/put?status[eq]=To do', changes),
  )
  await measure('undo', () => call(service, 'POST', `/bulk_operations/${put}/undo`))
  const others = { filter: { status: { eq: 'To do' } } }
  await measure('delete', () => call(service, 'POST', '/publications/bulk/delete', others))
  load.kill()
}

if (process.argv[2] === 'beside') process.once('message', (load) => readBeside(load as Load))
else await main()
