import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CompiledQuery, sql } from 'kysely'
import { claimStatement } from '../src/features/sources/poll/claim.ts'
import { type BenchService, benchDatabase, benchService, percentile, timed } from './service.ts'

/**
 * Polls per second of one node against a web server on this machine: of feeds that are new, that have one new item and
 * that have none; and, with 100,000 sources that fall due evenly, how late they are asked and what taking them costs.
 *
 *   node bench/sources.ts [--sources 100000] [--polls 10000] [--seconds 30] [--hosts 50]
 */
const goals = { perSecond: 200, lateness: 2000 }
const perFeed = 20

type Round = 'new' | 'one' | 'none'

const feed = (source: string, round: number): string => {
  const item = (n: number) =>
    `<item><title>Story ${n} of ${source}</title><link>https://news.example.org/${source}/${n}</link><guid>${source}-${n}</guid><pubDate>${new Date(Date.now() - (perFeed + round - n) * 3_600_000).toUTCString()}</pubDate><description>&lt;p&gt;${'Ships leave the harbour when the tide turns. '.repeat(8)}&lt;/p&gt;</description></item>`
  const items = Array.from({ length: perFeed }, (_, n) => item(round + perFeed - n))
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>${source}</title>${items.join('')}</channel></rss>`
}

/** In a process of its own, as the world would be. */
const serve = (): void => {
  let round = 0
  const server = createServer((request, response) => {
    const etag = `"${round}"`
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else
      response.writeHead(200, { etag, 'content-type': 'application/rss+xml' }).end(feed(request.url!, round))
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '0.0.0.0', () => process.send!({ port: (server.address() as AddressInfo).port }))
  process.on('message', () => {
    round += 1
  })
  process.on('disconnect', () => process.exit())
}

const startSite = async () => {
  const child: ChildProcess = fork(import.meta.filename, ['site'])
  const { port } = await new Promise<{ port: number }>((resolve) => child.once('message', resolve as never))
  return { port, change: () => child.send('change'), [Symbol.dispose]: () => void child.kill() }
}

/** Sources of many hosts, none of which is due. */
const fill = async (
  { context: { db }, environment }: BenchService,
  count: number,
  hosts: number,
  port: number,
) => {
  for (let from = 1; from <= count; from += 10_000)
    await sql`insert into sources (environment_id, id, label, target, url, name)
      select ${environment.id}, 'source-' || n, 'Rss', url, url, 'Source ' || n
      from (select n, 'http://127.0.1.' || n % ${hosts}::integer + 1 || ':' || ${port}::integer || '/' || n as url
        from generate_series(${from}::integer, least(${from + 9999}::integer, ${count}::integer)) n) as made`.execute(
      db,
    )
  await sql`insert into source_polls (environment_id, id, host, next_fetch_on, interval)
    select environment_id, id, split_part(url, '/', 3), now() + interval '1 day', 900 from sources`.execute(
    db,
  )
  await sql`analyze sources, source_polls`.execute(db)
}

/** Polls per second of so many that fall due at once. */
const together = async ({ context: { db } }: BenchService, count: number, round: Round): Promise<number> => {
  const { rows } = await sql<{ now: Date }>`update source_polls set next_fetch_on = now()
    where substr(id, 8)::integer <= ${count} returning now()`.execute(db)
  const [from, began, cpu] = [rows[0]!.now, performance.now(), process.cpuUsage()]
  const left = async () => {
    const { rows } = await sql<{ left: string }>`select count(*) as left from source_polls
      where substr(id, 8)::integer <= ${count} and (fetched_on is null or fetched_on < ${from})`.execute(db)
    return Number(rows[0]!.left)
  }
  while ((await left()) > 0) await sleep(250)
  const perSecond = count / ((performance.now() - began) / 1000)
  const { user, system } = process.cpuUsage(cpu)
  const each = (user + system) / 1000 / count
  const { rows: counted } = await sql<{
    items: string
    failed: string
  }>`select (select count(*) from source_items) as items,
    (select count(*) from source_polls where failed > 0) as failed`.execute(db)
  console.log(
    `${count} polls, ${round} of ${perFeed} items new: ${perSecond.toFixed(0)}/s, ${each.toFixed(1)} ms of a core each; ${counted[0]!.items} items, ${counted[0]!.failed} failed`,
  )
  return perSecond
}

/** How late sources are asked that fall due evenly. */
const evenly = async ({ context: { db } }: BenchService, count: number, seconds: number): Promise<number> => {
  await sql`update source_polls set next_fetch_on = now() + interval '3 seconds'
    + (substr(id, 8)::integer - 1) * interval '1 second' / ${goals.perSecond}::integer`.execute(db)
  await sql`create table bench_due as select id, next_fetch_on as due_on from source_polls`.execute(db)
  await sql`vacuum analyze source_polls`.execute(db)
  await explain(db)
  const from = process.cpuUsage()
  await sleep((3 + seconds) * 1000)
  const { user, system } = process.cpuUsage(from)
  const { rows } = await sql<{ late: number; fetched: boolean }>`
    select extract(epoch from fetched_on - due_on)::float8 * 1000 as late, fetched_on >= due_on as fetched
    from bench_due join source_polls using (id) where due_on < now() - interval '2 seconds'`.execute(db)
  const late = rows.filter(({ fetched }) => fetched).map((row) => row.late)
  console.log(
    `${count} sources, ${goals.perSecond} due per second for ${seconds} s: ${late.length} of ${rows.length} asked, ` +
      `late by ${percentile(late, 0.5).toFixed(0)} ms (median), ${percentile(late, 0.99).toFixed(0)} ms (p99); ` +
      `${((user + system) / 1e4 / (seconds + 3)).toFixed(0)}% of a core`,
  )
  return rows.length > late.length ? Number.POSITIVE_INFINITY : percentile(late, 0.99)
}

/** Lists of items, one after the other. */
const lists = async ({ origin, headers, context: { db } }: BenchService): Promise<void> => {
  await sql`vacuum analyze source_items`.execute(db)
  const ask = async (query: string) => {
    const times = await timed(50, async () => {
      const response = await fetch(`${origin}/v5/sources/items?${query}`, { headers })
      if (!response.ok) throw new Error(`${query} gave ${response.status}: ${await response.text()}`)
      await response.arrayBuffer()
    })
    console.log(
      `GET /v5/sources/items?${query}: median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`,
    )
  }
  await ask('')
  await ask('source_ids_or=source-1,source-2,source-3')
  await ask('q=story+4711')
}

const explain = async (db: BenchService['context']['db']): Promise<void> => {
  const plan = await db.transaction().execute(async (tx) => {
    await sql`update source_polls set next_fetch_on = now() - interval '1 second' where substr(id, 8)::integer % 1000 = 0`.execute(
      tx,
    )
    const statement = claimStatement(100, ['busy.example.org']).compile(tx)
    const text = `explain (analyze, buffers, costs off, timing off) ${statement.sql}`
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(text, [...statement.parameters]),
    )
    return rows.map((row) => row['QUERY PLAN'])
  })
  console.log(`\n${plan.join('\n')}\n`)
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      sources: { type: 'string', default: '100000' },
      polls: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '30' },
      hosts: { type: 'string', default: '50' },
    },
  })
  const [sources, polls] = [Number(values.sources), Number(values.polls)]
  using site = await startSite()
  await using database = await benchDatabase()
  await using service = await benchService(database.url, 'bench_sources', {
    MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8',
  })
  await fill(service, sources, Number(values.hosts), site.port)
  const rates = [await together(service, polls, 'new')]
  site.change()
  rates.push(await together(service, polls, 'one'))
  rates.push(await together(service, polls, 'none'))
  await lists(service)
  const lateness = await evenly(service, sources, Number(values.seconds))
  const holds = (is: boolean) => (is ? 'holds' : 'FAILS')
  const slowest = Math.min(...rates)
  console.log(
    `polls per second ${slowest.toFixed(0)} (goal ${goals.perSecond}) ${holds(slowest >= goals.perSecond)}`,
  )
  console.log(
    `late by ${lateness.toFixed(0)} ms, p99 (goal ${goals.lateness}) ${holds(lateness < goals.lateness)}`,
  )
}

if (process.argv[2] === 'site') serve()
else await main()
