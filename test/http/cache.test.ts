import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { listen } from '../../src/http/server.ts'
import { createLog } from '../../src/log.ts'
import { runContext } from '../../src/service.ts'
import { eventually } from '../harness/access.ts'
import { secretKey, startApp, type TestApp } from '../harness/app.ts'
import { testCertificate } from '../harness/certificate.ts'
import { addChannel, addPerson, addTag } from '../harness/factories.ts'
import { addPublication, changePublication, text } from '../harness/publications.ts'
import { http2Call, http2Session } from './raw.ts'

/** Nothing is kept before the first notice was heard. */
const start = async (): Promise<TestApp> => {
  const app = await startApp()
  await eventually(async () => app.context.isTrusted())
  return app
}

const figures = async (app: TestApp) => {
  const { text } = await app.get('/metrics', { token: null })
  const read = (result: string) =>
    Number(new RegExp(`^marquee_cache_answers_total{result="${result}"} (\\d+)$`, 'm').exec(text)![1])
  return { hits: read('hit'), misses: read('miss') }
}

/** How often an answer came from what is kept while `work` ran. */
const during = async (app: TestApp, work: () => Promise<unknown>) => {
  const before = await figures(app)
  await work()
  const after = await figures(app)
  return { hits: after.hits - before.hits, misses: after.misses - before.misses }
}

test('what was read is given again until something changes, and at once as it is then', async () => {
  const app = await start()
  const { id } = await addPublication(app, { 'en-US': { title: text('One') } })
  for (const path of ['/publications?fields=title', `/publications/${id}?fields=title`]) {
    const title = async () => {
      const { body } = await app.get(path)
      return (body.items?.[0] ?? body).title['en-US']
    }
    await changePublication(app, id, { items: { 'en-US': { title: text('One') } } })
    assert.deepEqual(await during(app, async () => assert.equal(await title(), 'One')), {
      hits: 0,
      misses: 1,
    })
    assert.deepEqual(await during(app, async () => assert.equal(await title(), 'One')), {
      hits: 1,
      misses: 0,
    })
    await changePublication(app, id, { items: { 'en-US': { title: text('Two') } } })
    assert.deepEqual(await during(app, async () => assert.equal(await title(), 'Two')), {
      hits: 0,
      misses: 1,
    })
  }
})

test('an answer that is held is not sent again, kept or not', async () => {
  const app = await start()
  await addChannel(app)
  const first = await app.get('/channels')
  const etag = first.headers.get('etag')!
  assert.match(etag, /^"[\w-]+"$/)
  const held = { headers: { 'if-none-match': etag } }
  const kept = await app.get('/channels', held)
  await addTag(app)
  const anew = await app.get('/channels', held)
  for (const { status, text, headers } of [kept, anew])
    assert.deepEqual([status, text, headers.get('etag')], [304, '', etag])
  await addChannel(app)
  const changed = await app.get('/channels', held)
  assert.deepEqual([changed.status, changed.body.total], [200, 2])
})

test('pages keep their links, and HEAD tells what GET would', async () => {
  const app = await start()
  for (let count = 0; count < 3; count += 1) await addChannel(app)
  const [one, two] = [await app.get('/channels?limit=1'), await app.get('/channels?limit=1')]
  for (const name of ['link', 'etag', 'content-type', 'cache-control', 'x-content-type-options'])
    assert.equal(two.headers.get(name), one.headers.get(name), name)
  assert.ok(one.headers.get('link'))
  const head = await app.call('HEAD', '/channels?limit=1')
  assert.deepEqual([head.status, head.headers.get('link')], [200, one.headers.get('link')])
})

test('readers that may see different things get answers of their own', async () => {
  const app = await start()
  await addPublication(app, { 'en-US': { title: text('Hidden') } })
  const other = await app.addEnvironment()
  const elsewhere = await app.addToken({ environment: other })
  const published = await app.addToken({ visibility: 'published' })
  const total = async (token?: string) => (await app.get('/publications', token ? { token } : {})).body.total
  for (let round = 0; round < 2; round += 1)
    assert.deepEqual([await total(), await total(published.value), await total(elsewhere.value)], [1, 0, 0])
  const refused = await app.get('/publications', { scopes: ['channels'] })
  assert.equal(refused.status, 403)
  assert.equal((await app.get('/publications', { token: 'mq_nobody' })).status, 401)
})

test('those who ask together share one answer', async () => {
  const app = await start()
  await addChannel(app)
  const asked = () => Promise.all(Array.from({ length: 30 }, () => app.get('/channels?sort=name')))
  await app.get('/tags')
  const { hits, misses } = await during(app, asked)
  assert.deepEqual([hits, misses], [29, 1])
})

test('answers follow what they show of persons and users', async () => {
  const app = await start()
  const person = await addPerson(app, { first_name: 'Ada' })
  const author = { label: 'Person', items: [{ id: person.id }] }
  const { id } = await addPublication(app, { 'en-US': { title: text('Signed'), author } })
  const names = async () => {
    const { body } = await app.get(`/publications/${id}?fields=items{author{first_name}}`)
    return body.items['en-US'].author.items['0'].first_name
  }
  assert.equal(await names(), 'Ada')
  assert.equal((await app.put(`/persons/${person.id}`, { first_name: 'Grace' })).status, 200)
  assert.equal(await names(), 'Grace')
})

test('working copies are never kept, and counts of interactions for 5 s at most', async () => {
  const app = await start()
  const { id } = await addPublication(app)
  const drafts = async () => (await app.get(`/publications/${id}?fields=draft`)).body.draft
  const insights = async () => (await app.get(`/publications/${id}?fields=insights`)).body.insights
  assert.deepEqual([await drafts(), await insights()], [{}, {}])
  await app.put(`/publications/${id}?draft=true`, { items: { 'en-US': { title: text('Later') } } })
  assert.deepEqual(Object.keys(await drafts()), ['en-US'])
  const person = await addPerson(app)
  const posted = { label: 'View', value: 1, person: { id: person.id } }
  assert.equal((await app.post(`/publications/${id}/interactions`, posted)).status, 202)
  await eventually(async () => (await insights()).View === 1, 10_000)
})

test('another process is told, and whoever sends its Data-Version waits for that', async () => {
  const app = await start()
  const { databaseUrl: url, context } = app
  const other = await runContext(context.config, { url, directUrl: url }, secretKey, createLog('silent'), {
    background: false,
  })
  const server = await listen(other.context, await testCertificate())
  try {
    await eventually(async () => other.context.isTrusted())
    const there = `https://127.0.0.1:${server.port}/channels`
    for (let count = 1; count <= 10; count += 1) {
      const answer = await app.post('/channels', { name: `Channel ${count}` })
      const version = answer.headers.get('data-version')!
      assert.match(version, /^\d+$/)
      const { body } = await app.get(there, { headers: { 'data-version': version } })
      assert.equal(body.total, count)
    }
    const own = await app.get('/channels', { headers: { 'data-version': 'newest' } })
    assert.deepEqual([own.status, own.body.errors[0].path], [400, 'Data-Version'])
  } finally {
    await server.close()
    await other.close()
  }
})

test('caches in front may keep what is published, and are told what has changed', async () => {
  const told: string[][] = []
  let refusing = true
  let refused = 0
  const hook = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    if (!refusing && request.headers.authorization === `Bearer ${purgeToken}`) told.push(body.keys)
    if (refusing) refused += 1
    response.writeHead(refusing ? 500 : 204).end()
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  const purgeToken = 'a-token-for-the-purge-hook'
  try {
    const app = await startApp({
      MARQUEE_CDN_HOST: 'cdn.test',
      MARQUEE_PURGE_URL: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/purge`,
      MARQUEE_PURGE_TOKEN: purgeToken,
    })
    await eventually(async () => app.context.isTrusted())
    const { value: token } = await app.addToken({ visibility: 'published', scopes: ['publications'] })
    const session = await http2Session(app.port)
    const read = async (host: string, as = token) => {
      const request = { ':path': '/publications', ':authority': host, authorization: `Bearer ${as}` }
      const { headers } = await http2Call(session, request)
      return ['cache-control', 'vary', 'surrogate-key'].map((name) => headers[name])
    }
    const key = `${app.environment.id}/content`
    const shared = [
      'public, max-age=0, s-maxage=3600',
      'Authorization',
      `${key} ${app.environment.id}/structure`,
    ]
    for (let round = 0; round < 2; round += 1) assert.deepEqual(await read('cdn.test'), shared)
    const alone = ['private, no-store', undefined, undefined]
    assert.deepEqual(await read('marquee.test'), alone)
    assert.deepEqual(
      await read('cdn.test', await app.tokenFor(['publications', 'publications_publish'])),
      alone,
    )
    session.close()
    await addPublication(app)
    await eventually(async () => refused > 0)
    refusing = false
    await eventually(async () => told.flat().includes(key))
  } finally {
    hook.close()
  }
})
