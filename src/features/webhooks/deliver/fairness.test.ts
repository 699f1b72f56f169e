import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startListener } from '../../../../test/harness/listener.ts'
import { addWebhook, called, makeEvent, startCalling } from '../../../../test/harness/webhooks.ts'

test('listeners that hang or fail delay no other', async () => {
  const app = await startCalling()
  const good = await startListener()
  const [hanging, failing] = [await startListener(() => {}), await startListener(500)]
  for (const listener of [hanging, failing, hanging, failing, good]) await addWebhook(app, listener)
  const made = new Map<string, number>()
  for (let round = 0; round < 60; round += 1) made.set((await makeEvent(app)).id, Date.now())
  const calls = await called(good, made.size)
  const delays = calls.map(({ at, body }) => at - made.get(body.payload.id)!)
  // A hanging call takes 15 s; bench/webhooks.ts measures what a quiet machine does.
  assert.ok(Math.max(...delays) < 5000, `${Math.max(...delays)} ms`)
  assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, made.size)
  assert.ok(hanging.calls.length > 0 && failing.calls.length > 0)
})

test('forty listeners that hang delay no other', async () => {
  const app = await startCalling()
  const [good, hanging] = [await startListener(), await startListener(() => {})]
  for (let count = 0; count < 40; count += 1) await addWebhook(app, hanging)
  await addWebhook(app, good)
  const made = new Map<string, number>()
  for (let round = 0; round < 40; round += 1) made.set((await makeEvent(app)).id, Date.now())
  const calls = await called(good, made.size)
  const delays = calls.map(({ at, body }) => at - made.get(body.payload.id)!)
  assert.ok(Math.max(...delays) < 5000, `${Math.max(...delays)} ms`)
  assert.ok(hanging.calls.length >= 40 && hanging.calls.length <= 80, `${hanging.calls.length} calls`)
})

test('no more than sixteen calls to one webhook are under way', async () => {
  const app = await startCalling()
  let [underWay, most] = [0, 0]
  const listener = await startListener((response) => {
    underWay += 1
    most = Math.max(most, underWay)
    setTimeout(() => {
      underWay -= 1
      response.end()
    }, 50)
  })
  await addWebhook(app, listener)
  for (let round = 0; round < 12; round += 1)
    await Promise.all(Array.from({ length: 10 }, () => makeEvent(app)))
  await called(listener, 120)
  assert.ok(most > 4 && most <= 16, `${most} at once`)
})
