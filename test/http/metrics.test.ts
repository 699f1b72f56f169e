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
    'marquee_http_bodies_arriving',
    'marquee_outbox_rows',
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_seconds',
  ])
    assert.match(text, new RegExp(`^${name}`, 'm'), name)
})

test('what a proxy on this machine passes on needs the token, whether it is trusted or not', async () => {
  for (const trusted of ['', '127.0.0.1']) {
    const app = await startApp({ MARQUEE_TRUST_PROXY: trusted })
    for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'])
      for (const value of ['203.0.113.9', '127.0.0.1', 'https', '']) {
        const { status } = await app.get('/metrics', { token: null, headers: { [header]: value } })
        assert.equal(status, 401, `${header}: ${value}`)
      }
  }
  const app = await startApp({ MARQUEE_METRICS_TOKEN: secret })
  const { status } = await app.get('/metrics', { token: secret, headers: { 'x-forwarded-for': '::1' } })
  assert.equal(status, 200)
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
