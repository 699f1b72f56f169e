import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import { keepToWay } from '../../events.ts'
import { keepLooking, type Looking } from '../../jobs/looking.ts'
import { readMatch, type StoredMatch } from '../publications/match.ts'
import type { Snapshot } from '../publications/snapshot.ts'
import { type Call, queueDeliveries } from './queue.ts'
import { type Noted, outdatingEvents, type WebhookRegistry, webhookRegistry } from './registry.ts'

const batchSize = 500
/** So many deliveries end a batch early. */
const maxDeliveries = 10_000
/** Publications in memory at a time: one may be large. */
const matchesAtOnce = 50
const lookEvery = 100
/** After more that others have planned, it is quicker to begin anew. */
const maxMissed = 100_000

type Happened = Noted & { sequence: string; id: string }

/** What a process knows of webhooks, and up to which event that is true. */
type Planning = { registry: WebhookRegistry; position: number }

export const newPlanning = (db: Db): Planning => ({ registry: webhookRegistry(db), position: -1 })

/** Turns events into deliveries. Every node tries; the lock on the position lets one in at a time. */
export const startPlanner = (db: Db, onError: (error: unknown) => void): Looking => {
  const planning = newPlanning(db)
  return keepLooking(async (isStopped) => {
    while (!isStopped() && (await isBehind(db)) && (await planBatch(db, planning)) > 0);
    return lookEvery
  }, onError)
}

const isBehind = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ behind: boolean }>`select sequence < last as behind
    from webhook_position, event_sequence`.execute(db)
  return rows[0]!.behind
}

/** One transaction: deliveries and how far they reach. A kill leaves all of it or nothing. Gives how many events. */
export const planBatch = async (db: Db, planning: Planning, size = batchSize): Promise<number> => {
  const done = await db.transaction().execute(async (tx) => {
    const position = await lockPosition(tx)
    const events = position === undefined ? [] : await eventsBehind(tx, position, size)
    if (events.length === 0) return { count: 0, last: planning.position }
    await catchUp(tx, planning, position!)
    const { planned, count } = await planAll(tx, planning.registry, events)
    await queueDeliveries(tx, 'event', planned)
    const last = Number(events[count - 1]!.sequence)
    await sql`update webhook_position set sequence = ${last}`.execute(tx)
    return { count, last }
  })
  planning.position = done.last
  return done.count
}

/** Undefined while another node has it. */
const lockPosition = async (tx: Tx): Promise<number | undefined> => {
  const { rows } = await sql<{ sequence: string }>`
    select sequence from webhook_position for update skip locked`.execute(tx)
  return rows[0] && Number(rows[0].sequence)
}

const noted = sql`environment_id, event, record_id, case when event = any(${outdatingEvents}::text[])
  then array_remove(array[snapshot ->> 'slug', snapshot ->> 'body', snapshot ->> 'name'], null) else '{}' end as names`

const eventsBehind = async (tx: Tx, position: number, size: number): Promise<Happened[]> => {
  await keepToWay(tx)
  const { rows } = await sql<Happened>`select sequence, id, ${noted} from events
    where sequence > ${position} order by sequence limit ${size}`.execute(tx)
  return rows
}

/** What other nodes have planned meanwhile may have outdated what we hold. */
const catchUp = async (tx: Tx, { registry, position: known }: Planning, position: number): Promise<void> => {
  if (known === position) return
  if (known < 0 || known > position || position - known > maxMissed) return registry.forget()
  const { rows } = await sql<Noted>`select ${noted} from events where sequence > ${known}
    and sequence <= ${position} and event = any(${outdatingEvents}::text[])`.execute(tx)
  rows.forEach(registry.note)
}

const planAll = async (
  tx: Tx,
  registry: WebhookRegistry,
  events: Happened[],
): Promise<{ planned: Call[]; count: number }> => {
  const matchOf = matchesIn(tx, events)
  const planned: Call[] = []
  for (const [place, happened] of events.entries()) {
    registry.note(happened)
    const { environment_id, event, sequence, record_id } = happened
    if (environment_id === null) continue
    const { index, isOn } = await registry.of(environment_id)
    const match = index.asksForMatch(event) ? await matchOf(place) : null
    const about = { environment_id, event_id: happened.id, sequence, record_id }
    for (const { webhook, names } of index.wanting(event, match))
      if (isOn(webhook.id, Number(sequence)))
        planned.push({ ...about, webhook_id: webhook.id, event: names.get(event)! })
    if (planned.length >= maxDeliveries) return { planned, count: place + 1 }
  }
  return { planned, count: events.length }
}

/** Publications are read some at a time, and only where somebody's filter asks for them. */
const matchesIn = (tx: Tx, events: Happened[]) => {
  let held = new Map<string, StoredMatch | null>()
  return async (index: number): Promise<Snapshot | null> => {
    const { sequence } = events[index]!
    if (!held.has(sequence)) held = await readMatches(tx, events.slice(index, index + matchesAtOnce))
    const match = held.get(sequence)
    return match ? readMatch(match) : null
  }
}

const readMatches = async (tx: Tx, events: Happened[]): Promise<Map<string, StoredMatch | null>> => {
  const sequences = events.map(({ sequence }) => sequence)
  const { rows } = await sql<{ sequence: string; match: StoredMatch | null }>`
    select sequence, match from events where sequence = any(${sequences}::bigint[])`.execute(tx)
  return new Map(rows.map(({ sequence, match }) => [sequence, match]))
}
