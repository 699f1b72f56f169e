import { isoDateOrNull } from '../../dates.ts'
import { presentBase } from '../../http/schemas.ts'
import { mask } from './headers.ts'
import type { WebhookRow } from './table.ts'

/** Secrets are not shown, nor what the headers hold. */
export const presentWebhook = (row: WebhookRow) => ({
  ...presentBase('Webhook', row),
  url: row.url,
  events: row.events,
  filter: row.filter,
  headers: Object.fromEntries(Object.keys(row.headers).map((name) => [name, mask])),
  active: row.active,
  previous_secret_until: isoDateOrNull(row.previous_secret_until),
  failing_since: isoDateOrNull(row.failing_since),
  switched_off: row.switched_off,
})
