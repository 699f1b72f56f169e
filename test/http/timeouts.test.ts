import assert from 'node:assert/strict'
import { type EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { connect as connectPlain } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { defaultLimits } from '../../src/http/limits.ts'
import { startApp } from '../harness/app.ts'
import { http2Session, plainSocket, tlsSocket } from './raw.ts'

/** A tenth of the real times, with the same code behind them. */
const limits = { headers: 1000, stall: 1500, window: 3000, perSecond: 1024, look: 100, idle: 4000 }
const start = (more = {}) =>
  startApp({ MARQUEE_TRUST_PROXY: '127.0.0.1' }, { limits: { ...limits, ...more } })
const parallel = { concurrency: true }

/** Milliseconds until the server closes, while `drip` is called every 100 ms. */
const closedAfter = async (socket: Socket, drip?: () => void, patience = 8000): Promise<number> => {
  const from = performance.now()
  const timer = drip && setInterval(() => socket.writable && drip(), 100)
  socket.on('error', () => {})
  socket.on('data', () => {})
  const ended = new Promise<number>((resolve) => {
    for (const event of ['end', 'close']) socket.once(event, () => resolve(performance.now() - from))
  })
  const late = new Promise<number>((resolve) =>
    setTimeout(resolve, patience, Number.POSITIVE_INFINITY).unref(),
  )
  const took = await Promise.race([ended, late])
  clearInterval(timer)
  socket.destroy()
  return took
}

const closing = (target: EventEmitter): Promise<number> => {
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, 12_000, new Error('still open'))
    target.once('error', () => {})
    target.once('close', () => {
      clearTimeout(timer)
      resolve(performance.now() - from)
    })
  })
}

const between = (took: number, least: number, most: number, what: string) =>
  assert.ok(took >= least && took <= most, `${what}: closed after ${Math.round(took)} ms`)

test('the real limits are those that are promised', () => {
  const { headers, stall, window, perSecond, body } = defaultLimits
  assert.deepEqual(
    { headers, stall, window, perSecond, body },
    { headers: 10_000, stall: 15_000, window: 30_000, perSecond: 1024, body: 60_000 },
  )
})

test('slow clients', parallel, async (t) => {
  const app = await start()
  const token = await app.tokenFor(['channels', 'channels_publish'])
  const head = `POST /channels HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
  const ports = { tls: () => tlsSocket(app.port), plain: () => plainSocket(app.httpPort) }

  const onBoth = Object.entries(ports).flatMap(([port, open]) => [
    t.test(`a head that is dripped in is cut (${port})`, async () => {
      const socket = await open()
      socket.write('GET /livez HTTP/1.1\r\n')
      between(await closedAfter(socket, () => socket.write('X: y\r\n')), 900, 2500, 'head')
    }),
    t.test(`a connection that says nothing is cut (${port})`, async () => {
      between(await closedAfter(await open()), 900, 2500, 'silence')
    }),
    t.test(`a body without progress is cut (${port})`, async () => {
      const socket = await open()
      socket.write(`${head}Content-Length: 1000\r\n\r\n{"name":`)
      between(await closedAfter(socket), 1400, 3500, 'body')
    }),
    t.test(`a body below the least rate is cut (${port})`, async () => {
      const socket = await open()
      socket.write(`${head}Content-Length: 100000\r\n\r\n`)
      between(await closedAfter(socket, () => socket.write('a'.repeat(50))), 2900, 5000, 'rate')
    }),
    t.test(`the rest of a refused body is cut too (${port})`, async () => {
      const socket = await open()
      socket.write(`POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n`)
      between(await closedAfter(socket, () => socket.write('a')), 2900, 5000, 'rest')
    }),
    t.test(`a slow but steady body succeeds (${port})`, async () => {
      const socket = await open()
      const filler = ' '.repeat(10_000)
      const body = `{"name":"Steady ${port}"${filler}}`
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.write(`${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`)
      let at = 0
      const drip = () => {
        if (at >= body.length) return
        socket.write(body.slice(at, at + 200))
        at += 200
      }
      const took = await closedAfter(socket, drip)
      assert.match(text, /^HTTP\/1\.1 201 /)
      assert.ok(took > 4500, 'it took longer than every limit')
    }),
  ])
  await Promise.all([
    ...onBoth,
    t.test('a TLS handshake that is never finished is cut', async () => {
      const socket = connectPlain({ port: app.port, host: '127.0.0.1' })
      await once(socket, 'connect')
      between(await closedAfter(socket), 900, 2500, 'handshake')
    }),
    t.test('an idle connection is closed after a while', async () => {
      const socket = await tlsSocket(app.port)
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
      between(await closedAfter(socket), 3900, 7000, 'idle')
    }),
  ])
})

test('a body that is no file is cut after a while, however steadily it comes', parallel, async (t) => {
  const app = await start({ body: 2000 })
  const token = await app.tokenFor(['channels', 'channels_publish'])
  const type = 'application/json'
  const paths = { 'a body': '/sessions', 'the rest of a refused body': '/nowhere' }
  const cut = Object.entries(paths).map(([what, path]) =>
    t.test(what, async () => {
      const socket = await tlsSocket(app.port)
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 9000000\r\n\r\n`,
      )
      between(await closedAfter(socket, () => socket.write(' '.repeat(5000))), 1900, 4000, what)
    }),
  )
  await Promise.all([
    ...cut,
    t.test('a form in parts', async () => {
      const socket = await tlsSocket(app.port)
      const head = `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n`
      socket.write(`POST /sessions HTTP/1.1\r\nHost: x\r\n${head}`)
      socket.write('--b\r\nContent-Disposition: form-data; name="email"\r\n\r\n')
      between(await closedAfter(socket, () => socket.write(' '.repeat(5000))), 1900, 4000, 'parts')
    }),
    t.test('a stream of HTTP/2', async () => {
      const session = await http2Session(app.port)
      const authorization = `Bearer ${token}`
      const stream = session.request({
        ':method': 'POST',
        ':path': '/channels',
        authorization,
        'content-type': type,
      })
      stream.on('error', () => {})
      stream.resume()
      const drip = setInterval(() => stream.writable && stream.write(' '.repeat(5000)), 100)
      between(await closing(stream), 1900, 4000, 'stream')
      clearInterval(drip)
      session.destroy()
    }),
  ])
})

test('clients that do not read', parallel, async (t) => {
  const app = await start({ idle: 60_000 })
  const name = 'n'.repeat(190)
  const insert = (from: number) =>
    app.sql`insert into channels (environment_id, id, name, slug, streams)
      select ${app.environment.id}, 'c' || n, ${name} || n, 's' || n, jsonb_build_array(jsonb_build_object('url', repeat('x', 2000)))
      from generate_series(${from}::int, ${from + 999}::int) n`
  await insert(0)
  const token = await app.tokenFor(['channels'])
  const path = '/v5/channels?limit=1000&total=false'

  const ports = { tls: () => tlsSocket(app.port), plain: () => plainSocket(app.httpPort) }
  const unread = Object.entries(ports).map(([port, open]) =>
    t.test(`a response that is not read is cut (${port})`, async () => {
      const socket = await open()
      socket.on('error', () => {})
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nAuthorization: Bearer ${token}\r\n\r\n`
      socket.pause()
      socket.write(request.repeat(8))
      await delay(4 * limits.stall)
      let size = 0
      socket.on('data', (chunk) => {
        size += chunk.length
      })
      socket.resume()
      await closing(socket)
      assert.ok(size > 100_000 && size < 8 * 2_000_000, `${size} bytes of more than 16 million arrived`)
    }),
  )
  await Promise.all([
    ...unread,
    t.test('a stream of HTTP/2 that is not read is cut, while another goes on', async () => {
      const session = await http2Session(app.port)
      const headers = { ':path': path, authorization: `Bearer ${token}` }
      const from = performance.now()
      const stuck = session.request(headers)
      stuck.on('error', () => {})
      await once(stuck, 'response')
      stuck.pause()
      const pings = setInterval(() => session.request({ ':path': '/livez' }).resume().end(), 200)
      await closing(stuck)
      clearInterval(pings)
      between(performance.now() - from, 1400, 8000, 'stream')
      assert.ok(!session.destroyed, 'the session goes on')
      session.destroy()
    }),
    t.test('a large response that is read slowly but steadily arrives whole', async () => {
      const session = await http2Session(app.port)
      const stream = session.request({ ':path': path, authorization: `Bearer ${token}` })
      let size = 0
      const from = performance.now()
      for await (const chunk of stream) {
        size += chunk.length
        if (performance.now() - from < 4000) await delay(300)
      }
      assert.ok(size > 2_000_000)
      assert.ok(performance.now() - from > 2000)
      session.destroy()
    }),
  ])
})

test('slow clients of HTTP/2', parallel, async (t) => {
  const app = await start()
  const token = await app.tokenFor(['channels', 'channels_publish'])
  await Promise.all([
    t.test('a session that never opens a stream is cut, also when it drips', async () => {
      const socket = connectTls({
        port: app.port,
        host: '127.0.0.1',
        rejectUnauthorized: false,
        ALPNProtocols: ['h2'],
      })
      await once(socket, 'secureConnect')
      socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
      socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))
      const ping = Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
      between(await closedAfter(socket, () => socket.write(ping)), 900, 2500, 'session')
    }),
    t.test('a body without progress is cut', async () => {
      const session = await http2Session(app.port)
      const stream = session.request({
        ':method': 'POST',
        ':path': '/channels',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      })
      stream.on('error', () => {})
      stream.write('{"name":')
      stream.resume()
      between(await closing(stream), 1400, 3500, 'body')
      session.destroy()
    }),
    t.test('a used session that is idle is closed after a while', async () => {
      const session = await http2Session(app.port)
      session.request({ ':path': '/livez' }).resume().end()
      between(await closing(session), 3900, 7000, 'idle')
    }),
  ])
})
