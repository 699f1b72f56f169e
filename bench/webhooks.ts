import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { Agent, fetch } from 'undici'
import { type BenchService, benchDatabase, benchService, percentile } from './service.ts'

/**
 * Deliveries per second to a listener on this machine, and the delay from commit to call of a good listener beside
 * one that hangs and one that answers 500.
 *
 *   node bench/webhooks.ts [--events 20000] [--seconds 20] [--rate 50]
 */
const goals = { perSecond: 1000, p99: 1000 }

type Arrived = { id: string; record: string; at: number }
type Kind = 'good' | 'failing' | 'hanging'

/** In a process of its own, as a receiver would be. */
const listen = (kind: Kind): void => {
  let arrived: Arrived[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { id, payload } = JSON.parse(Buffer.concat(chunks).toString())
      arrived.push({ id, record: payload.id, at: Date.now() })
      if (kind !== 'hanging') response.writeHead(kind === 'good' ? 200 : 500).end()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
  process.on('message', () => {
    process.send!({ arrived })
    arrived = []
  })
  process.on('disconnect', () => process.exit())
}

const startListener = async (kind: Kind) => {
  const child: ChildProcess = fork(import.meta.filename, ['listener', kind])
  const told = <T>() => new Promise<T>((resolve) => child.once('message', resolve as never))
  const { port } = await told<{ port: number }>()
  return {
    url: `http://127.0.0.1:${port}/`,
    async take(): Promise<Arrived[]> {
      const answer = told<{ arrived: Arrived[] }>()
      child.send('take')
      return (await answer).arrived
    },
    [Symbol.dispose]: () => void child.kill(),
  }
}

const agent = new Agent({ connections: 16 })
const post = async ({ origin, headers }: BenchService, path: string, body: object) => {
  const response = await fetch(origin + path, {
    method: 'POST',
    dispatcher: agent,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} gave ${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: string }
}

const addWebhook = (service: BenchService, url: string) =>
  post(service, '/webhooks', { url, events: ['channel.created'] })

/** Deliveries that are all due at once, of as many events. */
const fill = async ({ context: { db }, environment }: BenchService, webhook: string, count: number) => {
  await sql`insert into events (sequence, id, organisation_id, environment_id, event, label, record_id, snapshot,
      performed_by, created_on)
    select last + n, 'bench-' || n, ${environment.organisation_id}, ${environment.id}, 'channel.created', 'Channel',
      'record-' || n, jsonb_build_object('id', 'record-' || n, 'label', 'Channel', 'name', repeat('words ', 50)),
      '{"token_id": null, "user_id": null}', now()
    from event_sequence, generate_series(1, ${count}::integer) n`.execute(db)
  await sql`update event_sequence set last = last + ${count}`.execute(db)
  await sql`update webhook_position set sequence = (select last from event_sequence)`.execute(db)
  await sql`insert into webhook_deliveries (environment_id, id, webhook_id, event_id, sequence, event, record_id, source)
    select environment_id, id, ${webhook}, id, sequence, event, record_id, 'event' from events
    where id like 'bench-%'`.execute(db)
}

const left = async ({ context: { db } }: BenchService): Promise<number> => {
  const { rows } = await sql<{ count: string }>`select count(*) from webhook_deliveries
    where status = 'pending' and id like 'bench-%'`.execute(db)
  return Number(rows[0]!.count)
}

const throughput = async (service: BenchService, count: number): Promise<number> => {
  using listener = await startListener('good')
  const { id } = await addWebhook(service, listener.url)
  await sleep(500)
  const from = performance.now()
  await fill(service, id, count)
  while ((await left(service)) > 0) await sleep(200)
  const seconds = (performance.now() - from) / 1000
  const arrived = await listener.take()
  const distinct = new Set(arrived.map((one) => one.id)).size
  console.log(
    `${count} deliveries in ${seconds.toFixed(1)} s, logged; ${arrived.length} calls, ${distinct} messages: ${(count / seconds).toFixed(0)}/s`,
  )
  if (distinct !== count) throw new Error(`${count - distinct} messages did not arrive`)
  return count / seconds
}

const delays = async (service: BenchService, seconds: number, rate: number): Promise<number> => {
  using good = await startListener('good')
  using hanging = await startListener('hanging')
  using failing = await startListener('failing')
  for (const { url } of [hanging, failing, good]) await addWebhook(service, url)
  const made = new Map<string, number>()
  const until = performance.now() + seconds * 1000
  const writing: Promise<void>[] = []
  for (let n = 0; performance.now() < until; n += 1) {
    const write = async () => {
      const { id } = await post(service, '/channels', { name: `Channel ${n}` })
      made.set(id, Date.now())
    }
    writing.push(write())
    await sleep(1000 / rate)
  }
  await Promise.all(writing)
  await sleep(2000)
  const arrived = await good.take()
  const times = arrived.map(({ record, at }) => at - made.get(record)!)
  const calls = [await hanging.take(), await failing.take()].map(({ length }) => length)
  console.log(
    `${made.size} writes, ${arrived.length} calls to the good listener (${calls[0]} to the hanging, ${calls[1]} to the failing one); ` +
      `delay median ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms, longest ${Math.max(...times)} ms`,
  )
  if (arrived.length < made.size) throw new Error(`${made.size - arrived.length} calls are missing`)
  return percentile(times, 0.99)
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '20' },
      rate: { type: 'string', default: '50' },
    },
  })
  await using database = await benchDatabase()
  await using service = await benchService(database.url, 'bench_webhooks', {
    MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
  })
  const perSecond = await throughput(service, Number(values.events))
  const p99 = await delays(service, Number(values.seconds), Number(values.rate))
  const holds = (is: boolean) => (is ? 'holds' : 'FAILS')
  console.log(
    `deliveries per second ${perSecond.toFixed(0)} (goal ${goals.perSecond}) ${holds(perSecond >= goals.perSecond)}`,
  )
  console.log(`p99 of the good listener ${p99} ms (goal ${goals.p99}) ${holds(p99 < goals.p99)}`)
}

if (process.argv[2] === 'listener') listen(process.argv[3] as Kind)
else await main()
