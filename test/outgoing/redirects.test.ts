import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { testCertificate } from '../harness/certificate.ts'
import { client, reasonOf, serve, serveTls } from './servers.ts'

type Seen = { method: string; url: string; body: string; headers: IncomingMessage['headers'] }

/** Answers `/status/address` with that redirect, and anything else with 200; remembers what it was asked. */
const recorder = () => {
  const seen: Seen[] = []
  const listener: Parameters<typeof serve>[1] = async (request, response) => {
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: await text(request) })
    const [, status, location] = /^\/(\d+)\/(.*)$/.exec(url) ?? []
    if (status) response.writeHead(Number(status), { location: decodeURIComponent(location!) })
    response.end('the end')
  }
  return { seen, listener }
}
const to = (status: number, location: string) => `/${status}/${encodeURIComponent(location)}`

test('a redirect is the answer unless it is to be followed', async (t) => {
  const { seen, listener } = recorder()
  const { url } = await serve(t, listener)
  const { request } = client(t, ['127.0.0.1'])
  const answer = await request(url + to(302, '/next'))
  assert.equal(answer.status, 302)
  assert.equal(answer.headers.location, '/next')
  answer.discard()
  assert.equal(seen.length, 1)
})

test('five redirects are followed and a sixth is not', async (t) => {
  const { seen, listener } = recorder()
  const { url } = await serve(t, listener)
  const { request } = client(t, ['127.0.0.1'])
  const chain = (length: number): string => (length === 0 ? '/end' : to(302, chain(length - 1)))
  const answer = await request(url + chain(5), { redirects: 'follow' })
  assert.equal((await answer.bytes()).toString(), 'the end')
  assert.equal(answer.url, `${url}/end`)
  assert.equal(seen.length, 6)
  assert.equal(await reasonOf(request(url + chain(6), { redirects: 'follow' })), 'redirect')
  assert.equal(seen.length, 12)
})

test('a redirect to an address that may not be asked is not followed', async (t) => {
  const canary = await serve(t, (_, response) => response.end())
  const { listener } = recorder()
  const server = await serve(t, listener, { host: '::1' })
  const { request } = client(t, ['::1'], { lookUp: async () => ['127.0.0.1'] })
  const at = `127.0.0.1:${canary.port}`
  for (const [location, reason] of [
    ['http://169.254.169.254/latest/meta-data', 'refused-address'],
    [`http://${at}/`, 'refused-address'],
    [`//0x7f.1:${canary.port}/`, 'refused-address'],
    [`http://[::ffff:7f00:1]:${canary.port}/`, 'refused-address'],
    [`http://name.example:${canary.port}/`, 'refused-address'],
    [`http://user:secret@[::1]:${server.port}/`, 'bad-url'],
    ['file:///etc/passwd', 'bad-url'],
    ['http://', 'bad-url'],
    [`https://[::1]:${server.port}/`, 'redirect'],
  ] as const)
    assert.equal(
      await reasonOf(request(server.url + to(301, location), { redirects: 'follow' })),
      reason,
      location,
    )
  assert.equal(canary.connections(), 0)
})

test('a redirect never leaves https', async (t) => {
  const plain = await serve(t, (_, response) => response.end())
  const { listener } = recorder()
  const secure = await serveTls(t, listener)
  const { cert } = await testCertificate()
  const { request } = client(t, ['127.0.0.1'], { lookUp: async () => ['127.0.0.1'], ca: cert })
  const url = `https://localhost:${secure.port}${to(302, plain.url)}`
  assert.equal(await reasonOf(request(url, { redirects: 'follow' })), 'redirect')
  assert.equal(plain.connections(), 0)
})

test('another origin is told nothing that was meant for the first', async (t) => {
  const [first, second] = [recorder(), recorder()]
  const { url } = await serve(t, first.listener)
  const other = await serve(t, second.listener)
  const { request } = client(t, ['127.0.0.1'])
  const headers = { Authorization: 'Bearer x', 'X-Api-Key': 'y', Accept: 'text/xml' }
  await (await request(url + to(307, '/same'), { headers, redirects: 'follow' })).bytes()
  await (await request(url + to(307, other.url), { headers, redirects: 'follow' })).bytes()
  assert.equal(first.seen[1]!.headers.authorization, 'Bearer x')
  assert.equal(first.seen[1]!.headers['x-api-key'], 'y')
  const told = second.seen[0]!.headers
  assert.deepEqual(Object.keys(told).sort(), [
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
  assert.equal(told.accept, 'text/xml')
})

test('a body is sent again to the same origin, never to another, and not at all after 303', async (t) => {
  const [first, second] = [recorder(), recorder()]
  const { url } = await serve(t, first.listener)
  const other = await serve(t, second.listener)
  const { request } = client(t, ['127.0.0.1'])
  const post = (path: string) =>
    request(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      body: 'words',
      redirects: 'follow',
    })
  for (const status of [307, 308, 303, 302, 301]) await (await post(to(status, `/${status}`))).bytes()
  const asked = first.seen.filter(({ url }) => /^\/\d+$/.test(url))
  assert.deepEqual(
    asked.map(({ method, body, headers }) => [method, body, headers['content-type']]),
    [
      ['POST', 'words', 'text/plain'],
      ['POST', 'words', 'text/plain'],
      ['GET', '', undefined],
      ['GET', '', undefined],
      ['GET', '', undefined],
    ],
  )
  assert.equal(await reasonOf(post(to(307, other.url))), 'redirect')
  assert.equal(second.seen.length, 0)
})
