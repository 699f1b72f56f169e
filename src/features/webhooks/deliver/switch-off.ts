import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { json } from '../../../database/json.ts'
import { transaction } from '../../../database/transaction.ts'
import { emit } from '../../../events.ts'
import { presentWebhook } from '../present.ts'
import type { WebhookRow } from '../table.ts'

type Key = Pick<WebhookRow, 'environment_id' | 'id'>

/**
 * Stops calling a webhook, once: whoever comes second finds it switched off. Its event brings the
 * letter to its owner. What is pending is cancelled by the loop.
 */
export const switchOff = (context: Context, { environment_id, id }: Key, reason: string): Promise<void> =>
  transaction(context, async (tx) => {
    const off = { on: new Date().toISOString().replace(/\.\d+Z$/, '+00:00'), reason }
    const { rows } = await sql<WebhookRow>`update webhooks
      set active = false, switched_off = ${json(off)}, version = version + 1, changed_on = now()
      where environment_id = ${environment_id} and id = ${id} and active returning *`.execute(tx)
    const row = rows[0]
    if (!row) return
    const { organisation_id } = (await context.tokens.environment(environment_id))!
    const service = { organisation_id, environment_id, token_id: null, user_id: null }
    await emit(tx, service, 'webhook.switched_off', row, presentWebhook(row))
  })
