import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { WebhookRow } from '../table.ts'
import { type Claimed, cancel, cancelWaiting, type Due } from './claim.ts'
import { messagesOf } from './message.ts'

/** Adds what is needed to send them. Those that nobody wants any more end here. */
export const prepare = async (context: Context, due: Due[], claimedAt: number): Promise<Claimed[]> => {
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
