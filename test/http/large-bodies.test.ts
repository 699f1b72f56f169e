import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Call, startApp } from '../harness/app.ts'
import { json, multipart, urlencoded } from './forms.ts'
import { exchange, http1Call, http2Call, http2Session, plainSocket, statuses, tlsSocket } from './raw.ts'

test('a body of 10 MB is read, one byte more is 413, by HTTP/1.1 and HTTP/2', async () => {
  const app = await startApp()
  const authorization = `Bearer ${await app.tokenFor(['channels', 'channels_publish'])}`
  const session = await http2Session(app.port)
  const senders = [
    (call: Call) =>
      http1Call(app.port, 'POST', '/channels', { authorization, ...call.headers }, call.raw as string),
    (call: Call) =>
      http2Call(
        session,
        { ':method': 'POST', ':path': '/channels', authorization, ...call.headers },
        call.raw as string,
      ),
  ]
  const fits = `{"name":"${'a'.repeat(10_000_000 - 11)}"}`
  assert.equal(fits.length, 10_000_000)
  const over = [
    json(`${fits} `),
    urlencoded(`name=${'a'.repeat(10_000_000)}`),
    multipart([['name', 'a'.repeat(10_000_000)]]),
  ]
  for (const send of senders) {
    assert.equal((await send(json(fits))).status, 400, 'the name is too long, but it was read')
    for (const call of over) assert.equal((await send(call)).status, 413, call.headers['content-type'])
  }
  session.close()
})

test('a chunked body that grows past 10 MB is 413, and the connection goes on', async () => {
  const app = await startApp({ MARQUEE_TRUST_PROXY: '127.0.0.1' })
  const token = await app.tokenFor(['channels', 'channels_publish'])
  const head = (type: string) =>
    `POST /channels HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunk = `f4240\r\n${'a'.repeat(1_000_000)}\r\n`
  const body = `${chunk.repeat(11)}0\r\n\r\n`
  const last = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  for (const connect of [() => tlsSocket(app.port), () => plainSocket(app.httpPort)])
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await exchange(await connect(), head(type) + body + last, 10_000)
      const [first, ...rest] = statuses(answer)
      assert.ok(first === 413 || (type.startsWith('multipart') && first === 400), `${type} ${first}`)
      assert.deepEqual(rest, [200])
    }
})

test('a refused request with a large body still hears its answer', async () => {
  const app = await startApp()
  const headers = { authorization: 'Bearer mq_wrong', 'content-type': 'application/json' }
  const session = await http2Session(app.port)
  for (const body of ['a'.repeat(3_000_000), 'a'.repeat(15_000_000)])
    for (const [path, status] of Object.entries({ '/channels': 401, '/nowhere': 404, '/livez': 405 })) {
      assert.equal((await http1Call(app.port, 'POST', path, headers, body)).status, status, path)
      const again = await http2Call(session, { ':method': 'POST', ':path': path, ...headers }, body)
      assert.equal(again.status, status, path)
    }
  session.close()
})

test('half a body is no body: a sender that goes away changes nothing', async () => {
  const app = await startApp()
  const authorization = `Bearer ${await app.tokenFor(['channels', 'channels_publish'])}`
  const type = 'application/x-www-form-urlencoded'
  const session = await http2Session(app.port)
  for (let sender = 0; sender < 40; sender += 1) {
    const head = { ':method': 'POST', ':path': '/channels', authorization, 'content-type': type }
    const stream = session.request(head)
    stream.on('error', () => {})
    stream.write('name=Half')
    if (sender % 2) await new Promise((resolve) => session.ping(resolve))
    // Not close(): that would end the body properly before it cancels the stream.
    stream.destroy(new Error('gone'))
  }
  const socket = await tlsSocket(app.port)
  socket.on('error', () => {})
  socket.write(
    `POST /channels HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: ${type}\r\nContent-Length: 50\r\n\r\nname=Half`,
  )
  await app.get('/channels')
  socket.destroy()
  for (let round = 0; round < 20; round += 1) {
    await new Promise((resolve) => session.ping(resolve))
    assert.equal((await app.get('/channels')).body.total, 0)
  }
  session.close()
})
