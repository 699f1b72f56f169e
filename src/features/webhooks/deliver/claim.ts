import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../table.ts'

/** Long enough for a request and some waiting; after it whoever was killed is thought dead. */
export const claimSeconds = 60

export type Due = Pick<
  WebhookDeliveryRow,
  | 'environment_id'
  | 'id'
  | 'webhook_id'
  | 'event_id'
  | 'sequence'
  | 'event'
  | 'record_id'
  | 'bulk_operation_id'
  | 'source'
  | 'attempts'
  | 'created_on'
>

/** A delivery in our hands, with everything that is needed to send it. */
export type Claimed = { delivery: Due; webhook: WebhookRow; body: string; claimedAt: number }

/** As long as no more than these are due, they tell which webhooks there are. */
const fewDue = 1000

/** Webhooks with something due. */
export const waitingWebhooks = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ webhook_id: string; count: string }>`
    select webhook_id, count(*) as count from (select webhook_id from webhook_deliveries
      where status = 'pending' and next_attempt_on <= now() order by next_attempt_on limit ${fewDue}) as due
    group by webhook_id order by webhook_id`.execute(db)
  const seen = rows.reduce((sum, { count }) => sum + Number(count), 0)
  return seen < fewDue ? rows.map(({ webhook_id }) => webhook_id) : allWaiting(db)
}

/** One step per webhook that has anything pending, however much that is: many due of one do not hide the others. */
const allWaiting = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ webhook_id: string }>`
    with recursive waiting (webhook_id, next_attempt_on) as (
      (select webhook_id, next_attempt_on from webhook_deliveries where status = 'pending'
        order by webhook_id, next_attempt_on, id limit 1)
      union all
      select following.* from waiting, lateral (
        select webhook_id, next_attempt_on from webhook_deliveries
        where status = 'pending' and webhook_id > waiting.webhook_id
        order by webhook_id, next_attempt_on, id limit 1) as following
    )
    select webhook_id from waiting where next_attempt_on <= now()`.execute(db)
  return rows.map(({ webhook_id }) => webhook_id)
}

/** Takes up to so many of each webhook, the longest due first, for a while during which nobody else takes them. */
export const claimDue = async (db: Db, rooms: ReadonlyMap<string, number>): Promise<Due[]> => {
  const { rows } = await sql<Due>`
    with due as materialized (
      select one.* from unnest(${[...rooms.keys()]}::text[], ${[...rooms.values()]}::integer[]) as room (webhook_id, free),
        lateral (select environment_id, id from webhook_deliveries as row
          where status = 'pending' and row.webhook_id = room.webhook_id and next_attempt_on <= now()
            and (claimed_until is null or claimed_until < now())
          order by next_attempt_on, id limit room.free for update skip locked) as one
    )
    update webhook_deliveries as row set claimed_until = now() + make_interval(secs => ${claimSeconds})
    from due where row.environment_id = due.environment_id and row.id = due.id
    returning row.environment_id, row.id, webhook_id, event_id, sequence, event, record_id, bulk_operation_id,
      source, attempts, created_on`.execute(db)
  return rows
}

type Key = Pick<Due, 'environment_id' | 'id'>
const keysOf = (deliveries: Key[]) =>
  sql`unnest(${deliveries.map((row) => row.environment_id)}::text[], ${deliveries.map(({ id }) => id)}::text[])
    as one (environment_id, id)`

/** Gives back what was not sent. */
export const release = async (db: Db, deliveries: Key[]): Promise<void> => {
  if (deliveries.length === 0) return
  await sql`update webhook_deliveries as row set claimed_until = null from ${keysOf(deliveries)}
    where row.environment_id = one.environment_id and row.id = one.id and status = 'pending'`.execute(db)
}

const cancelled = (reason: string) =>
  sql`status = 'cancelled', error = ${reason}, next_attempt_on = null, claimed_until = null, ended_on = now()`

/** Ends what cannot be sent any more. */
export const cancel = async (db: Db, deliveries: Key[], reason: string): Promise<void> => {
  if (deliveries.length === 0) return
  await sql`update webhook_deliveries as row set ${cancelled(reason)} from ${keysOf(deliveries)}
    where row.environment_id = one.environment_id and row.id = one.id and status = 'pending'`.execute(db)
}

/** Ends what waits for a webhook that is not to be called; a million of them in bounded steps. */
export const cancelWaiting = async (db: Db, webhookId: string, reason: string): Promise<void> => {
  await sql`update webhook_deliveries as row set ${cancelled(reason)}
    from (select environment_id, id from webhook_deliveries
      where status = 'pending' and webhook_id = ${webhookId} and (claimed_until is null or claimed_until < now())
      order by next_attempt_on, id limit 5000 for update skip locked) as one
    where row.environment_id = one.environment_id and row.id = one.id`.execute(db)
}
