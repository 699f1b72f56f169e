import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client, reasonOf, serve } from './servers.ts'

const answer = (_: unknown, response: { end(text: string): void }) => response.end('reached')

test('no spelling of an address of this machine reaches it', async (t) => {
  const canary = await serve(t, answer)
  const canary6 = await serve(t, answer, { host: '::1', port: canary.port })
  const { request, check } = client(t, [])
  const hosts = [
    '127.0.0.1 127.0.0.1. 127.1 0x7f.1 0x7f000001 2130706433 017700000001 0177.0.0.1 0 0.0.0.0 127.0.1',
    '[::1] [::] [::ffff:7f00:1] [::ffff:127.0.0.1] [::FFFF:7F00:1] [0:0:0:0:0:ffff:7f00:1] [::127.0.0.1]',
    '[64:ff9b::7f00:1] [2002:7f00:1::] [::0001] %31%32%37.0.0.1 127%2e0%2E0.1 ①②⑦.⓪.⓪.① １２７。０。０。１ 0X7F.1',
    '169.254.169.254 10.0.0.1 [fe80::1] [fd00::1]',
  ].flatMap((line) => line.split(' '))
  for (const host of hosts) {
    const url = `http://${host}:${canary.port}/`
    assert.equal(await reasonOf(request(url, { timeout: 2000 })), 'refused-address', host)
    assert.throws(() => check(url), { reason: 'refused-address' })
  }
  assert.equal(canary.connections() + canary6.connections(), 0)
})

test('names of this machine do not reach it by the system’s own look-up', async (t) => {
  const canary = await serve(t, answer)
  const { request } = client(t, [])
  for (const host of ['localhost', 'LOCALHOST', 'ｌocalhost', 'loc%61lhost'])
    assert.equal(await reasonOf(request(`http://${host}:${canary.port}/`)), 'refused-address', host)
  // Not every system knows this spelling.
  assert.match(await reasonOf(request(`http://localhost.:${canary.port}/`)), /refused-address|dns/)
  assert.equal(canary.connections(), 0)
})

test('only http and https are asked, without a user name, password or nonsense', async (t) => {
  const canary = await serve(t, answer)
  const { request } = client(t, ['127.0.0.1'])
  const at = `127.0.0.1:${canary.port}`
  const urls = [
    `file:///etc/passwd ftp://${at}/ gopher://${at}/ data:text/plain,x javascript:1 unix:/run/x.sock ws://${at}/`,
    `http://user@${at}/ http://user:secret@${at}/ http://:secret@${at}/ //${at}/ /path http:// http://[::1 http://a:99999/`,
    'http://[fe80::1%25eth0]/ blob:http://x/1 about:blank',
  ].flatMap((line) => line.split(' '))
  for (const url of ['', ...urls]) assert.equal(await reasonOf(request(url)), 'bad-url', url)
  assert.equal(canary.connections(), 0)
})

test('an allowed private address is reached', async (t) => {
  const server = await serve(t, answer)
  const { request } = client(t, ['127.0.0.1'])
  assert.equal((await (await request(`http://0x7f.1:${server.port}/`)).bytes()).toString(), 'reached')
})

test('a name that leads to a private address beside a public one is refused', async (t) => {
  const canary = await serve(t, answer)
  for (const answers of [
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['::ffff:7f00:1'],
    ['fe80::1%lo'],
  ]) {
    const { request } = client(t, [], { lookUp: async () => answers })
    assert.equal(await reasonOf(request(`http://both.example:${canary.port}/`)), 'refused-address')
  }
  assert.equal(canary.connections(), 0)
})

test('a name that leads elsewhere after its check reaches only the address that was checked', async (t) => {
  const good = await serve(t, (_, response) => response.setHeader('connection', 'close').end('good'), {
    host: '::1',
  })
  const canary = await serve(t, answer, { port: good.port })
  let lookUps = 0
  const lookUp = async () => (lookUps++ % 2 === 0 ? ['::1'] : ['127.0.0.1'])
  const { request } = client(t, ['::1'], { lookUp })
  const outcomes: string[] = []
  for (let n = 0; n < 6; n++)
    outcomes.push(
      await request(`http://rebinding.example:${good.port}/`)
        .then((reply) => reply.bytes())
        .then(String, (error) => error.reason),
    )
  assert.deepEqual(outcomes, [
    'good',
    'refused-address',
    'good',
    'refused-address',
    'good',
    'refused-address',
  ])
  assert.equal(lookUps, 6)
  assert.equal(good.connections(), 3)
  assert.equal(canary.connections(), 0)
})

test('a name that cannot be looked up, or has no address, is told as such', async (t) => {
  const failing = client(t, [], { lookUp: () => Promise.reject(new Error('no')) })
  const empty = client(t, [], { lookUp: async () => [] })
  assert.equal(await reasonOf(failing.request('http://nowhere.example/')), 'dns')
  assert.equal(await reasonOf(empty.request('http://nowhere.example/')), 'dns')
})

test('a refusal does not tell which address a name leads to, nor repeats the path', async (t) => {
  const { request } = client(t, [], { lookUp: async () => ['10.1.2.3'] })
  await assert.rejects(request('http://inside.example/hook?token=s3cret'), (error: Error) => {
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, /10\.1|s3cret|hook/)
    return true
  })
})
