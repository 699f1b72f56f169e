import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../harness/app.ts'
import { http2Call, http2Session } from './raw.ts'

const secret = 'metrics-token-0123456789abcdef'

test('without a configured token metrics are for this machine only', async () => {
  const local = await startApp()
  await local.get('/livez')
  const { status, text, headers } = await local.get('/metrics', { token: null })
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^text\/plain/)
  for (const name of [
    'marquee_http_request_duration_seconds_bucket',
    'marquee_http_requests_in_flight',
    'marquee_outbox_rows',
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_seconds',
  ])
    assert.match(text, new RegExp(`^${name}`, 'm'), name)
  const proxied = await startApp({ MARQUEE_TRUST_PROXY: '127.0.0.1' })
  const from = (address: string) =>
    proxied.get('/metrics', { token: null, headers: { 'x-forwarded-for': address } })
  assert.equal((await from('203.0.113.9')).status, 401, 'behind a proxy the client is what counts')
  assert.equal((await from('203.0.113.9, 127.0.0.1')).status, 401)
  assert.equal((await from('garbage')).status, 401)
  const untrusting = await local.get('/metrics', {
    token: null,
    headers: { 'x-forwarded-for': '203.0.113.9' },
  })
  assert.equal(untrusting.status, 200, 'a header of a stranger says nothing')
})

test('with a configured token only that token opens metrics', async () => {
  const app = await startApp({ MARQUEE_METRICS_TOKEN: secret })
  assert.equal((await app.get('/metrics', { token: secret })).status, 200)
  for (const token of [null, 'wrong', `${secret}x`, await app.tokenFor(['channels'])])
    assert.equal((await app.get('/metrics', { token })).status, 401)
  assert.equal((await app.get(`/metrics?access_token=${secret}`, { token: null })).status, 401)
  assert.equal((await app.get(`${app.plainOrigin}/metrics`, { token: secret })).status, 403)
})

test('requests are counted by method, route and status, never by address', async () => {
  const app = await startApp()
  const { body } = await app.post('/channels', { name: 'Counted' })
  await app.get(`/channels/${body.id}?fields=type`)
  await app.get('/never-heard-of/canary-path')
  const session = await http2Session(app.port)
  for (const method of ['CANARY-A', 'CANARY-B'])
    await http2Call(session, { ':method': method, ':path': '/channels' })
  session.close()
  const { text } = await app.get('/metrics', { token: null })
  assert.match(text, /duration_seconds_count\{method="GET",route="\/channels\/:id",status="200"\} 1/)
  assert.match(text, /duration_seconds_count\{method="POST",route="\/channels",status="201"\} 1/)
  assert.ok(!/canary/i.test(text))
  assert.ok(!text.includes(body.id))
})
