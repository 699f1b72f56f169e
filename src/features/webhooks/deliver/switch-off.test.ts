import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser, eventually } from '../../../../test/harness/access.ts'
import type { TestApp } from '../../../../test/harness/app.ts'
import { startListener } from '../../../../test/harness/listener.ts'
import {
  addWebhook,
  called,
  deliveriesOf,
  deliveryWhen,
  makeEvent,
  startCalling,
  untilPlanned,
} from '../../../../test/harness/webhooks.ts'

const lettersTo = (app: TestApp, email: string) =>
  app.sql<{ subject: string; text: string }[]>`select * from mailbox where recipient = ${email}`

const readWebhook = async (app: TestApp, id: string) => (await app.get(`/webhooks/${id}`)).body

const isOff = (app: TestApp, id: string) =>
  eventually(async () => {
    const webhook = await readWebhook(app, id)
    return !webhook.active && webhook
  }, 10_000)

/** By somebody who can be written to. */
const addOwned = async (app: TestApp, listener: { url: string }) => {
  const user = await addUser(app, 'editor')
  const { value: token } = await app.addToken({ user_id: user.id })
  const { body } = await app.post('/webhooks', { url: listener.url, events: ['channel.created'] }, { token })
  return { id: body.id as string, user }
}

test('410 switches a webhook off, cancels what waits, and its maker gets one letter', async () => {
  const app = await startCalling()
  const listener = await startListener(500)
  const { id, user } = await addOwned(app, listener)
  await makeEvent(app)
  await deliveryWhen(app, id, ({ attempts }) => attempts === 1)
  listener.answer = 410
  for (let round = 0; round < 5; round += 1) await makeEvent(app)
  const { switched_off } = await isOff(app, id)
  assert.match(switched_off.reason, /410/)
  await app.sql`update webhook_deliveries set next_attempt_on = now() where webhook_id = ${id} and status = 'pending'`
  await eventually(async () => (await deliveriesOf(app, id, 'status[eq]=pending')).length === 0, 10_000)
  const ended = await deliveriesOf(app, id, 'status[eq]=cancelled')
  assert.ok(ended.length >= 1)
  assert.ok(ended.every(({ next_attempt_on, ended_on }) => next_attempt_on === null && ended_on !== null))
  const [letter] = await eventually(async () => {
    const letters = await lettersTo(app, user.email)
    return letters.length > 0 && letters
  })
  assert.ok(letter!.text.includes(id) && letter!.text.includes('410'))
  assert.equal((await lettersTo(app, user.email)).length, 1)
})

test('five days of nothing but failure switch a webhook off; one success begins the count anew', async () => {
  const app = await startCalling()
  const owner = await addUser(app, 'owner')
  const listener = await startListener(500)
  const { id } = await addWebhook(app, listener)
  const fail = async (hours: number) => {
    await app.sql`update webhooks set failing_since = now() - make_interval(hours => ${hours}) where id = ${id}`
    const from = listener.calls.length
    await makeEvent(app)
    await called(listener, from + 1)
    await deliveryWhen(app, id, ({ message_id }) => message_id === listener.calls.at(-1)!.body.id)
  }
  await makeEvent(app)
  await deliveryWhen(app, id, ({ attempts }) => attempts === 1)
  await eventually(async () => (await readWebhook(app, id)).failing_since !== null)
  await fail(119)
  assert.equal((await readWebhook(app, id)).active, true)
  listener.answer = 200
  await makeEvent(app)
  await eventually(async () => (await readWebhook(app, id)).failing_since === null)
  listener.answer = 500
  await fail(121)
  const { switched_off } = await isOff(app, id)
  assert.match(switched_off.reason, /five days/)
  await eventually(async () => (await lettersTo(app, owner.email)).length === 1)
  await app.put(`/webhooks/${id}`, { active: true })
  const { active, failing_since } = await readWebhook(app, id)
  assert.deepEqual([active, failing_since], [true, null])
})

test('what waits for a webhook that is switched off or deleted is cancelled; switched on it goes on with what is new', async () => {
  const app = await startCalling()
  const listener = await startListener(500)
  const { id } = await addWebhook(app, listener)
  const { id: deleted } = await addWebhook(app, listener)
  await makeEvent(app, 'Before')
  for (const webhook of [id, deleted]) await deliveryWhen(app, webhook, ({ attempts }) => attempts === 1)
  await app.put(`/webhooks/${id}`, { active: false })
  await app.delete(`/webhooks/${deleted}`)
  await app.sql`update webhook_deliveries set next_attempt_on = now()
    where webhook_id = any(${[id, deleted]}) and status = 'pending'`
  await eventually(async () => {
    const rows = await app.sql<{ status: string }[]>`select status from webhook_deliveries
      where webhook_id = any(${[id, deleted]})`
    return rows.length === 2 && rows.every(({ status }) => status === 'cancelled')
  })
  await makeEvent(app, 'Meanwhile')
  await untilPlanned(app)
  listener.answer = 200
  await app.put(`/webhooks/${id}`, { active: true })
  await makeEvent(app, 'After')
  const calls = await called(listener, 3)
  assert.deepEqual(
    calls.map(({ body }) => body.payload.name),
    ['Before', 'Before', 'After'],
  )
})
