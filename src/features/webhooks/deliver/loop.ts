import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { keepLooking, type Looking } from '../../../jobs/looking.ts'
import type { WebhookRow } from '../table.ts'
import {
  type Claimed,
  cancel,
  cancelWaiting,
  claimDue,
  claimSeconds,
  type Due,
  release,
  waitingWebhooks,
} from './claim.ts'
import { judgeWebhooks } from './health.ts'
import { openLanes } from './lanes.ts'
import { attemptLog, type Logged, logAttempts } from './log.ts'
import { messagesOf } from './message.ts'
import { attempt, timeout } from './send.ts'

const lookEvery = 100
/** While there is work: what is claimed and sent meanwhile shares statements. */
const rest = 10
/** Webhooks that one look takes from; the others come next. */
const maxWebhooks = 64
/** How long a stop waits for answers before it gives up on them. */
const grace = 5000

/** Sends what is due, on every node with background work, until stopped. */
export const startDeliveries = (context: Context, onError: (error: unknown) => void): Looking => {
  const ending = new AbortController()
  const log = attemptLog(
    (logged) => settle(context, logged),
    ({ claimed }) => isOurs(claimed),
    onError,
  )
  const unsent: Due[] = []
  const send = async (claimed: Claimed): Promise<boolean> => {
    const outcome = isTimely(claimed) ? await tryOnce(context, claimed, ending.signal, onError) : undefined
    if (outcome) log.add({ claimed, outcome })
    else unsent.push(claimed.delivery)
    return outcome?.delivered ?? false
  }
  const lanes = openLanes(send)
  let turn = 0

  const look = async (): Promise<number> => {
    lanes.sweep()
    await release(context.db, unsent)
    unsent.length = 0
    const waiting = (await waitingWebhooks(context.db)).filter((id) => lanes.roomFor(id) > 0)
    if (waiting.length === 0) return lanes.underWay() > 0 ? rest : lookEvery
    // Each look begins behind the last one, so that all have their turn.
    turn = turn >= waiting.length ? 0 : turn
    const chosen = waiting.slice(turn, turn + maxWebhooks)
    turn += maxWebhooks
    const due = await claimDue(context.db, new Map(chosen.map((id) => [id, lanes.roomFor(id)])))
    try {
      lanes.add(await prepare(context, due))
    } catch (error) {
      unsent.push(...due)
      throw error
    }
    return due.length > 0 || waiting.length > chosen.length ? rest : lookEvery
  }
  const looking = keepLooking(look, onError)

  return {
    async stop(): Promise<void> {
      await looking.stop()
      unsent.push(...lanes.drain().map(({ delivery }) => delivery))
      const until = performance.now() + grace
      while (lanes.underWay() > 0) {
        if (performance.now() > until) ending.abort(new Error('the service stops'))
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      await log.end()
      await release(context.db, unsent).catch(onError)
    },
  }
}

/** What became of attempts, and of the webhooks that they went to. */
const settle = async (context: Context, logged: Logged[]): Promise<void> => {
  await logAttempts(context.db, logged)
  await judgeWebhooks(context, logged)
}

const isOurs = ({ claimedAt }: Claimed, still = 0): boolean =>
  performance.now() - claimedAt + still < claimSeconds * 1000

/** Whether there is time for an answer, and to write it down, before somebody else may take it. */
const isTimely = (claimed: Claimed): boolean => isOurs(claimed, 1.3 * timeout)

const tryOnce = async (
  context: Context,
  claimed: Claimed,
  signal: AbortSignal,
  onError: (error: unknown) => void,
) => {
  try {
    return await attempt(context, claimed, signal)
  } catch (error) {
    if (!signal.aborted) onError(error)
    return undefined
  }
}

/** Adds what is needed to send them. Those that nobody wants any more end here. */
const prepare = async (context: Context, due: Due[]): Promise<Claimed[]> => {
  if (due.length === 0) return []
  const claimedAt = performance.now()
  const webhooks = await loadWebhooks(context, due)
  const off: Due[] = []
  const wanted: { delivery: Due; webhook: WebhookRow }[] = []
  for (const delivery of due) {
    const webhook = webhooks.get(`${delivery.environment_id} ${delivery.webhook_id}`)
    if (webhook?.active) wanted.push({ delivery, webhook })
    else off.push(delivery)
  }
  const bodies = await messagesOf(context, wanted)
  const empty = wanted.filter((_, index) => bodies[index] === undefined).map(({ delivery }) => delivery)
  await endUnwanted(context, off)
  await cancel(context.db, empty, 'What it was about is no more')
  return wanted.flatMap((one, index) => {
    const body = bodies[index]
    return body === undefined ? [] : [{ ...one, body, claimedAt }]
  })
}

const endUnwanted = async ({ db }: Context, off: Due[]): Promise<void> => {
  const reason = 'The webhook was switched off or deleted'
  await cancel(db, off, reason)
  for (const webhookId of new Set(off.map(({ webhook_id }) => webhook_id)))
    await cancelWaiting(db, webhookId, reason)
}

const loadWebhooks = async ({ db }: Context, due: Due[]): Promise<Map<string, WebhookRow>> => {
  const { rows } = await sql<WebhookRow>`select * from webhooks
    where environment_id = any(${[...new Set(due.map((row) => row.environment_id))]}::text[])
      and id = any(${[...new Set(due.map((row) => row.webhook_id))]}::text[])`.execute(db)
  return new Map(rows.map((row) => [`${row.environment_id} ${row.id}`, row]))
}
