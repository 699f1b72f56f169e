import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { inTransaction } from '../../src/database/session.ts'
import { startApp } from '../harness/app.ts'
import { http2Session, tlsSocket } from './raw.ts'

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
  // Without totals: each counts for itself while the node hears nothing, and would hold a second connection.
  const held = Array.from({ length: 10 }, () => app.get('/channels?total=false'))
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

/** The first bytes of a sign-in whose body never ends. */
const slowSignIn = async (port: number): Promise<Socket> => {
  const socket = await tlsSocket(port)
  socket.on('error', () => {})
  const type = 'Content-Type: application/json\r\nContent-Length: 100000'
  socket.write(`POST /sessions HTTP/1.1\r\nHost: x\r\n${type}\r\n\r\n{`)
  return socket
}

const eventually = async (what: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 5000
  while (!(await what())) assert.ok(Date.now() < deadline, 'it did not come about')
}

test('bodies that arrive slowly hold no place of those who are served, and are bounded by themselves', async () => {
  const app = await startApp({}, { limits: { inFlight: 5, arriving: 20 } })
  const gauge = async (name: string): Promise<number> => {
    const { text } = await app.get('/metrics', { token: null })
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)![1])
  }
  const arriving = () => gauge('marquee_http_bodies_arriving')
  const held = await Promise.all(Array.from({ length: 19 }, () => slowSignIn(app.port)))
  await eventually(async () => (await arriving()) === 19)
  assert.equal((await app.get('/channels')).status, 200)
  assert.equal((await app.post('/channels', { name: 'Served' })).status, 201, 'the twentieth')

  const session = await http2Session(app.port)
  const stream = session.request({
    ':method': 'POST',
    ':path': '/sessions',
    'content-type': 'application/json',
  })
  stream.on('error', () => {})
  stream.write('{')
  await eventually(async () => (await arriving()) === 20)
  const refused = await app.post('/channels', { name: 'One too many' })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
  assert.equal((await app.get('/channels')).status, 200)
  session.destroy()
  for (const socket of held) socket.destroy()
  await eventually(async () => (await arriving()) === 0)
  assert.equal(await gauge('marquee_http_requests_in_flight'), 1, 'the one that asks')
  assert.equal((await app.post('/channels', { name: 'Served again' })).status, 201)
})

test('what has arrived is refused where too many are served', async () => {
  const app = await startApp({}, { limits: { inFlight: 0 } })
  const refused = await app.post('/channels', { name: 'Nobody is served' })
  assert.equal(refused.status, 503)
  assert.equal((await app.get('/livez', { token: null })).status, 200)
})
