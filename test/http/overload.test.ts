import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '../../src/database/connect.ts'
import { startApp } from '../harness/app.ts'

test('more at once than the limit is refused with 503 quickly, probes are answered, and it passes', async () => {
  const app = await startApp({}, { limits: { inFlight: 10 } })
  assert.equal((await app.get('/channels')).status, 200)
  const holding = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const lock = inTransaction(app.sql, 'begin', async () => {
    await app.sql`lock table channels in access exclusive mode`
    locked.resolve()
    await holding.promise
  })
  await locked.promise
  const held = Array.from({ length: 10 }, () => app.get('/channels'))
  let refused = await app.get('/channels')
  const deadline = Date.now() + 5000
  while (refused.status !== 503 && Date.now() < deadline)
    refused = await app.get('/livez').then(() => app.get('/nowhere'))

  const from = performance.now()
  const excess = await Promise.all(Array.from({ length: 50 }, () => app.get('/channels')))
  const took = performance.now() - from
  for (const { status, body, headers } of excess) {
    assert.equal(status, 503)
    assert.equal(body.message, 'Service Unavailable')
    assert.equal(headers.get('retry-after'), '1')
  }
  assert.ok(took < 2000, `${took} ms`)
  for (const probe of ['/livez', '/readyz']) assert.equal((await app.get(probe, { token: null })).status, 200)
  holding.resolve()
  await lock
  assert.deepEqual(new Set((await Promise.all(held)).map(({ status }) => status)), new Set([200]))
  assert.equal((await app.get('/channels')).status, 200)
})
