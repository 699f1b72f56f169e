import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import {
  deleteRecord,
  type Expected,
  insertRecord,
  lockRecord,
  updateRecord,
} from '../../database/records.ts'
import { Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { requireFullSight } from '../publications/sight.ts'
import { requireScopes, webhookFaults } from './check.ts'
import { sealHeaders } from './headers.ts'
import { presentWebhook } from './present.ts'
import type { WebhookBody, WebhookChanges } from './schema.ts'
import type { WebhookRow } from './table.ts'

/** As Standard Webhooks writes it. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** How long the old secret signs beside the new one. */
const overlap = sql`now() + interval '24 hours'`

type WithSecret = { row: WebhookRow; secret: string }

export const createWebhook = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  { url, events, filter = null, headers, active = true }: WebhookBody,
): Promise<WithSecret> => {
  requireFullSight(actor)
  requireScopes(actor, events)
  const faults = await webhookFaults(context, actor, { url, events, filter, headers: headers ?? null })
  if (faults.length > 0) throw new Invalid(faults)
  const secret = newSecret()
  const row: WebhookRow = await insertRecord(tx, 'webhooks', actor, {
    url,
    events,
    filter: json(filter),
    headers: json(sealHeaders(context.keys, headers ?? {}, {})),
    active,
    secret: context.keys.encrypt(secret),
  })
  await emit(tx, actor, 'webhook.created', row, presentWebhook(row))
  return { row, secret }
}

export const changeWebhook = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  body: WebhookChanges,
  expected: Expected,
): Promise<WebhookRow> => {
  requireFullSight(actor)
  const before = await lockWebhook(tx, actor, id, expected)
  requireScopes(actor, body.events ?? before.events)
  const faults = await webhookFaults(context, actor, body, before)
  if (faults.length > 0) throw new Invalid(faults)
  const { filter, headers, ...plain } = body
  const isSwitchedOn = body.active === true && !before.active
  return store(tx, actor, before, {
    ...plain,
    ...(filter !== undefined && { filter: json(filter) }),
    ...(headers !== undefined && {
      headers: json(sealHeaders(context.keys, headers ?? {}, before.headers)),
    }),
    ...(isSwitchedOn && { failing_since: null, switched_off: json(null) }),
  })
}

export const rotateSecret = async (
  { keys }: Pick<Context, 'keys'>,
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<WithSecret> => {
  requireFullSight(actor)
  const before = await lockWebhook(tx, actor, id, undefined)
  requireScopes(actor, before.events)
  const secret = newSecret()
  const row = await store(tx, actor, before, {
    secret: keys.encrypt(secret),
    previous_secret: before.secret,
    previous_secret_until: overlap,
  })
  return { row, secret }
}

export const deleteWebhook = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await lockWebhook(tx, actor, id, expected)
  await deleteRecord(tx, 'webhooks', actor, row)
  await emit(tx, actor, 'webhook.deleted', row, presentWebhook(row))
}

const store = async (tx: Tx, actor: Actor, before: WebhookRow, values: object): Promise<WebhookRow> => {
  const row: WebhookRow = await updateRecord(tx, 'webhooks', actor, before, values as Record<string, unknown>)
  if (row !== before) await emit(tx, actor, 'webhook.changed', row, presentWebhook(row))
  return row
}

const lockWebhook = (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<WebhookRow> =>
  lockRecord(tx, 'webhooks', 'Webhook', actor, id, expected)
