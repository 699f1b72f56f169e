import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { startApp } from '../harness/app.ts'
import { exchange, http2Call, http2Session, statuses, tlsSocket } from './raw.ts'

test('the secure port speaks HTTP/2 and HTTP/1.1, whichever the client prefers', async () => {
  const app = await startApp()
  const token = await app.tokenFor(['channels'])
  for (const [offer, chosen] of [
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
  ] as const) {
    const socket = connectTls({
      port: app.port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      ALPNProtocols: [...offer],
    })
    await once(socket, 'secureConnect')
    assert.equal(socket.alpnProtocol, chosen)
    socket.destroy()
  }
  const session = await http2Session(app.port)
  const answer = await http2Call(session, { ':path': '/channels', authorization: `Bearer ${token}` })
  assert.equal(answer.status, 200)
  assert.equal(JSON.parse(answer.text).total, 0)
  const created = await http2Call(
    session,
    {
      ':method': 'POST',
      ':path': '/channels',
      authorization: `Bearer ${await app.tokenFor(['channels', 'channels_publish'])}`,
      'content-type': 'application/json',
    },
    JSON.stringify({ name: 'Over two' }),
  )
  assert.equal(created.status, 201, created.text)
  session.close()
})

test('an old TLS version is refused', async () => {
  const app = await startApp()
  const socket = connectTls({
    port: app.port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'ALL:@SECLEVEL=0',
  })
  await assert.rejects(once(socket, 'secureConnect'))
})

test('HEAD gives the headers of GET without a body', async () => {
  const app = await startApp()
  const { body } = await app.post('/channels', { name: 'Website' })
  for (const path of [
    '/channels',
    `/channels/${body.id}`,
    '/livez',
    '/health',
    '/channels/none',
    '/nowhere',
    '/channels?limit=x',
  ]) {
    const [get, head] = [await app.get(path), await app.call('HEAD', path)]
    assert.equal(head.status, get.status, path)
    assert.equal(head.text, '', path)
    for (const name of [
      'content-type',
      'content-length',
      'etag',
      'link',
      'cache-control',
      'x-content-type-options',
    ])
      assert.equal(head.headers.get(name), get.headers.get(name), `${path} ${name}`)
  }
  assert.equal((await app.call('HEAD', '/channels', { token: null })).status, 401)
  assert.equal((await app.call('HEAD', '/channels', { scopes: ['tags'] })).status, 403)
})

test('an unknown method on a known path is 405 with Allow, an unknown path 404, whatever the token and the body', async () => {
  const app = await startApp()
  const raw = { raw: 'x', headers: { 'content-type': 'text/strange' } }
  for (const token of [undefined, null, 'mq_wrong'])
    for (const more of [{}, raw]) {
      const wrong = await app.call('PATCH', '/channels', { token, ...more })
      assert.equal(wrong.status, 405)
      assert.equal(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS, POST')
      assert.equal(wrong.body.message, 'Method Not Allowed')
      assert.equal(
        (await app.call('POST', '/channels/x', { token, ...more })).headers.get('allow'),
        'DELETE, GET, HEAD, OPTIONS, PUT',
      )
      assert.equal((await app.call('POST', '/nowhere', { token, ...more })).status, 404)
      assert.equal((await app.call('PROPFIND', '/channels', { token })).status, 405)
      assert.equal((await app.call('PROPFIND', '/nowhere', { token })).status, 404)
    }
  const session = await http2Session(app.port)
  assert.equal((await http2Call(session, { ':method': 'MADE-UP', ':path': '/channels' })).status, 405)
  assert.equal((await http2Call(session, { ':method': 'MADE-UP', ':path': '/nowhere' })).status, 404)
  session.close()
})

test('OPTIONS tells what a path allows, without a token', async () => {
  const app = await startApp()
  const known = await app.call('OPTIONS', '/v5/channels/x', { token: null })
  assert.equal(known.status, 204)
  assert.equal(known.text, '')
  assert.equal(known.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS, PUT')
  assert.equal((await app.call('OPTIONS', '/nowhere', { token: null })).status, 404)
})

test('other spellings of a path get the same decision with and without a token', async () => {
  const app = await startApp()
  const { body: channel } = await app.post('/channels', { name: 'Website' })
  const spellings = [
    '/channels/',
    '//channels',
    '/Channels',
    '/channels//',
    '/./channels',
    '/channels/%2e%2e/channels',
    '/v5//channels',
    '/channels;x=1',
    '/channels%2f',
    `/channels/${channel.id}/`,
    `/channels/${channel.id.toUpperCase()}`,
    `/channels/%2e%2e%2fchannels`,
    '/channels%00',
    '/channels/%00',
    '/channels/%zz',
    '/%',
    '/channels/%c3%28',
  ]
  for (const path of spellings)
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'POST']) {
      const socket = await tlsSocket(app.port)
      const send = (authorization: string) =>
        exchange(
          socket.destroyed ? (socket as never) : socket,
          `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}Connection: close\r\n\r\n`,
        )
      const open = await send('')
      const other = await tlsSocket(app.port)
      const token = await app.tokenFor(['channels', 'channels_publish', 'channels_delete'])
      const allowed = await exchange(
        other,
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      )
      const [without, withToken] = [statuses(open)[0]!, statuses(allowed)[0]!]
      assert.ok(
        without === withToken || (without === 401 && [400, 404, 415].includes(withToken)),
        `${method} ${path}: ${without} and ${withToken}`,
      )
      assert.ok(
        ![200, 201, 204].includes(withToken),
        `${method} ${path} must not find anything, was ${withToken}`,
      )
    }
  assert.equal((await app.get(`/channels/${channel.id}`)).status, 200, 'nothing was changed or deleted')
})

test('a percent-encoded letter of a path is that letter, with the same scopes', async () => {
  const app = await startApp()
  assert.equal((await app.get('/%63hannels', { scopes: ['channels'] })).status, 200)
  assert.equal((await app.get('/%63hannels', { scopes: ['tags'] })).status, 403)
  assert.equal((await app.get('/%63hannels', { token: null })).status, 401)
})

test('everything is answered with nosniff and a Cache-Control', async () => {
  const app = await startApp()
  const calls = [
    app.get('/channels'),
    app.get('/channels', { token: null }),
    app.get('/nowhere'),
    app.call('OPTIONS', '/channels'),
    app.call('PATCH', '/channels'),
    app.get('/livez'),
    app.get('/health'),
    app.get('/channels?limit=x'),
    app.get('/%zz'),
    app.post('/channels', {}),
    app.call('GET', `${app.plainOrigin}/channels`),
  ]
  for (const { headers, status } of await Promise.all(calls)) {
    assert.equal(headers.get('x-content-type-options'), 'nosniff', String(status))
    assert.equal(headers.get('cache-control'), 'private, no-store', String(status))
  }
})

test('on the cdn host only reading exists, by Host and by :authority', async () => {
  const app = await startApp({ MARQUEE_CDN_HOST: 'cdn.example.org' })
  const token = await app.tokenFor(['channels', 'channels_publish'])
  const send = async (method: string, host: string) => {
    const socket = await tlsSocket(app.port)
    const body = method === 'POST' ? '{"name":"A"}' : ''
    const type = body ? `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` : ''
    const answer = await exchange(
      socket,
      `${method} /channels HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n${type}Connection: close\r\n\r\n${body}`,
    )
    return { status: statuses(answer)[0], text: answer.text }
  }
  for (const host of ['cdn.example.org', 'CDN.example.org', 'cdn.example.org:8443']) {
    assert.equal((await send('GET', host)).status, 200, host)
    assert.equal((await send('HEAD', host)).status, 200, host)
    const refused = await send('POST', host)
    assert.equal(refused.status, 405, host)
    assert.match(refused.text, /\r\nallow: GET, HEAD, OPTIONS\r\n/i)
    assert.equal((await send('DELETE', host)).status, 405)
  }
  assert.equal((await send('POST', 'www.example.org')).status, 201)
  const session = await http2Session(app.port)
  const request = { ':path': '/channels', ':authority': 'cdn.example.org', authorization: `Bearer ${token}` }
  assert.equal((await http2Call(session, request)).status, 200)
  const post = { ...request, ':method': 'POST', 'content-type': 'application/json' }
  assert.equal((await http2Call(session, post, '{"name":"B"}')).status, 405)
  session.close()
  assert.equal((await app.get('/channels')).body.total, 1)
})
