import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { conflict, invalid } from '../../../errors.ts'
import { emittedName } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { StoredMatch } from '../../publications/match.ts'
import { compileWebhook, isWanted } from '../compile.ts'
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
  context: Context,
  tx: Tx,
  { environment }: Actor,
  webhook: WebhookRow,
  event: string | null,
): Promise<WebhookDeliveryRow> => {
  const sample = event === null ? undefined : await lastOf(context, tx, environment, webhook, event)
  const nothing = { sequence: null, event: testEvent, record_id: null }
  const told = { ...(sample ?? nothing), event_id: randomUUIDv7(), bulk_operation_id: null }
  return insert(tx, webhook, { ...told, source: 'test' }, claimSeconds)
}

/** The last event that the webhook would have been called for. */
const lastOf = async (
  context: Context,
  tx: Tx,
  environment: Actor['environment'],
  webhook: WebhookRow,
  event: string,
) => {
  const compiled = await compileWebhook(context, environment, webhook)
  const name = compiled.names.get(emittedName(event))
  if (name === undefined)
    throw invalid('event', `must be one of ${webhook.events.join(', ')}, which the webhook is registered for`)
  let before: string | null = null
  for (let seen = 0; seen < samples; seen += together) {
    const found = await samplesBefore(tx, webhook.environment_id, emittedName(event), before)
    const sample = found.find((one) => isWanted(compiled, one))
    if (sample) return { sequence: sample.sequence, event: name, record_id: sample.record_id }
    if (found.length < together) break
    before = found.at(-1)!.sequence
  }
  throw conflict('event', 'has not happened lately as the webhook asks for it, so there is no sample of it')
}

/** Further back nobody looks for a sample; of those of its name, so many are held against the filter. */
const recent = 10_000
const samples = 500
/** Publications in memory at a time: one may be large. */
const together = 50

type Sample = { sequence: string; record_id: string; match: StoredMatch | null }

const samplesBefore = async (
  tx: Tx,
  environmentId: string,
  event: string,
  before: string | null,
): Promise<Sample[]> => {
  const { rows } = await sql<Sample>`select sequence, record_id, match from (select * from events
      where environment_id = ${environmentId} order by sequence desc limit ${recent}) as recent
    where event = ${event} and snapshot is not null and (${before}::bigint is null or sequence < ${before}::bigint)
    order by sequence desc limit ${together}`.execute(tx)
  return rows
}
