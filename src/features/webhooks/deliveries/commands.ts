import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { conflict, invalid } from '../../../errors.ts'
import { emittedName } from '../../../events.ts'
import { claimSeconds } from '../deliver/claim.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../table.ts'
import { findDelivery } from './queries.ts'

type New = Pick<
  WebhookDeliveryRow,
  'event_id' | 'sequence' | 'event' | 'record_id' | 'bulk_operation_id' | 'source'
>

const insert = async (
  tx: Tx,
  { environment_id, id: webhook_id }: WebhookRow,
  { event_id, sequence, event, record_id, bulk_operation_id, source }: New,
  claimed: number | null = null,
): Promise<WebhookDeliveryRow> => {
  const { rows } = await sql<WebhookDeliveryRow>`insert into webhook_deliveries
    (environment_id, id, webhook_id, event_id, sequence, event, record_id, bulk_operation_id, source, claimed_until)
    values (${environment_id}, ${randomUUIDv7()}, ${webhook_id}, ${event_id}, ${sequence}, ${event}, ${record_id},
      ${bulk_operation_id}, ${source}, now() + make_interval(secs => ${claimed}))
    returning *`.execute(tx)
  return rows[0]!
}

export const checkActive = ({ active }: WebhookRow): void => {
  if (!active) throw conflict('active', 'the webhook is switched off; switch it on first')
}

/** Sends a message once more, as a delivery of its own. One that still waits is sent now instead. */
export const redeliver = async (tx: Tx, webhook: WebhookRow, id: string): Promise<WebhookDeliveryRow> => {
  checkActive(webhook)
  const delivery = await findDelivery(tx, webhook, id, true)
  if (delivery.status !== 'pending') return insert(tx, webhook, { ...delivery, source: 'redelivery' })
  const { rows } = await sql<WebhookDeliveryRow>`update webhook_deliveries
    set next_attempt_on = least(next_attempt_on, now())
    where environment_id = ${webhook.environment_id} and id = ${id} returning *`.execute(tx)
  return rows[0]!
}

/** Of this event nothing but the webhook itself is told. */
export const testEvent = 'webhook.test'

/** A message for whoever wants to see the outcome. It is in the caller's hands, who has to send it. */
export const addTest = async (
  tx: Tx,
  webhook: WebhookRow,
  event: string | null,
): Promise<WebhookDeliveryRow> => {
  const sample = event === null ? undefined : await lastOf(tx, webhook, event)
  const nothing = { sequence: null, event: testEvent, record_id: null }
  const told = { ...(sample ?? nothing), event_id: randomUUIDv7(), bulk_operation_id: null }
  return insert(tx, webhook, { ...told, source: 'test' }, claimSeconds)
}

/** Further back nobody looks for a sample. */
const recent = 10_000

const lastOf = async (tx: Tx, webhook: WebhookRow, event: string) => {
  const names = webhook.events.map(emittedName)
  if (!names.includes(emittedName(event)))
    throw invalid('event', `must be one of ${webhook.events.join(', ')}, which the webhook is registered for`)
  const { rows } = await sql<Pick<WebhookDeliveryRow, 'sequence' | 'event' | 'record_id'>>`
    select sequence, event, record_id from (select * from events
      where environment_id = ${webhook.environment_id} order by sequence desc limit ${recent}) as recent
    where event = ${emittedName(event)} order by sequence desc limit 1`.execute(tx)
  if (!rows[0]) throw conflict('event', 'has not happened lately, so there is no sample of it')
  return rows[0]
}
