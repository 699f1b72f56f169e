import type { Context } from '../../../context.ts'
import { logAttempts } from '../deliver/log.ts'
import { messagesOf } from '../deliver/message.ts'
import { attempt } from '../deliver/send.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../table.ts'

/** Sends a delivery that is in our hands and writes down the outcome. What a test shows does not count against a webhook. */
export const sendNow = async (
  context: Context,
  webhook: WebhookRow,
  delivery: WebhookDeliveryRow,
): Promise<void> => {
  const [body] = await messagesOf(context, [{ delivery, webhook }])
  const claimed = { delivery, webhook, body: body!, claimedAt: performance.now() }
  await logAttempts(context.db, [{ claimed, outcome: await attempt(context, claimed) }])
}
