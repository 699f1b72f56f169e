import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import { listPage } from '../../../database/page.ts'
import { findRecord } from '../../../database/records.ts'
import { parseMoment } from '../../../database/values.ts'
import { emittedName } from '../../../events.ts'
import { Collection, envelope } from '../../../http/list.ts'
import { once } from '../../../http/once.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import type { Actor } from '../../access/authenticate.ts'
import { orEmpty } from '../../access/schemas.ts'
import { missingScopes } from '../../events-stream/names.ts'
import { messagesOf } from '../deliver/message.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../table.ts'
import { briefTotals } from './brief-totals.ts'
import { addTest, redeliver, testEvent } from './commands.ts'
import { deliveryList } from './filters.ts'
import { presentDelivery, presentWhole } from './present.ts'
import { findDelivery } from './queries.ts'
import { findReplay, orderReplay } from './replay.ts'
import {
  DeliveryParams,
  ReplayBody,
  TestBody,
  WebhookDelivery,
  WebhookReplay,
  WholeDelivery,
} from './schema.ts'
import { sendNow } from './send-now.ts'

const read = ['webhooks'] as const
const write = ['webhooks', 'webhooks_publish'] as const

/** The log of deliveries, and what can be sent again. */
export const deliveryRoutes: Routes = (app, context) => {
  const { db } = context
  const counting = { ...context, totals: briefTotals() }

  app.get(
    '/webhooks/:id/deliveries',
    {
      config: { scopes: read, list: deliveryList, record: WebhookDelivery },
      schema: {
        summary: 'List deliveries of a webhook',
        description: 'They are kept for 30 days.',
        params: IdParams,
        response: { 200: Collection(WebhookDelivery) },
      },
    },
    async (request, reply) => {
      const { actor, params, list } = request
      const { id } = await findWebhook(db, actor, params.id)
      const only = [sql`row.webhook_id = ${id}`]
      const page = await listPage<WebhookDeliveryRow>(
        counting,
        deliveryList,
        actor.environment_id,
        list,
        only,
      )
      return envelope(request, reply, context.config.publicUrl, page, page.rows.map(presentDelivery)) as never
    },
  )

  app.get(
    '/webhooks/:id/deliveries/:delivery_id',
    {
      config: { scopes: read, record: WholeDelivery },
      schema: {
        summary: 'Read a delivery with its request and the answer to it',
        params: DeliveryParams,
        response: { 200: WholeDelivery },
      },
    },
    async ({ actor, params }) => {
      const webhook = await findWebhook(db, actor, params.id)
      return whole(context, actor, webhook, await findDelivery(db, webhook, params.delivery_id)) as never
    },
  )

  app.post(
    '/webhooks/:id/deliveries/:delivery_id/redeliver',
    {
      config: { scopes: write, record: WebhookDelivery },
      schema: {
        summary: 'Send a message once more',
        description: 'With the same message id. One that waits for its next attempt is sent at once instead.',
        params: DeliveryParams,
        response: { 202: WebhookDelivery },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const webhook = await findWebhook(db, actor, params.id)
      const row = await once(
        context,
        request,
        reply,
        (tx) => redeliver(tx, webhook, params.delivery_id),
        (id) => findDelivery(db, webhook, id),
      )
      return reply.code(202).send(presentDelivery(row) as never)
    },
  )

  app.post(
    '/webhooks/:id/test',
    {
      preValidation: orEmpty,
      config: { scopes: write, record: WholeDelivery },
      schema: {
        summary: 'Call a webhook now and see what it answers',
        description: 'Also one that is switched off. It is tried once, for up to 15 seconds.',
        params: IdParams,
        body: TestBody,
        response: { 200: WholeDelivery },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const webhook = await findWebhook(db, actor, params.id)
      const find = (id: string) => findDelivery(db, webhook, id)
      const row = await once(
        context,
        request,
        reply,
        (tx) => addTest(context, tx, actor, webhook, body.event ?? null),
        find,
      )
      if (!reply.hasHeader('Idempotency-Replayed')) await sendNow(context, webhook, row)
      return whole(context, actor, webhook, await find(row.id)) as never
    },
  )

  app.post(
    '/webhooks/:id/replay',
    {
      config: { scopes: write, record: WebhookReplay },
      schema: {
        summary: 'Send what happened in a range of time again',
        description:
          'Events that the webhook, as it is registered now, asks for, with their first message ids. They are queued beside requests and appear among the deliveries with the source `replay`.',
        params: IdParams,
        body: ReplayBody,
        response: { 202: WebhookReplay },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const webhook = await findWebhook(db, actor, params.id)
      const [from, until] = [momentOf(body.from), momentOf(body.until ?? null)]
      const replay = await once(
        context,
        request,
        reply,
        (tx) => orderReplay(tx, actor, webhook, from, until),
        (id) => findReplay(db, actor.environment_id, id),
      )
      return reply.code(202).send(replay as never)
    },
  )
}

/** To the millisecond; without one it is now. */
const momentOf = (sent: string | number | null): string => {
  const moment = sent === null ? new Date() : parseMoment(sent)!.from
  return moment.toISOString().replace('Z', '+00:00')
}

const findWebhook = (db: Db, actor: Actor, id: string): Promise<WebhookRow> =>
  findRecord(db, 'webhooks', 'Webhook', actor.environment_id, id) as Promise<WebhookRow>

/** What is told by a message is shown to those who may read it elsewhere too. */
const mayRead = ({ token }: Actor, event: string): boolean =>
  token.visibility === 'all' && (event === testEvent || missingScopes([event], token.scopes).length === 0)

const whole = async (context: Context, actor: Actor, webhook: WebhookRow, delivery: WebhookDeliveryRow) => {
  const shown = mayRead(actor, emittedName(delivery.event))
  const [body] = shown ? await messagesOf(context, [{ delivery, webhook }]) : []
  return presentWhole(delivery, body)
}
