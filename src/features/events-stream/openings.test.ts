import assert from 'node:assert/strict'
import https from 'node:https'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { listenTo } from '../../../test/harness/events.ts'
import { http2Session, tlsSocket } from '../../../test/http/raw.ts'

const gauge = async (app: TestApp, name: string): Promise<number> => {
  const { text } = await app.get('/metrics', { token: null })
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)![1])
}

test('requests behind a stream on its connection hold no places', async () => {
  const app = await startApp({}, { limits: { inFlight: 30 } })
  const token = await app.tokenFor([])
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const places = () => gauge(app, 'marquee_http_requests_in_flight')
  const together = await tlsSocket(app.port)
  const later = await tlsSocket(app.port)
  for (const socket of [together, later]) socket.on('error', () => {}).resume()
  together.write(ask('/events') + ask('/statuses').repeat(20))
  later.write(ask('/events'))
  await eventually(async () => (await gauge(app, 'marquee_event_streams')) > 0)
  later.write(ask('/statuses').repeat(20))
  await eventually(async () => (await places()) === 1 && together.destroyed && later.destroyed)
  assert.equal(await gauge(app, 'marquee_event_streams'), 0)
})

test('whoever leaves while a stream opens leaves nothing behind', async () => {
  const app = await startApp({}, { limits: { streamsPerToken: 3 } })
  const token = await app.tokenFor([])
  const headers = { authorization: `Bearer ${token}` }
  for (let round = 0; round < 30; round += 1) {
    const options = { port: app.port, host: '127.0.0.1', path: '/events', headers, rejectUnauthorized: false }
    const request = https.request({ ...options, agent: false }).on('error', () => {})
    request.end()
    const session = await http2Session(app.port)
    session.on('error', () => {})
    const stream = session.request({ ':path': '/events?filter[status][eq]=Done', ...headers })
    stream.on('error', () => {})
    await delay(round % 10)
    request.destroy()
    session.destroy()
  }
  await eventually(async () => (await gauge(app, 'marquee_event_streams')) === 0)
  const streams = await Promise.all([1, 2, 3].map(() => listenTo(app, '', { token })))
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200, 200],
  )
  for (const stream of streams) stream.close()
})
