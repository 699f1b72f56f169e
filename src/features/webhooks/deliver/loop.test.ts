import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { secretKey } from '../../../../test/harness/app.ts'
import { cloneDatabase } from '../../../../test/harness/database.ts'
import { type Listener, startListener } from '../../../../test/harness/listener.ts'
import { called } from '../../../../test/harness/webhooks.ts'
import { readConfig } from '../../../config.ts'
import { createLog, openContext } from '../../../service.ts'
import type { WebhookDeliveryRow } from '../table.ts'
import { startDeliveries } from './loop.ts'

const endings: (() => Promise<void>)[] = []
after(async () => {
  for (const end of endings) await end()
})

const fail = (error: unknown) => assert.ifError(error)

/** Nothing runs here but what the test starts. */
const startQuiet = async () => {
  const { url, drop } = await cloneDatabase()
  const config = readConfig({
    DATABASE_URL: url,
    MARQUEE_SECRET_KEY: secretKey,
    MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
  })
  const opened = openContext(config, { url, directUrl: url }, secretKey, createLog('silent'))
  endings.push(async () => {
    await opened.close()
    await drop()
  })
  return opened.context
}

type Quiet = Awaited<ReturnType<typeof startQuiet>>

const addDeliveries = async ({ db, keys }: Quiet, { url }: Listener, count: number) => {
  await db
    .insertInto('organisations')
    .values({ id: 'o', name: 'o' } as never)
    .execute()
  await db
    .insertInto('environments')
    .values({
      id: 'e',
      organisation_id: 'o',
      name: 'e',
      locales: ['en-US'],
      default_locale: 'en-US',
      time_zone: 'UTC',
    } as never)
    .execute()
  const secret = keys.encrypt(`whsec_${Buffer.alloc(32).toString('base64')}`)
  await db
    .insertInto('webhooks')
    .values({ environment_id: 'e', id: 'w', url, events: ['tag.created'], secret } as never)
    .execute()
  const rows = Array.from({ length: count }, () => ({
    environment_id: 'e',
    id: randomUUID(),
    webhook_id: 'w',
    event_id: randomUUID(),
    event: 'webhook.test',
    source: 'redelivery' as const,
  }))
  await db
    .insertInto('webhook_deliveries')
    .values(rows as never)
    .execute()
}

const stored = ({ db }: Quiet): Promise<WebhookDeliveryRow[]> =>
  db.selectFrom('webhook_deliveries').selectAll().execute() as Promise<WebhookDeliveryRow[]>

test('a stop waits for answers, writes them down and gives back what was not sent', async () => {
  const context = await startQuiet()
  const listener = await startListener((response) => setTimeout(() => response.end(), 300))
  await addDeliveries(context, listener, 100)
  const deliveries = startDeliveries(context, fail)
  await called(listener, 16)
  await deliveries.stop()
  const rows = await stored(context)
  assert.deepEqual(
    rows.filter(({ claimed_until }) => claimed_until !== null),
    [],
  )
  const delivered = rows.filter(({ status }) => status === 'delivered').map(({ event_id }) => event_id)
  assert.deepEqual(delivered.sort(), listener.calls.map(({ headers }) => headers['webhook-id']).sort())
  assert.ok(delivered.length < 100)
})

test('a stop does not wait for who hangs; what it gives back is sent by the next node, with the same id', async () => {
  const context = await startQuiet()
  const listener = await startListener(() => {})
  await addDeliveries(context, listener, 2)
  const deliveries = startDeliveries(context, fail)
  await called(listener, 2)
  const from = performance.now()
  await deliveries.stop()
  assert.ok(performance.now() - from < 10_000)
  for (const { status, attempts, claimed_until } of await stored(context))
    assert.deepEqual([status, attempts, claimed_until], ['pending', 0, null])
  listener.answer = 200
  const next = startDeliveries(context, fail)
  const calls = await called(listener, 4)
  await next.stop()
  assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 2)
  assert.ok((await stored(context)).every(({ status }) => status === 'delivered'))
})

test('two nodes send each message once', async () => {
  const context = await startQuiet()
  const listener = await startListener()
  await addDeliveries(context, listener, 300)
  const nodes = [startDeliveries(context, fail), startDeliveries(context, fail)]
  await called(listener, 300)
  await Promise.all(nodes.map((node) => node.stop()))
  assert.equal(listener.calls.length, 300)
  assert.equal(new Set(listener.calls.map(({ headers }) => headers['webhook-id'])).size, 300)
})
