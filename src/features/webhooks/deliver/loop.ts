import type { Context } from '../../../context.ts'
import { keepLooking, type Looking } from '../../../jobs/looking.ts'
import { chunksOf } from './chunks.ts'
import { type Claimed, claimDue, claimSeconds, type Due, release, waitingWebhooks } from './claim.ts'
import { judgeWebhooks } from './health.ts'
import { openLanes } from './lanes.ts'
import { attemptLog, logAttempts } from './log.ts'
import { messagesOf } from './message.ts'
import { prepare } from './prepare.ts'
import { attempt, timeout } from './send.ts'

const lookEvery = 100
/** While there is work: what is claimed and sent meanwhile shares statements. */
const rest = 10
/** Deliveries that one look takes; what is left comes next. */
const maxTaken = 500
/** How long a stop waits for answers before it gives up on them. */
const grace = 5000

/** Sends what is due, on every node with background work, until stopped. */
export const startDeliveries = (context: Context, onError: (error: unknown) => void): Looking => {
  const ending = new AbortController()
  const log = attemptLog(
    async (logged) => {
      await logAttempts(context.db, logged)
      // What it would have noted shows again at the next call.
      await judgeWebhooks(context, logged).catch(onError)
    },
    ({ claimed }) => isOurs(claimed),
    onError,
  )
  const unsent: Due[] = []
  const send = async (claimed: Claimed): Promise<boolean | undefined> => {
    const outcome = isTimely(claimed) ? await tryOnce(context, claimed, ending.signal, onError) : undefined
    if (outcome) log.add({ claimed, outcome })
    else unsent.push(claimed.delivery)
    return outcome?.delivered
  }
  const lanes = openLanes(send)
  let turn = 0

  const giveBack = async (): Promise<void> => {
    const given = unsent.splice(0)
    try {
      await release(context.db, given)
    } catch (error) {
      unsent.push(...given)
      throw error
    }
  }
  /** Some at a time, as long as what is held is not too much. */
  const take = async (due: Due[], claimedAt: number): Promise<void> => {
    const left = [due]
    try {
      left.splice(0, 1, ...(await chunksOf(context.db, due)))
      for (; left.length > 0; left.shift())
        if (lanes.isFull()) unsent.push(...left[0]!)
        else lanes.add(await prepare(context, left[0]!, claimedAt))
    } catch (error) {
      unsent.push(...left.flat())
      throw error
    }
  }
  const look = async (): Promise<number> => {
    const from = performance.now()
    const before = lanes.ended()
    lanes.sweep()
    await giveBack()
    const waiting = (await waitingWebhooks(context.db)).filter((id) => lanes.roomFor(id) > 0)
    // Each look begins behind the last one, so that all have their turn.
    if (turn >= waiting.length) turn = 0
    const rooms = share(waiting.slice(turn), lanes.roomFor)
    turn += rooms.size
    const claimedAt = performance.now()
    const due = rooms.size > 0 ? await claimDue(context.db, rooms) : []
    await take(due, claimedAt)
    const isBusy = due.length > 0 || rooms.size < waiting.length || lanes.ended() > before
    return isBusy ? Math.max(rest, (performance.now() - from) / 4) : lookEvery
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
      await giveBack().catch(onError)
    },
  }
}

/** How many of each are taken. */
const share = (webhooks: string[], roomFor: (webhook: string) => number): Map<string, number> => {
  const rooms = new Map<string, number>()
  let left = maxTaken
  for (const webhook of webhooks) {
    if (left === 0) break
    const room = Math.min(left, roomFor(webhook))
    rooms.set(webhook, room)
    left -= room
  }
  return rooms
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
    const current = await unlessErased(context, claimed)
    return current && (await attempt(context, current, signal))
  } catch (error) {
    if (!signal.aborted) onError(error)
    return undefined
  }
}

/** A message waits its turn. One about a person, or its words, is read again: it may have been erased meanwhile. */
const unlessErased = async (context: Context, claimed: Claimed): Promise<Claimed | undefined> => {
  if (!/^(person|message|comment|asset)\./.test(claimed.delivery.event)) return claimed
  const [body] = await messagesOf(context, [claimed])
  return body === undefined ? undefined : { ...claimed, body }
}
