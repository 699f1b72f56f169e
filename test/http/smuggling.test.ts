import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../harness/app.ts'
import { exchange, plainSocket, statuses, tlsSocket } from './raw.ts'

const second = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
const post = 'POST /channels HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

/** Each is followed by a second request that must never be answered. */
const shapes: Record<string, string> = {
  'both lengths': `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'both lengths, the other way round': `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
  'two lengths': `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'the same length twice': `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
  'a list of lengths': `${post}Content-Length: 2, 2\r\n\r\n{}`,
  'a signed length': `${post}Content-Length: +2\r\n\r\n{}`,
  'a hexadecimal length': `${post}Content-Length: 0x2\r\n\r\n{}`,
  'chunked is not last': `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  'chunked twice': `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
  'an odd encoding': `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'a tab in the encoding': `${post}Transfer-Encoding:\tchunked\tx\r\n\r\n0\r\n\r\n`,
  'a space before the colon': `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  'a folded header': `${post}X: a\r\n Content-Length: 2\r\n\r\n`,
  'a bare line feed': 'GET /livez HTTP/1.1\nHost: x\n\n',
  'a bare line feed between headers': 'GET /livez HTTP/1.1\r\nHost: x\nX: y\r\n\r\n',
  'a bare carriage return': 'GET /livez HTTP/1.1\r\nHost: x\rX: y\r\n\r\n',
  'a null in a header': 'GET /livez HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n',
  'a bad chunk size': `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  'a chunk that is longer than it says': `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
  'GET with a body': 'GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello',
  'GET with a chunked body': 'GET /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'HEAD with a body': 'HEAD /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello',
  'no HTTP at all': 'hello there\r\n\r\n',
  'a version that is none': 'GET /livez HTTP/9.9\r\nHost: x\r\n\r\n',
  'no host': 'GET /livez HTTP/1.1\r\n\r\n',
  'two hosts': 'GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
}

const open = {
  tls: (app: TestApp) => tlsSocket(app.port),
  plain: (app: TestApp) => plainSocket(app.httpPort),
}

for (const [port, connect] of Object.entries(open))
  test(`shapes that could smuggle a request get 400 and a closed connection (${port})`, async () => {
    const app = await startApp({ MARQUEE_TRUST_PROXY: '127.0.0.1' })
    const token = await app.tokenFor(['channels', 'channels_publish'])
    await Promise.all(
      Object.entries(shapes).map(async ([name, bytes]) => {
        const answer = await exchange(
          await connect(app),
          bytes.replace(
            'Host: x\r\n',
            `Host: x\r\nX-Forwarded-Proto: https\r\nAuthorization: Bearer ${token}\r\n`,
          ) + second,
          5000,
        )
        assert.deepEqual(statuses(answer), [400], `${name}: ${answer.text}`)
        assert.ok(answer.closed, name)
      }),
    )
  })

test('a head that is too large is 431 and the connection is closed', async () => {
  const app = await startApp()
  for (const head of [`X: ${'a'.repeat(40_000)}`, `Cookie: ${'a=b; '.repeat(10_000)}`]) {
    const answer = await exchange(
      await tlsSocket(app.port),
      `GET /livez HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`,
    )
    assert.deepEqual(statuses(answer), [431])
    assert.ok(answer.closed)
  }
  const long = await exchange(
    await tlsSocket(app.port),
    `GET /livez?${'a'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  )
  assert.deepEqual(statuses(long), [431])
})

test('what is answered outside of the routes has the error body and headers too', async () => {
  const app = await startApp()
  const { text } = await exchange(await tlsSocket(app.port), shapes['two lengths']!)
  const [head, body] = text.split('\r\n\r\n') as [string, string]
  assert.match(head, /\r\nX-Content-Type-Options: nosniff\r\n/)
  assert.match(head, /\r\nCache-Control: private, no-store\r\n/)
  const { dbtrace, ...rest } = JSON.parse(body)
  assert.deepEqual(rest, { code: 400, message: 'Bad Request' })
  assert.match(dbtrace, /^[0-9a-f]{32}$/)
})

test('pipelined requests are answered in order on one connection', async () => {
  const app = await startApp()
  const answer = await exchange(
    await tlsSocket(app.port),
    `${second}GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  )
  assert.deepEqual(statuses(answer), [200, 404, 200])
})
