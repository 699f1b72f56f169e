import type { Generated, Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'

export type WebhookTable = RecordColumns & {
  url: string
  /** As they were registered: `publication.updated` stays what it was called. */
  events: string[]
  /** A filter of publications in its object form, `locale` beside the fields. */
  filter: Json<Record<string, unknown> | null>
  /** Name → value, each value encrypted. */
  headers: Json<Record<string, string>>
  active: boolean
  /** Both `whsec_…`, encrypted. The previous one signs beside the new one until its time is over. */
  secret: string
  previous_secret: string | null
  previous_secret_until: Date | null
  /** When the first of nothing but failures was. */
  failing_since: Date | null
  switched_off: Json<SwitchedOff | null>
}

/** Why the service stopped calling a webhook by itself; `on` is ISO 8601. */
type SwitchedOff = { on: string; reason: string }

export type DeliverySource = 'event' | 'bulk' | 'test' | 'replay' | 'redelivery'
type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled'

export type WebhookDeliveryTable = {
  environment_id: string
  id: string
  webhook_id: string
  /** The id of the message, the same on every attempt and redelivery. */
  event_id: string
  /** Of the event in `events`; null where there is none, for bulk and test. */
  sequence: string | null
  /** By the name that the webhook was registered with, `publication.updated` for one. */
  event: string
  record_id: string | null
  source: DeliverySource
  bulk_operation_id: string | null
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  /** Null once there is none to come. */
  next_attempt_on: Generated<Date | null>
  /** Until then it is in the hands of a node. */
  claimed_until: Date | null
  created_on: Generated<Date>
  ended_on: Date | null
  /** The rest is about the last attempt. */
  attempted_on: Date | null
  duration_ms: number | null
  request_headers: Json<Record<string, string> | null>
  response_status: number | null
  response_head: string | null
  error: string | null
}

export type WebhookRow = Selectable<WebhookTable>
export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>
