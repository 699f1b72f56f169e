import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, fetch } from 'undici'
import { startEmbedded } from '../src/database/embedded.ts'
import { type Session, withSession } from '../src/database/session.ts'
import type { Service } from '../test/cli/service.ts'
import { type Receiver, startReceiver } from './kill/receiver.ts'
import { failures, type KillTarget, killRounds, type Options, targets, tell, token } from './kill.ts'

/**
 * The rounds of kill.ts under 200 writes a second with a receiver of webhooks, which refuses one call in twenty: every
 * committed change arrives, nothing else does, and a message keeps its id and is signed whenever it is sent.
 *
 *   node bench/kill-webhooks.ts --rounds 100 [--seconds 1.5]
 */
const events = ['channel.created', 'channel.changed', 'tag.created']

export type Arrivals = {
  events: number
  messages: number
  calls: number
  repeated: number
  failures: string[]
}

export const killWebhookRounds = async (order: KillTarget[], options: Options = {}): Promise<Arrivals> => {
  const receiver = await startReceiver()
  let arrivals: Arrivals | undefined
  try {
    const rounds = await killRounds(order, {
      rate: 200,
      ...options,
      env: { MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' },
      begin: async (service) => receiver.expect(await register(service, receiver.url)),
      end: async (data) => {
        const { url } = await startEmbedded({ folder: data })
        arrivals = await withSession(url, (session) => arrivalsOf(session, receiver))
      },
    })
    return { ...arrivals!, failures: [...failures(rounds), ...arrivals!.failures] }
  } finally {
    await receiver.close()
  }
}

const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })

const register = async ({ port }: Service, url: string): Promise<string> => {
  const response = await fetch(`https://127.0.0.1:${port}/webhooks`, {
    method: 'POST',
    dispatcher,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events }),
  })
  const { secret } = (await response.json()) as { secret?: string }
  if (!secret) throw new Error(`the webhook was not made: ${response.status}`)
  return secret
}

const arrivalsOf = async (sql: Session, { messages, faults }: Receiver): Promise<Arrivals> => {
  await untilSent(sql)
  const happened = await sql<{ id: string; event: string; record_id: string }[]>`
    select id, event, record_id from events where event = any(${events})`
  const known = new Map(happened.map((event) => [event.id, event]))
  const lost = happened.filter(({ id }) => !messages.has(id))
  const invented = [...messages].filter(([id, { event, record }]) => {
    const committed = known.get(id)
    return committed?.event !== event || committed.record_id !== record
  })
  const all = [...messages.values()]
  return {
    events: happened.length,
    messages: messages.size,
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    repeated: all.filter(({ calls }) => calls > 1).length,
    failures: [
      ...lost.map(({ id, event }) => `${event} ${id} did not arrive`),
      ...invented.map(([id, { event }]) => `${event} ${id} arrived, but never happened`),
      ...faults,
    ],
  }
}

/** What waits for its next attempt, and what the killed had taken, need not wait for its time any longer. */
const untilSent = async (sql: Session): Promise<void> => {
  for (const until = Date.now() + 120_000; ; ) {
    const [state] = await sql<{ open: boolean }[]>`select sequence < last or exists (select 1 from outbox)
      or exists (select 1 from webhook_deliveries where status = 'pending') as open
      from webhook_position, event_sequence`
    if (!state!.open) return
    if (Date.now() > until) throw new Error('not everything was sent within 120 s')
    await sql`update webhook_deliveries set next_attempt_on = now(), claimed_until = null
      where status = 'pending' and (claimed_until > now() or next_attempt_on > now())`
    await sleep(3000)
  }
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '1.5' } },
  })
  const order = Array.from({ length: Number(values.rounds) }, (_, n) => targets[n % targets.length]!)
  const found = await killWebhookRounds(order, { seconds: Number(values.seconds), tell })
  console.log(
    `${order.length} rounds, ${found.events} changes committed, ${found.messages} messages arrived in ${found.calls} calls, ` +
      `${found.repeated} of them more than once, ${found.failures.length} faults`,
  )
  for (const failure of found.failures.slice(0, 50)) console.log(failure)
  process.exitCode = found.failures.length > 0 ? 1 : 0
}

if (import.meta.main) await main()
