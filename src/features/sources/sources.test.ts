import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { eventually } from '../../../test/harness/access.ts'
import type { TestApp } from '../../../test/harness/app.ts'
import {
  follow,
  type Item,
  itemsOf,
  polled,
  rss,
  startFollowing,
  startSite,
} from '../../../test/harness/feeds.ts'
import { startFtp } from '../../../test/harness/ftp.ts'
import { absent, eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { claimDue } from './poll/claim.ts'

const site = await startSite()
const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c33' } })
  .png()
  .toBuffer()

const add = async (app: TestApp, name: string, more: object = {}) =>
  made(
    await app.post('/v5/sources', {
      label: 'Rss',
      name,
      url: `${site.origin}/${encodeURIComponent(name)}`,
      active: false,
      ...more,
    }),
  )

test('a followed feed is a source as the specification has it', async () => {
  const app = await startFollowing()
  site.put('/spec', rss([{ title: 'A', guid: 'a' }]))
  const url = `/v5/rss/follow?url=${encodeURIComponent(`${site.origin}/spec`)}&name=News&shortname=n&favorite=1`
  const answer = await app.call('POST', url, { scopes: ['connect'] })
  const { id } = made(answer)
  assert.equal(answer.headers.get('location'), `/v5/sources/${id}`)
  await polled(app, { id })
  const { body } = await app.get(`/v5/sources/${id}`, { scopes: ['sources'] })
  const { created_on, fetched_on, last_import, next_fetch_on, interval, frequency, ...rest } = body
  assert.deepEqual(rest, {
    id,
    changed_on: null,
    label: 'Rss',
    url: `${site.origin}/spec`,
    adaptive: true,
    active: true,
    name: 'News',
    shortname: 'n',
    favorite: true,
    origin: '127.0.0.1',
    tag: null,
    failed: 0,
    error: null,
  })
  assert.match(created_on, /^\d{4}-.*\+00:00$/)
  for (const moment of [fetched_on, last_import]) assert.ok(Math.abs(moment - Date.now()) < 60_000)
  for (const number of [interval, frequency, next_fetch_on]) assert.ok(Number.isInteger(number))
  assert.deepEqual(await eventsOf(app, id), ['source.created'])
  assert.deepEqual(faults(await app.call('POST', url), 409), ['url'])
  assert.deepEqual(faults(await app.call('POST', '/v5/rss/follow?favorite=maybe&other=1')), [
    'favorite',
    'name',
    'other',
    'url',
  ])
})

test('everything that is wrong with a source is told at once, and nothing is stored', async () => {
  const app = await startFollowing()
  const wrong = {
    label: 'Rss',
    url: 'ftp://a.example',
    name: 7,
    interval: 5,
    favorite: 'x',
    username: 'u',
    body: 'tag',
    other: 1,
  }
  assert.deepEqual(faults(await app.post('/v5/sources', wrong)), [
    ...['body', 'favorite', 'interval', 'name', 'other', 'url', 'username'],
  ])
  assert.deepEqual(faults(await app.post('/v5/sources', { label: 'Elsewhere' })), ['label'])
  assert.deepEqual(faults(await app.post('/v5/sources', { label: 'Rss' })), ['name', 'url'])
  assert.deepEqual(
    faults(await app.post('/v5/sources', { label: 'MicroblogAccount', url: 'https://a.example' })),
    ['screen_name', 'url'],
  )
  assert.deepEqual(faults(await app.post('/v5/sources', { label: 'MicroblogHashtag', body: 'two words' })), [
    'body',
  ])
  assert.deepEqual(faults(await app.post('/v5/rss/follow?url=ftp://a.example&name=&favorite=x')), [
    ...['favorite', 'name', 'url'],
  ])
  assert.equal((await app.get('/v5/sources')).body.total, 0)
})

test('a source is changed, read back and deleted with its items', async () => {
  const app = await startFollowing()
  const source = await follow(app, site.put('/change', rss([{ title: 'A', guid: 'a' }])))
  await polled(app, source)
  const path = `/v5/sources/${source.id}`
  const { body: before } = await app.get(path)
  const same = await app.put(path, before)
  assert.deepEqual([same.status, same.body.changed_on, same.body.adaptive], [200, null, true])
  const changed = await app.put(path, { name: 'Renamed', tag: 'local', interval: 60, favorite: true })
  assert.deepEqual(
    ['name', 'tag', 'interval', 'adaptive', 'favorite'].map((name) => changed.body[name]),
    ['Renamed', 'local', 60, false, true],
  )
  assert.ok(changed.body.next_fetch_on <= Date.now() + 61_000)
  assert.deepEqual([(await app.put(path, { adaptive: true })).body.adaptive], [true])
  const resting = await app.put(path, { active: false })
  assert.equal(resting.body.next_fetch_on, null)
  assert.deepEqual(faults(await app.post(`${path}/fetch`), 409), ['active'])
  const moved = site.put(
    '/moved',
    rss([
      { title: 'A', guid: 'a' },
      { title: 'B', guid: 'b' },
    ]),
  )
  await app.put(path, { url: moved, active: true })
  await eventually(async () => (await itemsOf(app, source)).length === 2, 10_000)
  await add(app, 'other')
  assert.deepEqual(faults(await app.put(path, { url: `${site.origin}/other` }), 409), ['url'])
  assert.deepEqual(faults(await app.put(path, { url: null, username: 'x' })), ['url', 'username'])
  assert.equal((await app.put(path, { name: 'x' }, { headers: { 'if-match': '"1-x"' } })).status, 412)
  assert.equal((await app.delete(path)).status, 204)
  assert.equal((await app.get(path)).status, 404)
  assert.deepEqual(await itemsOf(app, source), [])
  const told = await eventsOf(app, source.id)
  assert.deepEqual([told[0], told.at(-1)], ['source.created', 'source.deleted'])
})

test('sources are found by their name, label and more, and sorted by short name and change', async () => {
  const app = await startFollowing()
  const sea = await add(app, 'Sea news', { shortname: 'b', favorite: true })
  await add(app, 'Harbour café', { shortname: 'a', tag: 'local' })
  await add(app, 'No short name')
  made(await app.post('/v5/sources', { label: 'PhotoSocialHashtag', body: 'sea' }))
  await app.put(`/v5/sources/${sea.id}`, { tag: 'wide' })
  const names = async (query: string) => {
    const { body } = await app.get(`/v5/sources?${query}`)
    assert.equal(body.total, body.items.length, query)
    return body.items.map((item: { name: string }) => item.name).join()
  }
  assert.equal(await names('q=harbor+cafe'), 'Harbour café')
  assert.equal(await names('sort=shortname&label=Rss'), 'Harbour café,Sea news,No short name')
  assert.equal(await names('sort=-changed_on&limit=1000'), 'Sea news,#sea,No short name,Harbour café')
  assert.equal(await names('favorite=true'), 'Sea news')
  assert.equal(await names('tag[has]=true&sort=name'), 'Harbour café,Sea news')
  assert.equal(await names('label[in]=PhotoSocialHashtag,Ftp'), '#sea')
  assert.deepEqual(faults(await app.get('/v5/sources?sort=password&password[sw]=a&label=Nonsense')), [
    'label.eq',
    'password',
    'sort',
  ])
})

test('sources and items of another environment are as if they were not there', async () => {
  const app = await startFollowing()
  const source = await follow(app, site.put('/private', rss([{ title: 'Secret', guid: 's' }])))
  await polled(app, source)
  const [item] = await itemsOf(app, source)
  const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
  const same = async (method: string, path: string, body?: object) => {
    const [theirs, none] = await Promise.all(
      [path, path.replace(source.id, absent).replace(item!.id, absent)].map((one) =>
        app.call(method, one, { token, body }),
      ),
    )
    assert.deepEqual([theirs!.status, none!.status], [404, 404], path)
    const { dbtrace: _one, ...a } = theirs!.body
    const { dbtrace: _two, ...b } = none!.body
    assert.deepEqual(a, b)
  }
  await same('GET', `/v5/sources/${source.id}`)
  await same('PUT', `/v5/sources/${source.id}`, { name: 'Mine' })
  await same('DELETE', `/v5/sources/${source.id}`)
  await same('POST', `/v5/sources/${source.id}/fetch`)
  await same('GET', `/v5/sources/items/${item!.id}`)
  await same('POST', `/v5/sources/items/${item!.id}/publication`, {})
  const { body } = await app.get(`/v5/sources/items?source_ids_or=${source.id}`, { token })
  assert.deepEqual([body.items, body.total], [[], 0])
})

test('items are listed newest first, by words, by sources and page by page', async () => {
  const app = await startFollowing()
  const date = (n: number) => new Date(Date.now() - n * 60_000).toUTCString()
  const sea = rss(
    [1, 3, 5].map((n) => ({ title: `Sea ${n}`, guid: `${n}`, date: date(n), description: 'Herring fleet' })),
  )
  const land = rss([2, 4].map((n) => ({ title: `Land ${n}`, guid: `${n}`, date: date(n) })))
  const sources = [
    await follow(app, site.put('/sea', sea)),
    await follow(app, site.put('/land', land), 'Land'),
  ]
  for (const source of sources) await polled(app, source)
  const list = async (query: string) => (await app.get(`/v5/sources/items?${query}`)).body
  const titles = (body: { items: Item[] }) => body.items.map(({ title }) => title).join()
  const all = await list('')
  assert.deepEqual([titles(all), all.total], ['Sea 1,Land 2,Sea 3,Land 4,Sea 5', 5])
  assert.equal(titles(await list(`source_ids_or=${sources[1]!.id}`)), 'Land 2,Land 4')
  assert.equal(
    titles(await list(`source_ids_or=${sources.map(({ id }) => id)},${absent}&sort=published_on`)),
    'Sea 5,Land 4,Sea 3,Land 2,Sea 1',
  )
  assert.equal((await list('q=hering+flee')).total, 3)
  assert.equal((await list('q=land')).total, 2)
  const first = await list('limit=2')
  const second = await list(`limit=2&after=${first.after}`)
  assert.deepEqual([titles(first), titles(second)], ['Sea 1,Land 2', 'Sea 3,Land 4'])
  assert.equal(titles(await list(`limit=2&before=${second.before}`)), 'Sea 1,Land 2')
  assert.deepEqual(faults(await app.get('/v5/sources/items?words=x&sort=words')), ['sort', 'words'])
  assert.equal((await app.get('/v5/sources/items', { scopes: ['publications'] })).status, 403)
})

const field = (api_id: string, label: string, more: object = {}) => ({ api_id, label, ...more })

const oneItem = async (
  app: TestApp,
  path: string,
  item: Parameters<typeof rss>[0][number],
): Promise<Item> => {
  const source = await follow(app, site.put(path, rss([item])), path)
  await polled(app, source)
  return (await itemsOf(app, source))[0]!
}

test('an item becomes a draft of the first model with a title, its picture an asset, once', async () => {
  const app = await startFollowing()
  made(await app.post('/publication_models', { body: 'Numbers', fields: [field('value', 'Integer')] }))
  const fields = [
    field('summary', 'Text'),
    field('cover', 'Asset'),
    field('title', 'Text', { validations: { max_length: 20 } }),
    field('origin', 'Resource'),
    field('body', 'Text'),
  ]
  const model = made(await app.post('/publication_models', { body: 'Article', fields }))
  const image = site.put('/picture.png', { body: picture, headers: { 'content-type': 'image/png' } })
  const item = await oneItem(app, '/story', {
    title: 'The new sea lock opens at last',
    link: 'https://news.example.org/lock',
    description: '&lt;p&gt;It &lt;b&gt;opens&lt;/b&gt;.&lt;/p&gt;',
    guid: 'lock',
    more: `<media:content url="${image}" medium="image"/>`,
  })
  const path = `/v5/sources/items/${item.id}/publication`
  const answers = await Promise.all([app.post(path), app.post(path), app.post(path)])
  const ids = new Set(answers.map(({ body }) => body.publication?.id))
  assert.equal(ids.size, 1, answers.map(({ text }) => text).join())
  const [id] = ids
  const { body } = await app.get(`/publications/${id}?fields=items,model`)
  const value = body.items['en-US']
  assert.deepEqual([body.model.id, body.status['en-US'].body, body.locales], [model.id, 'To do', ['en-US']])
  assert.deepEqual(
    [value.title.body, value.title.format, value.body.body, value.origin.url, value.summary],
    ['The new sea lock op…', 'H1', '<p>It <b>opens</b>.</p>', 'https://news.example.org/lock', undefined],
  )
  const asset = await app.get(`/v5/assets/${answers[0]!.body.asset.id}`)
  assert.deepEqual([asset.body.label, asset.body.name], ['Photo', item.title])
  assert.equal(Object.values(value.cover.items as { id: string }[])[0]!.id, asset.body.id)
  assert.equal((await app.post(path)).status, 200)
  assert.equal((await app.get('/publications')).body.total, 1)
  assert.equal((await app.get('/v5/sources/items?publication[has]=true')).body.total, 1)
  await app.delete(`/publications/${id}`)
  const again = made(await app.post(path)) as unknown as Item
  assert.notEqual(again.publication!.id, id)
})

test('a draft is made without a model, without its picture where that cannot be had, and in the locale asked for', async () => {
  const app = await startFollowing()
  const pictures = ['/gone.png', '/page.png', '/inner.png']
  site.put('/page.png', '<script>alert(1)</script>')
  const items: Item[] = []
  for (const [n, path] of pictures.entries()) {
    const url = n === 2 ? 'http://169.254.169.254/x.png' : site.origin + path
    items.push(
      await oneItem(app, `/feed${n}`, {
        title: `Story ${n}`,
        guid: path,
        more: `<media:thumbnail url="${url}"/>`,
      }),
    )
  }
  for (const item of items) {
    const body = made(
      await app.post(`/v5/sources/items/${item.id}/publication`, { locale: 'nl-NL' }),
    ) as unknown as Item
    assert.equal(body.asset, null)
    const { body: publication } = await app.get(`/publications/${body.publication!.id}?fields=items`)
    assert.equal(publication.items['nl-NL'].title.body, item.title)
  }
  const path = `/v5/sources/items/${items[0]!.id}/publication`
  assert.deepEqual(faults(await app.post(path, { locale: 'xx-XX', other: 1 })), ['other'])
  assert.deepEqual(faults(await app.post(path, { locale: 'xx-XX' })), ['locale'])
  assert.deepEqual(faults(await app.post(path, { model: { id: absent } })), ['model.id'])
  assert.equal(
    (await app.post(path, {}, { scopes: ['sources', 'publications', 'publications_publish'] })).status,
    403,
  )
  const left: string[] = []
  for await (const { key } of app.context.storage.list('incoming/')) left.push(key)
  assert.deepEqual(left, [])
})

test('a picture in an FTP folder becomes an asset of its draft', async () => {
  const app = await startFollowing()
  const ftp = await startFtp()
  await writeFile(join(ftp.folder, 'boat 1.png'), picture)
  const { id } = made(
    await app.post('/v5/sources', {
      label: 'Ftp',
      name: 'Press',
      url: ftp.url,
      username: 'press',
      password: 'pass word',
    }),
  )
  await polled(app, { id })
  const [item] = await itemsOf(app, { id })
  const body = made(await app.post(`/v5/sources/items/${item!.id}/publication`)) as unknown as Item
  const { body: asset } = await app.get(`/v5/assets/${body.asset!.id}`)
  assert.deepEqual([asset.label, asset.name], ['Photo', 'boat 1.png'])
})

test('a source that is due is taken once, by another when that is lost, and not while its host is busy', async () => {
  const app = await startFollowing()
  const { id } = await add(app, 'Claimed')
  // In a transaction that the service beside this test sees nothing of.
  const taken = await app.context.db.transaction().execute(async (tx) => {
    const fallDue = () =>
      tx
        .updateTable('source_polls')
        .set({ next_fetch_on: new Date(0) })
        .where('id', '=', id)
        .execute()
    await fallDue()
    const first = await claimDue(tx, 10, [])
    const second = await claimDue(tx, 10, [])
    await fallDue()
    const busy = await claimDue(tx, 10, [first[0]!.host])
    const lost = await claimDue(tx, 10, [])
    await tx.updateTable('source_polls').set({ next_fetch_on: null }).where('id', '=', id).execute()
    return [first, second, busy, lost].map((due) => due.filter((one) => one.id === id).length)
  })
  assert.deepEqual(taken, [1, 0, 0, 1])
})
