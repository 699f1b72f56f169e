import { isoDateOrNull } from '../../../dates.ts'
import { presentBase } from '../../../http/schemas.ts'
import type { WebhookDeliveryRow } from '../table.ts'

export const presentDelivery = (row: WebhookDeliveryRow) => ({
  ...presentBase('WebhookDelivery', { ...row, changed_on: row.attempted_on }),
  webhook: { id: row.webhook_id },
  message_id: row.event_id,
  event: row.event,
  record: row.record_id === null ? null : { id: row.record_id },
  source: row.source,
  status: row.status,
  attempts: row.attempts,
  next_attempt_on: isoDateOrNull(row.next_attempt_on),
  ended_on: isoDateOrNull(row.ended_on),
  attempted_on: isoDateOrNull(row.attempted_on),
  duration: row.duration_ms,
  error: row.error,
  response_status: row.response_status,
})

/** With the request and the answer; the body is made again, as it would be sent. */
export const presentWhole = (row: WebhookDeliveryRow, body: string | undefined) => ({
  ...presentDelivery(row),
  request: row.request_headers && { headers: row.request_headers, body: body ?? null },
  response: row.response_status === null ? null : { status: row.response_status, head: row.response_head },
})
