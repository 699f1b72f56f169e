import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { testCertificate } from '../harness/certificate.ts'
import { client, reasonOf, serve, serveTls } from './servers.ts'

const toHere = async () => ['127.0.0.1']

test('connections are kept and used again, whichever way the body is read', async (t) => {
  const server = await serve(t, (_, response) => response.end('words'))
  const { request } = client(t, ['127.0.0.1'])
  for (let n = 0; n < 10; n++) {
    for (const read of ['bytes', 'excerpt'] as const)
      assert.equal((await (await request(server.url))[read]()).toString(), 'words')
    assert.equal(await text((await request(server.url)).stream()), 'words')
  }
  // The end of a body is told a moment before its connection is free again.
  assert.ok(server.connections() <= 2)
})

test('a server that many requests wait for has no more than 64 connections', async (t) => {
  const waiting: (() => void)[] = []
  const server = await serve(t, (_, response) => {
    waiting.push(() => response.end())
    if (waiting.length >= 64) setImmediate(() => waiting.splice(0).map((answer) => answer()))
  })
  const { request } = client(t, ['127.0.0.1'])
  const answers = Array.from({ length: 192 }, async () => (await request(server.url)).bytes())
  await Promise.all(answers)
  assert.equal(server.connections(), 64)
})

test('the name is what the server and its certificate are asked for', async (t) => {
  const names: unknown[] = []
  const server = await serveTls(t, (request, response) => {
    names.push((request.socket as TLSSocket).servername, request.headers.host)
    response.end('safe')
  })
  const { cert } = await testCertificate()
  const trusting = client(t, ['127.0.0.1'], { lookUp: toHere, ca: cert })
  const answer = await trusting.request(`https://localhost:${server.port}/`)
  assert.equal((await answer.bytes()).toString(), 'safe')
  assert.deepEqual(names, ['localhost', `localhost:${server.port}`])
  assert.equal(await reasonOf(trusting.request(`https://other.example:${server.port}/`)), 'tls')
  const plain = client(t, ['127.0.0.1'], { lookUp: toHere })
  assert.equal(await reasonOf(plain.request(`https://localhost:${server.port}/`)), 'tls')
  assert.equal(names.length, 2)
})

test('a plain server is no secure one', async (t) => {
  const { port } = await serve(t, (_, response) => response.end())
  const { request } = client(t, ['127.0.0.1'])
  assert.equal(await reasonOf(request(`https://127.0.0.1:${port}/`)), 'tls')
})

test('the client frames the message and sends what it was given', async (t) => {
  const { url } = await serve(t, async (request, response) => {
    const chunks = await request.toArray()
    response.end(JSON.stringify({ ...request.headers, body: Buffer.concat(chunks).toString() }))
  })
  const { request } = client(t, ['127.0.0.1'])
  const answer = await request(`${url}/a?b=c#d`, {
    method: 'POST',
    headers: { 'X-One': '1', 'User-Agent': 'mine' },
    body: 'héllo',
  })
  assert.deepEqual(JSON.parse((await answer.bytes()).toString()), {
    host: new URL(url).host,
    connection: 'keep-alive',
    'user-agent': 'mine',
    'accept-encoding': 'gzip, br',
    'x-one': '1',
    'content-length': '6',
    body: 'héllo',
  })
  assert.ok(answer.timing.head > 0)
})

test('a header that may not be chosen is not sent', async (t) => {
  const server = await serve(t, (_, response) => response.end())
  const { request } = client(t, ['127.0.0.1'])
  for (const [name, value] of [
    ['Host', 'other'],
    ['Transfer-Encoding', 'chunked'],
    ['X-A', 'b\r\nHost: c'],
  ] as const)
    assert.equal(await reasonOf(request(server.url, { headers: { [name]: value } })), 'bad-header')
  assert.equal(server.connections(), 0)
})

test('cookies are not kept', async (t) => {
  const cookies: unknown[] = []
  const { url } = await serve(t, (request, response) => {
    cookies.push(request.headers.cookie)
    response.setHeader('set-cookie', 'a=b').end()
  })
  const { request } = client(t, ['127.0.0.1'])
  for (let n = 0; n < 2; n++) await (await request(url)).bytes()
  assert.deepEqual(cookies, [undefined, undefined])
})

test('a request that is over leaves no timer behind', async (t) => {
  const server = await serve(t, (_, response) => response.end('words'))
  const { request } = client(t, ['127.0.0.1'])
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  for (const timeout of [600_000, 600_000]) {
    await (await request(server.url, { timeout })).bytes()
    await (await request(server.url, { timeout, maxBytes: 2 })).excerpt()
    ;(await request(server.url, { timeout })).discard()
    assert.equal(await reasonOf(request('http://127.0.0.1:1/', { timeout })), 'connection')
  }
  for (let turn = 0; turn < 200 && timers() > before; turn++) await new Promise(setImmediate)
  assert.equal(timers(), before)
})

test('closing ends what is under way and leaves no connection', async (t) => {
  const server = await serve(t, () => {})
  const { request, close } = client(t, ['127.0.0.1'])
  const waiting = reasonOf(request(server.url))
  while (server.connections() === 0) await new Promise(setImmediate)
  await close()
  assert.equal(await waiting, 'connection')
})
