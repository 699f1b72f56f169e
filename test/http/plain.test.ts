import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../harness/app.ts'
import { exchange, plainSocket, statuses } from './raw.ts'

const paths = [
  '/channels',
  '/channels/x',
  '/v5/channels',
  '/nowhere',
  '/',
  '/metrics',
  '/health',
  '/%zz',
  '/livez/',
  '/%6civez',
  '/readyz/x',
  '//livez',
]

const isRefused = (
  answer: { status: number; body: Record<string, unknown>; headers: Headers },
  what: string,
) => {
  assert.equal(answer.status, 403, what)
  assert.equal(answer.body.code, 403, what)
  assert.equal(answer.body.message, 'Forbidden', what)
  assert.equal(answer.body.type, 'HttpNotAllowed', what)
  assert.equal(answer.headers.get('location'), null, what)
}

test('the plain listener refuses every path and method, also with a token, and never redirects', async () => {
  const app = await startApp()
  for (const path of paths)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])
      for (const token of [undefined, null])
        isRefused(await app.call(method, app.plainOrigin + path, { token }), `${method} ${path}`)
  isRefused(
    await app.get(`${app.plainOrigin}/channels?access_token=${await app.tokenFor(['channels'])}`, {
      token: null,
    }),
    'query',
  )
  isRefused(await app.get(`${app.plainOrigin}/channels?a[__proto__]=1`), 'a bad query')
  isRefused(
    await app.call('POST', `${app.plainOrigin}/channels`, { raw: '{', headers: { 'content-type': 'x' } }),
    'a bad body',
  )
  const head = await app.call('HEAD', `${app.plainOrigin}/channels`)
  assert.equal(head.status, 403)
  assert.equal((await app.get('/channels')).body.total, 0)
})

test('a made-up method on the plain listener is answered and the connection closed', async () => {
  const app = await startApp()
  const answer = await exchange(
    await plainSocket(app.httpPort),
    'MADEUP /channels HTTP/1.1\r\nHost: x\r\n\r\n',
  )
  assert.deepEqual(statuses(answer), [400])
  assert.ok(answer.closed)
})

test('/livez and /readyz are answered on both ports without a token', async () => {
  const app = await startApp()
  for (const origin of [app.origin, app.plainOrigin])
    for (const path of ['/livez', '/readyz', '/livez?x=1']) {
      const answer = await app.get(origin + path, { token: null })
      assert.equal(answer.status, 200, origin + path)
      assert.deepEqual(answer.body, { message: 'OK' })
    }
})

const forwarded = (app: TestApp, value: string) =>
  app.get(`${app.plainOrigin}/channels`, { headers: { 'x-forwarded-proto': value } })

test('X-Forwarded-Proto counts from trusted addresses only', async () => {
  const stranger = await startApp()
  isRefused(await forwarded(stranger, 'https'), 'nobody is trusted')
  const elsewhere = await startApp({ MARQUEE_TRUST_PROXY: '10.0.0.0/8, ::1' })
  isRefused(await forwarded(elsewhere, 'https'), 'another network is trusted')
  const spoofed = await elsewhere.get(`${elsewhere.plainOrigin}/channels`, {
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.0.0.1' },
  })
  isRefused(spoofed, 'an address in a header is not the sender')
  for (const networks of ['127.0.0.1', '127.0.0.0/8']) {
    const trusting = await startApp({ MARQUEE_TRUST_PROXY: networks })
    assert.equal((await forwarded(trusting, 'https')).status, 200, networks)
    for (const value of ['http', '', 'https, http', 'HTTPSX'])
      isRefused(await forwarded(trusting, value), `${networks} ${value}`)
    isRefused(await trusting.get(`${trusting.plainOrigin}/channels`), 'without the header')
  }
})

test('the client behind a trusted proxy still needs a token', async () => {
  const app = await startApp({ MARQUEE_TRUST_PROXY: '127.0.0.1' })
  const answer = await app.get(`${app.plainOrigin}/channels`, {
    token: null,
    headers: { 'x-forwarded-proto': 'https' },
  })
  assert.equal(answer.status, 401)
})
