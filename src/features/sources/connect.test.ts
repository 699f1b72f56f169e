import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../test/harness/access.ts'
import { startApp } from '../../../test/harness/app.ts'
import { follow, itemsOf, pollAgain, polled, startFollowing, startSite } from '../../../test/harness/feeds.ts'
import { startFtp } from '../../../test/harness/ftp.ts'
import { faults, made } from '../../../test/harness/records/kind.ts'
import { outgoing } from '../../outgoing/client.ts'

const site = await startSite()
const startBlogging = () => startFollowing({ MARQUEE_MICROBLOG_URL: site.origin })

const post = (id: string, content: string, more: object = {}) => ({
  id,
  uri: `https://blog.example/posts/${id}`,
  url: `https://blog.example/@harbour/${id}`,
  created_at: '2026-11-01T09:30:00.000Z',
  content: `<p>${content}</p>`,
  spoiler_text: '',
  account: { display_name: 'Harbour', acct: 'harbour' },
  media_attachments: [{ type: 'image', url: `https://blog.example/media/${id}.png` }],
  ...more,
})

const putPosts = (path: string, ...posts: object[]) => site.put(path, JSON.stringify(posts))

test('an account of the microblog is found and followed, and its posts become items', async () => {
  const app = await startBlogging()
  const found = {
    id: '109',
    display_name: 'Harbour FM',
    url: 'https://blog.example/@harbour',
    avatar: 'https://blog.example/a.png',
  }
  site.put('/api/v1/accounts/lookup?acct=harbour', JSON.stringify(found))
  const path = '/api/v1/accounts/109/statuses'
  putPosts(path, post('12', 'Second'), post('9', 'First <script>alert(1)</script>'))
  const answer = await app.call(
    'POST',
    '/v5/microblogaccounts/follow?screen_name=@harbour&shortname=hfm&favorite=true',
    {
      scopes: ['connect'],
    },
  )
  const {
    id,
    created_on: _created,
    ...account
  } = made(answer) as unknown as Record<string, unknown> & { id: string }
  assert.deepEqual(account, {
    account_id: '109',
    label: 'MicroblogAccount',
    name: 'Harbour FM',
    screen_name: 'harbour',
    picture: 'https://blog.example/a.png',
    shortname: 'hfm',
    favorite: true,
  })
  const source = await polled(app, { id })
  assert.deepEqual([source.label, source.error, source.url], ['MicroblogAccount', null, found.url])
  const [item] = (await itemsOf(app, { id })).filter(({ reference_id }) => reference_id!.endsWith('/9'))
  assert.deepEqual(
    [item!.title, item!.body, item!.author, item!.image_url, item!.published_on],
    ['First', '<p>First </p>', 'Harbour', 'https://blog.example/media/9.png', '2026-11-01T09:30:00+00:00'],
  )
  putPosts(`${path}?limit=40&exclude_replies=true&exclude_reblogs=true&min_id=12`, post('13', 'Third'))
  await pollAgain(app, { id })
  assert.equal((await itemsOf(app, { id })).length, 3)
  site.put('/api/v1/accounts/lookup?acct=HARBOUR', JSON.stringify(found))
  assert.deepEqual(faults(await app.post('/v5/microblogaccounts/follow', { screen_name: 'HARBOUR' }), 409), [
    'screen_name',
  ])
  assert.deepEqual(faults(await app.post('/v5/microblogaccounts/follow', { screen_name: 'nobody' })), [
    'screen_name',
  ])
})

test('a hashtag of the microblog is followed, and what is full is asked again at once', async () => {
  const app = await startBlogging()
  const path = '/api/v1/timelines/tag/caf%C3%A9'
  putPosts(path, post('1', 'One'))
  const { id, ...hashtag } = made(
    await app.post('/v5/microbloghashtags/follow', { body: '#café' }),
  ) as unknown as Record<string, unknown> & { id: string }
  assert.deepEqual(
    { ...hashtag, created_on: '' },
    { created_on: '', label: 'MicroblogHashtag', body: 'café', shortname: null, favorite: false },
  )
  const { name } = await polled(app, { id })
  assert.equal(name, '#café')
  const full = Array.from({ length: 40 }, (_, n) => post(String(100 + n), `Post ${n}`))
  putPosts(`${path}?limit=40&min_id=1`, ...full)
  putPosts(`${path}?limit=40&min_id=139`, post('200', 'Last'))
  await pollAgain(app, { id })
  await eventually(async () => (await itemsOf(app, { id })).length === 42, 10_000)
  site.put(path, { body: '{"error":', status: 200 })
  site.put(`${path}?limit=40&min_id=200`, { body: '{"error":', status: 200 })
  assert.equal((await pollAgain(app, { id })).error, 'What the microblog answers is not a list of posts')
})

test('an account that could not be asked for is followed all the same, and found by a poll', async () => {
  const app = await startBlogging()
  site.put('/api/v1/accounts/lookup?acct=later', { status: 500 })
  const { id } = made(await app.post('/v5/microblogaccounts/follow', { screen_name: 'later' }))
  assert.equal((await polled(app, { id })).error, 'The answer was 500')
  site.put('/api/v1/accounts/lookup?acct=later', JSON.stringify({ id: '7', url: 'javascript:1', avatar: 5 }))
  putPosts('/api/v1/accounts/7/statuses', post('1', 'Hello'))
  const { body } = await app.get(`/v5/sources/${(await pollAgain(app, { id })).id}`)
  assert.deepEqual([body.account_id, body.url, body.picture, body.error], ['7', null, null, null])
  assert.equal((await itemsOf(app, { id })).length, 1)
})

test('what has no connector is stored, says so, and is not polled', async () => {
  const app = await startFollowing()
  for (const [label, more] of [
    ['PhotoSocialAccount', { screen_name: 'harbourfm' }],
    ['PhotoSocialHashtag', { body: 'harbour' }],
    ['SocialNetworkPage', { url: 'https://social.example/harbour', name: 'Page' }],
    ['MicroblogAccount', { screen_name: 'harbourfm' }],
    ['MicroblogHashtag', { body: 'harbour' }],
  ] as const) {
    const { id } = made(await app.post('/v5/sources', { label, ...more }))
    const { body } = await app.get(`/v5/sources/${id}`)
    assert.deepEqual(
      [body.label, body.error, body.failed],
      [label, `No connector is configured for ${label}`, 0],
    )
    const refused = await app.post(`/v5/sources/${id}/fetch`)
    assert.deepEqual([refused.status, refused.body.type], [409, 'ConnectorNotConfigured'])
    await eventually(
      async () => (await app.get(`/v5/sources/${id}`)).body.next_fetch_on > Date.now() + 60_000,
      10_000,
    )
    const after = await app.get(`/v5/sources/${id}`)
    assert.deepEqual([after.body.fetched_on, after.body.failed, after.body.error], [null, 0, body.error])
  }
})

test('the files of an FTP folder become items, once each', async () => {
  const app = await startFollowing()
  const ftp = await startFtp()
  const press = join(ftp.folder, 'press & photos')
  await mkdir(join(press, 'inner'), { recursive: true })
  await writeFile(join(press, 'boat <1>.jpg'), 'x')
  await writeFile(join(press, 'notes.txt'), 'x')
  const url = `${ftp.url}press%20&%20photos`
  const body = { label: 'Ftp', name: 'Press', url, username: 'press', password: 'pass word' }
  const { id } = made(await app.post('/v5/sources', body))
  const source = await polled(app, { id })
  assert.deepEqual([source.error, source.failed], [null, 0])
  const shown = (await app.get(`/v5/sources/${id}`)).text
  assert.ok(!shown.includes('pass word') && shown.includes('"username":"press"'))
  const items = await itemsOf(app, { id })
  assert.deepEqual(items.map(({ title, url, image_url }) => [title, url, image_url]).sort(), [
    ['boat <1>.jpg', `${url}/boat%20%3C1%3E.jpg`, `${url}/boat%20%3C1%3E.jpg`],
    ['notes.txt', `${url}/notes.txt`, null],
  ])
  await writeFile(join(press, 'later.txt'), 'x')
  await pollAgain(app, { id })
  assert.equal((await itemsOf(app, { id })).length, 3)
  await app.put(`/v5/sources/${id}`, { password: 'wrong' })
  assert.equal((await pollAgain(app, { id })).error, 'The folder refuses the user name or password')
  await app.put(`/v5/sources/${id}`, { password: 'pass word', url: `${ftp.url}nowhere` })
  assert.equal((await pollAgain(app, { id })).error, 'There is no such folder')
})

/** A port on this machine that notes who comes; as FTP it says what is given, and then nothing. */
const canaries: { close(): void }[] = []
after(() => {
  for (const one of canaries) one.close()
})
const startCanary = async (greeting = '') => {
  const canary = { port: 0, visits: 0, close: () => {} }
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((socket) => {
    canary.visits += 1
    sockets.add(socket.on('error', () => {}))
    socket.write(greeting)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  canary.port = (server.address() as AddressInfo).port
  canary.close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  canaries.push(canary)
  return canary
}

test('addresses of this machine and of other schemes are refused, in whatever spelling', async () => {
  const app = await startApp()
  const { port } = await startCanary()
  const hosts = [
    `127.0.0.1:${port}`,
    `[::ffff:7f00:1]:${port}`,
    `0x7f.1:${port}`,
    `0:${port}`,
    '169.254.169.254',
    `2130706433:${port}`,
  ]
  for (const host of hosts) {
    assert.deepEqual(
      faults(await app.post('/v5/rss/follow', { url: `http://${host}/feed`, name: 'x' })),
      ['url'],
      host,
    )
    for (const scheme of ['ftp', 'ftps']) {
      const folder = { label: 'Ftp', url: `${scheme}://${host}/`, name: 'x' }
      assert.deepEqual(faults(await app.post('/v5/sources', folder)), ['url'], host)
    }
  }
  for (const url of [
    'file:///etc/passwd',
    'gopher://a.example/',
    'https://user:secret@a.example/',
    'nonsense',
    '//a.example',
  ])
    for (const label of ['Rss', 'Ftp', 'SocialNetworkPage'])
      assert.deepEqual(faults(await app.post('/v5/sources', { label, url, name: 'x' })), ['url'], url)
  for (const url of ['ftp://u:p@a.example/', 'ftp://a.example/a%0d%0aDELE%20x', 'http://a.example/'])
    assert.deepEqual(faults(await app.post('/v5/sources', { label: 'Ftp', url, name: 'x' })), ['url'], url)
})

test('a name that leads to this machine, or does so the second time, leads nowhere', async () => {
  const canary = await startCanary('220 hello\r\n')
  const looked = new Map<string, number>()
  const app = await startApp(
    { MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.2' },
    {
      prepare: (context) => {
        // First an address that may be asked, and then this machine: what was judged is what is connected to.
        const lookUp = async (name: string) => {
          const times = looked.get(name) ?? 0
          looked.set(name, times + 1)
          return [name.startsWith('turning') && times === 0 ? '127.0.0.2' : '127.0.0.1']
        }
        context.outgoing = outgoing(context.config, { lookUp })
      },
    },
  )
  for (const [address, first] of [
    ['http://inner.example', 'The address is not a public one'],
    ['ftp://inner.example', 'The address is not a public one'],
    ['ftps://inner.example', 'The address is not a public one'],
    ['http://turning.example', 'The connection failed (ECONNREFUSED)'],
    ['ftp://turning-too.example', 'The folder could not be read'],
  ]) {
    const label = address!.startsWith('http') ? 'Rss' : 'Ftp'
    const { id } = made(
      await app.post('/v5/sources', { label, url: `${address}:${canary.port}/`, name: 'x' }),
    )
    assert.equal((await polled(app, { id })).error, first, address)
    assert.equal((await pollAgain(app, { id })).error, 'The address is not a public one', address)
  }
  assert.equal(canary.visits, 0)
})

test('a redirect inwards, and an FTP server that names another host, come to nothing', async () => {
  const app = await startFollowing()
  const inner = await startCanary()
  const redirecting = await follow(
    app,
    site.put('/inwards', { status: 302, headers: { location: 'http://169.254.169.254/latest' } }),
  )
  const other = await follow(
    app,
    site.put('/scheme', { status: 302, headers: { location: 'file:///etc/passwd' } }),
    'Other',
  )
  assert.equal((await polled(app, redirecting)).error, 'The address is not a public one')
  assert.match((await polled(app, other)).error!, /^The (address must be|redirect may not)/)
  const port = [inner.port >> 8, inner.port & 255]
  const answers: Record<string, string> = {
    USER: '331 go on',
    PASS: '230 in',
    EPSV: '500 no',
    PASV: `227 Entering Passive Mode (10,0,0,1,${port})`,
  }
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('220 hello\r\n')
    socket.on('data', (line) => socket.write(`${answers[line.toString().slice(0, 4)] ?? '200 ok'}\r\n`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  canaries.push(server)
  const { port: control } = server.address() as AddressInfo
  const { id } = made(
    await app.post('/v5/sources', { label: 'Ftp', url: `ftp://127.0.0.1:${control}/`, name: 'x' }),
  )
  assert.equal((await polled(app, { id })).error, 'The folder could not be read')
  assert.equal(inner.visits, 0)
})
