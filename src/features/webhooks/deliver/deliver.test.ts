import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isSigned, startListener } from '../../../../test/harness/listener.ts'
import { addPublication } from '../../../../test/harness/publications.ts'
import {
  addWebhook,
  called,
  deliveryWhen,
  hasten,
  makeEvent,
  startCalling,
} from '../../../../test/harness/webhooks.ts'

test('a change arrives, signed, with who did it and what was read then', async () => {
  const app = await startCalling()
  const listener = await startListener()
  const { id, secret } = await addWebhook(app, listener)
  const channel = await makeEvent(app)
  const [call] = await called(listener)
  assert.ok(isSigned(call!, secret))
  assert.equal(call!.headers['content-type'], 'application/json')
  const { id: messageId, created_on, event, payload, performed_by } = call!.body
  assert.equal(call!.headers['webhook-id'], messageId)
  assert.equal(event, 'channel.created')
  assert.equal(payload.id, channel.id)
  assert.ok(Date.parse(created_on) <= Date.now())
  assert.equal(performed_by.user, null)
  assert.equal(typeof performed_by.token.id, 'string')
  const delivery = await deliveryWhen(app, id, ({ status }) => status === 'delivered')
  assert.equal(delivery.message_id, messageId)
  assert.deepEqual([delivery.attempts, delivery.response_status, delivery.next_attempt_on], [1, 200, null])
  assert.equal(listener.calls.length, 1)
})

test('what failed is tried again with the same id and a valid signature', async () => {
  const app = await startCalling()
  const listener = await startListener(500)
  const { id, secret } = await addWebhook(app, listener)
  await makeEvent(app)
  const failed = await deliveryWhen(app, id, ({ attempts }) => attempts === 1)
  assert.deepEqual(
    [failed.status, failed.error, failed.response_status],
    ['pending', 'The answer was 500', 500],
  )
  const wait = Date.parse(failed.next_attempt_on) - Date.parse(failed.attempted_on)
  assert.ok(wait >= 3000 && wait <= 7000, `${wait} ms`)
  listener.answer = 204
  await hasten(app, id)
  const calls = await called(listener, 2)
  assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.ok(calls.every((call) => isSigned(call, secret)))
  await deliveryWhen(app, id, ({ status, attempts }) => status === 'delivered' && attempts === 2)
})

test('after the tenth attempt a message has failed for good', async () => {
  const app = await startCalling()
  const listener = await startListener(503)
  const { id } = await addWebhook(app, listener)
  await makeEvent(app)
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await deliveryWhen(app, id, ({ attempts }) => attempts === attempt)
    await hasten(app, id)
  }
  const delivery = await deliveryWhen(app, id, ({ status }) => status === 'failed')
  assert.deepEqual([delivery.attempts, delivery.next_attempt_on], [10, null])
  assert.notEqual(delivery.ended_on, null)
  assert.equal(listener.calls.length, 10)
})

test('while a secret is being replaced both sign, afterwards only the new one', async () => {
  const app = await startCalling()
  const listener = await startListener()
  const { id, secret: old } = await addWebhook(app, listener)
  const { body } = await app.post(`/webhooks/${id}/rotate_secret`)
  await makeEvent(app)
  const [first] = await called(listener)
  assert.ok(isSigned(first!, old) && isSigned(first!, body.secret))
  await app.sql`update webhooks set previous_secret_until = now() where id = ${id}`
  await makeEvent(app)
  const [, second] = await called(listener, 2)
  assert.ok(isSigned(second!, body.secret))
  assert.ok(!isSigned(second!, old))
})

test('a redirect is no success, and is not followed', async () => {
  const app = await startCalling()
  const canary = await startListener()
  const listener = await startListener((response) => response.writeHead(307, { location: canary.url }).end())
  const { id } = await addWebhook(app, listener)
  await makeEvent(app)
  const delivery = await deliveryWhen(app, id, ({ attempts }) => attempts === 1)
  assert.deepEqual([delivery.status, delivery.response_status], ['pending', 307])
  assert.equal(canary.calls.length, 0)
})

test('the log shows neither secrets nor more than 2 KB of an answer', async () => {
  const app = await startCalling()
  const listener = await startListener((response) =>
    response.writeHead(200, { 'set-cookie': 'a=secret-of-theirs' }).end(`\0${'é'.repeat(3000)}`),
  )
  const { id, secret } = await addWebhook(app, listener, { headers: { 'X-Api-Key': 'secret-of-ours' } })
  await makeEvent(app)
  const [call] = await called(listener)
  assert.equal(call!.headers['x-api-key'], 'secret-of-ours')
  const { id: deliveryId } = await deliveryWhen(app, id, ({ status }) => status === 'delivered')
  const { body, text } = await app.get(`/webhooks/${id}/deliveries/${deliveryId}`)
  assert.equal(body.request.body, call!.text)
  assert.equal(body.request.headers['webhook-id'], call!.headers['webhook-id'])
  assert.equal(body.request.headers['x-api-key'], '********')
  assert.ok(body.response.head.includes('éé'))
  assert.ok(Buffer.byteLength(body.response.head) <= 2048)
  const rows = await app.sql`select * from webhook_deliveries where webhook_id = ${id}`
  for (const shown of [text, JSON.stringify(rows)]) {
    assert.ok(!shown.includes('secret-of-'), shown)
    assert.ok(!shown.includes(secret.slice(6)) && !shown.includes('v1,'))
  }
})

test('what a dead node had taken is sent by another when its time is over', async () => {
  const app = await startCalling()
  const listener = await startListener(500)
  const { id } = await addWebhook(app, listener)
  await makeEvent(app)
  await deliveryWhen(app, id, ({ attempts }) => attempts === 1)
  listener.answer = 200
  await app.sql`update webhook_deliveries set next_attempt_on = now(),
    claimed_until = now() + interval '1.5 seconds' where webhook_id = ${id}`
  const from = Date.now()
  const [, second] = await called(listener, 2)
  assert.ok(second!.at - from > 1000, `${second!.at - from} ms`)
})

test('a call that somebody asked for tells of the publication as it is; of one that is gone nothing is told', async () => {
  const app = await startCalling()
  const listener = await startListener()
  const { id } = await addWebhook(app, listener)
  const publication = await addPublication(app)
  const order = (record: string) => app.sql`insert into webhook_deliveries
    (environment_id, id, webhook_id, event_id, event, record_id, source)
    values (${app.environment.id}, ${randomUUID()}, ${id}, ${randomUUID()}, 'publication.updated', ${record}, 'bulk')`
  await order(publication.id)
  const [call] = await called(listener)
  assert.equal(call!.body.event, 'publication.updated')
  assert.equal(call!.body.payload.id, publication.id)
  assert.equal(call!.body.payload.items['en-US'].title.body, 'Untitled')
  await order('absent')
  const { error } = await deliveryWhen(app, id, ({ status }) => status === 'cancelled')
  assert.equal(error, 'What it was about is no more')
  assert.equal(listener.calls.length, 1)
})
