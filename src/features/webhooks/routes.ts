import type { Tx } from '../../database/connect.ts'
import { findRecord } from '../../database/records.ts'
import { once } from '../../http/once.ts'
import { recordRoutes, showOnce, withSecrets } from '../../http/records.ts'
import { IdParams } from '../../http/schemas.ts'
import type { Routes } from '../../http/types.ts'
import { commonExpansions } from '../access/expansions.ts'
import type { Scope } from '../access/scopes.ts'
import { formFaults } from './check.ts'
import { changeWebhook, createWebhook, deleteWebhook, rotateSecret } from './commands.ts'
import { webhookList } from './filters.ts'
import { presentWebhook } from './present.ts'
import { Webhook, WebhookBody, WebhookChanges, WebhookSecret } from './schema.ts'
import type { WebhookRow } from './table.ts'

const scopes: Scope[] = ['webhooks', 'webhooks_publish']

export const webhookRoutes: Routes = (app, context) => {
  recordRoutes<WebhookRow, WebhookBody, WebhookChanges>(app, context, {
    path: '/webhooks',
    label: 'Webhook',
    record: Webhook,
    list: webhookList,
    expansions: commonExpansions,
    present: presentWebhook,
    read: ['webhooks'],
    alsoWrong: (actor, body, id) => formFaults(context, actor, body, id),
    create: {
      scopes,
      body: WebhookBody,
      shownOnce: WebhookSecret,
      run: async (tx, actor, body, request) => {
        const { row, secret } = await createWebhook(context, tx, actor, body)
        showOnce(request, { secret })
        return row
      },
    },
    change: {
      scopes,
      body: WebhookChanges,
      run: (tx, actor, id, body, expected) => changeWebhook(context, tx, actor, id, body, expected),
    },
    remove: { scopes, run: deleteWebhook },
  })

  app.post(
    '/webhooks/:id/rotate_secret',
    {
      config: { scopes },
      schema: {
        summary: 'Give a Webhook a new secret',
        description: 'For 24 hours calls are signed with the old secret too.',
        params: IdParams,
        response: { 200: withSecrets(Webhook, WebhookSecret) },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      let shown: { secret?: string } = {}
      const rotate = async (tx: Tx) => {
        const { row, secret } = await rotateSecret(context, tx, actor, params.id)
        shown = { secret }
        return row
      }
      const find = (id: string): Promise<WebhookRow> =>
        findRecord(context.db, 'webhooks', 'Webhook', actor.environment_id, id)
      const row = await once(context, request, reply, rotate, find)
      return { ...presentWebhook(row), ...shown } as never
    },
  )
}
