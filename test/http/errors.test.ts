import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../harness/app.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'

test('an error body is code, message, dbtrace, type and errors, and nothing else', async () => {
  const app = await startApp()
  const exact = (answer: { body: Record<string, unknown> }, expected: object) => {
    const { dbtrace, ...rest } = answer.body
    assert.match(String(dbtrace), /^[0-9a-f]{32}$/)
    assert.deepEqual(rest, expected)
  }
  exact(await app.get('/channels', { token: null }), { code: 401, message: 'Unauthorized' })
  exact(await app.get('/channels', { scopes: ['tags'] }), {
    code: 403,
    message: 'Forbidden',
    type: 'InsufficientScope',
  })
  exact(await app.get('/channels/absent'), { code: 404, message: 'Not Found' })
  exact(await app.get('/nowhere'), { code: 404, message: 'Not Found' })
  exact(await app.call('PATCH', '/channels'), { code: 405, message: 'Method Not Allowed' })
  exact(await app.call('POST', '/channels', { raw: 'x', headers: { 'content-type': 'text/plain' } }), {
    code: 415,
    message: 'Unsupported Media Type',
  })
  exact(await app.post('/channels', { name: 5, oops: 1, streams: [{ url: 7 }] }), {
    code: 400,
    message: 'Bad Request',
    type: 'ValidationFailed',
    errors: [
      { path: 'oops', message: 'is not a known field' },
      { path: 'name', message: 'must be string' },
      { path: 'streams.0.url', message: 'must be string or null' },
    ],
  })
  await app.post('/channels', { name: 'A', slug: 'a' })
  exact(await app.post('/channels', { name: 'B', slug: 'a' }), {
    code: 409,
    message: 'Conflict',
    type: 'Conflict',
    errors: [{ path: 'slug', message: 'is already taken' }],
  })
})

test('Accept: application/problem+json gets the same facts as RFC 9457', async () => {
  const app = await startApp()
  const headers = { accept: 'application/problem+json', traceparent: `00-${trace}-${span}-01` }
  const answer = await app.get('/channels?limit=x', { headers })
  assert.equal(answer.status, 400)
  assert.equal(answer.headers.get('content-type'), 'application/problem+json')
  assert.deepEqual(answer.body, {
    type: 'urn:marquee:error:ValidationFailed',
    title: 'Bad Request',
    status: 400,
    errors: [{ path: 'limit', message: 'must be a whole number' }],
    instance: `urn:trace:${trace}`,
  })
  const missing = await app.get('/channels/absent', { headers })
  assert.deepEqual(missing.body, {
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    instance: `urn:trace:${trace}`,
  })
})

test('a valid traceparent is continued and its id is the dbtrace', async () => {
  const app = await startApp()
  for (const header of [
    `00-${trace}-${span}-01`,
    `00-${trace}-${span}-00`,
    `cc-${trace}-${span}-01-what-comes`,
  ]) {
    const answer = await app.get('/nowhere', { headers: { traceparent: header } })
    const [version, id, own, flags] = answer.headers.get('traceparent')!.split('-')
    assert.deepEqual([version, id, flags], ['00', trace, header.split('-')[3]])
    assert.notEqual(own, span)
    assert.match(own!, /^[0-9a-f]{16}$/)
    assert.equal(answer.body.dbtrace, trace)
  }
})

test('a traceparent that is not valid starts a new trace', async () => {
  const app = await startApp()
  const zero = '0'.repeat(32)
  const bad = [
    '',
    'x',
    `ff-${trace}-${span}-01`,
    `00-${zero}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-01-more`,
    `00-${trace}-${span}`,
    `00-${trace}x-${span}-01`,
  ]
  for (const header of bad) {
    const answer = await app.get('/nowhere', { headers: { traceparent: header } })
    const [, id] = answer.headers.get('traceparent')!.split('-')
    assert.match(id!, /^[0-9a-f]{32}$/, header)
    assert.ok(id !== trace && id !== zero, header)
    assert.equal(answer.body.dbtrace, id)
  }
})

test('the token is taken from the header, else from the query', async () => {
  const app = await startApp()
  const token = await app.tokenFor(['channels'])
  const call = (path: string, authorization?: string) =>
    app.get(path, { token: null, headers: authorization === undefined ? {} : { authorization } })
  assert.equal((await call('/channels', `Bearer ${token}`)).status, 200)
  assert.equal((await call('/channels', `bearer ${token}`)).status, 200)
  assert.equal((await call(`/channels?access_token=${token}`)).status, 200)
  assert.equal((await call(`/channels?access_token=wrong`, `Bearer ${token}`)).status, 200)
  assert.equal((await call(`/channels?access_token=${token}`, 'Bearer wrong')).status, 401)
  const linked = await call(`/channels?access_token=${token}&limit=1`)
  assert.ok(!(linked.headers.get('link') ?? '').includes(token))
})

test('a missing or malformed token is 401 with a challenge', async () => {
  const app = await startApp()
  const token = await app.tokenFor(['channels'])
  const missing = await app.get('/channels', { token: null })
  assert.equal(missing.headers.get('www-authenticate'), 'Bearer')
  const bad = [
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    token,
    `Bearer ${token} x`,
    `Bearer ${token},${token}`,
    `Token ${token}`,
    `Bearer ${'a'.repeat(5000)}`,
    'Bearer \u00e9',
    `Bearer${token}`,
    "Bearer ' or 1=1 --",
  ]
  for (const authorization of bad) {
    const answer = await app.get('/channels', { token: null, headers: { authorization } })
    assert.equal(answer.status, 401, authorization)
    assert.match(answer.headers.get('www-authenticate')!, /^Bearer/, authorization)
  }
  for (const query of [
    'access_token=',
    'access_token[]=x',
    `access_token[0]=${token}`,
    `access_token=${token}&access_token=${token}`,
    'access_token=%00',
    `access_token=${'a'.repeat(10_000)}`,
  ])
    assert.ok([400, 401].includes((await app.get(`/channels?${query}`, { token: null })).status), query)
})

test('a token without the scope gets 403 and is told which one', async () => {
  const app = await startApp()
  const answer = await app.post('/channels', { name: 'A' }, { scopes: ['channels'] })
  assert.equal(answer.status, 403)
  assert.equal(
    answer.headers.get('www-authenticate'),
    'Bearer error="insufficient_scope", scope="channels channels_publish"',
  )
})

test('any origin may call where none is configured, only the listed ones otherwise', async () => {
  const preflight = {
    origin: 'https://www.example.org',
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization',
  }
  const open = await startApp()
  const any = await open.call('OPTIONS', '/channels/x', { token: null, headers: preflight })
  assert.equal(any.status, 204)
  assert.equal(any.headers.get('access-control-allow-origin'), '*')
  assert.match(any.headers.get('access-control-allow-methods')!, /PUT/)
  assert.match(any.headers.get('access-control-allow-headers')!, /Authorization/)
  assert.equal(any.headers.get('access-control-allow-credentials'), null)
  const refused = await open.get('/channels', { token: null, headers: { origin: 'https://a.example' } })
  assert.equal(refused.headers.get('access-control-allow-origin'), '*', 'errors can be read too')

  const listed = await startApp({ MARQUEE_CORS_ORIGINS: 'https://www.example.org, https://b.example' })
  const known = await listed.get('/channels', { headers: { origin: 'https://b.example' } })
  assert.equal(known.headers.get('access-control-allow-origin'), 'https://b.example')
  assert.equal(known.headers.get('vary'), 'Origin')
  assert.match(known.headers.get('access-control-expose-headers')!, /ETag/)
  for (const origin of [
    'https://evil.example',
    'https://www.example.org.evil.example',
    'null',
    'http://www.example.org',
  ]) {
    const unknown = await listed.call('OPTIONS', '/channels', {
      token: null,
      headers: { ...preflight, origin },
    })
    assert.equal(unknown.headers.get('access-control-allow-origin'), null, origin)
    assert.equal(unknown.headers.get('vary'), 'Origin')
  }
})
