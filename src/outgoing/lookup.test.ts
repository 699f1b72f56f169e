import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { type TestContext, test } from 'node:test'
import { lookUpBy } from './lookup.ts'

type Answer = { code?: number; a?: number[]; aaaa?: number[] } | 'silence'

/** A name server that says the same of every name, and how often it was asked. */
const nameServer = async (t: TestContext, answer: Answer) => {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (query, from) => {
    asked++
    if (answer !== 'silence') socket.send(reply(query, answer), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.after(() => socket.close())
  const resolver = new Resolver({ timeout: 200, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return { lookUp: lookUpBy(resolver), asked: () => asked }
}

const reply = (query: Buffer, { code = 0, a, aaaa }: Exclude<Answer, 'silence'>): Buffer => {
  const end = query.indexOf(0, 12) + 5
  const data = query.readUInt16BE(end - 4) === 28 ? aaaa : a
  const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80 | code, 0, 1, 0, data ? 1 : 0, 0, 0, 0, 0])
  const record = data ? [0xc0, 12, ...query.subarray(end - 4, end), 0, 0, 0, 60, 0, data.length, ...data] : []
  return Buffer.concat([head, query.subarray(12, end), Buffer.from(record)])
}

const here6 = [...Array(15).fill(0), 1]

test('both kinds of addresses of a name are found', async (t) => {
  const { lookUp, asked } = await nameServer(t, { a: [8, 8, 4, 4], aaaa: here6 })
  assert.deepEqual((await lookUp('name.example')).sort(), ['8.8.4.4', '::1'])
  assert.equal(asked(), 2)
})

test('a name with one kind of address has that', async (t) => {
  const { lookUp } = await nameServer(t, { aaaa: here6 })
  assert.deepEqual(await lookUp('name.example'), ['::1'])
})

test('a name that the name servers do not know, or that has no dot, is one for the system', async (t) => {
  const { lookUp, asked } = await nameServer(t, { code: 3 })
  assert.ok((await lookUp('localhost')).some((address) => ['127.0.0.1', '::1'].includes(address)))
  assert.equal(asked(), 0)
  await assert.rejects(lookUp('name.invalid'), { syscall: 'getaddrinfo' })
  assert.equal(asked(), 2)
})

test('a name server that fails or keeps silent is not followed by the system’s look-up', async (t) => {
  for (const answer of [{ code: 2 }, 'silence'] as const) {
    const { lookUp } = await nameServer(t, answer)
    await assert.rejects(lookUp('name.invalid'), /No name server answered/)
  }
})
