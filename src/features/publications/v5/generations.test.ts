import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  addAsset,
  addChannel,
  addContainer,
  addModel,
  addStatus,
} from '../../../../test/harness/factories.ts'
import {
  addPublication,
  encodings,
  type Loose,
  readerToken,
  readPublication,
  setLocales,
  text,
} from '../../../../test/harness/publications.ts'
import { eventsOf, faults, made } from '../../../../test/harness/records/kind.ts'

const published_on = '2026-01-01T00:00:00+00:00'
const add = async (app: TestApp, body: object = {}): Promise<Loose> =>
  made(await app.post('/v5/publications', { label: 'Note', name: 'A note', published_on, ...body }))
const read = async (app: TestApp, id: string, query = ''): Promise<Loose> => {
  const answer = await app.get(`/v5/publications/${id}${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const change = async (app: TestApp, id: string, body: object): Promise<Loose> => {
  const answer = await app.put(`/v5/publications/${id}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const ids = async (app: TestApp, path: string): Promise<string[]> => {
  const { body, text: shown, status } = await app.get(path)
  assert.equal(status, 200, shown)
  assert.equal(body.total, body.items.length)
  return body.items.map(({ id }: Loose) => id)
}

/** Everything that a body can hold. */
const whole = async (app: TestApp) => ({
  label: 'Banner',
  status: 'approval',
  name: 'Tickets <b>& more</b>',
  slug: 'tickets',
  channel: { id: (await addChannel(app)).id },
  container: { id: (await addContainer(app)).id },
  published_on,
  unpublish_on: '2099-01-01T00:00:00+00:00',
  element: [
    { label: 'Text', body: '<p>Come <b>all</b></p>', format: null },
    { label: 'Quote', body: 'To be', author: 'W. S.' },
  ],
  assets: [{ id: (await addAsset(app)).id }],
  tags: [{ body: 'Music' }],
  business_hours: [{ open_day: 1, open_time: '09:00', close_day: 1, close_time: '17:30' }],
  locations: [{ latitude: 52.37, longitude: 4.89, name: 'Quay' }],
  addresses: [{ street: 'Quay', number: '12', postal_code: '1011 AB', city: 'Haven', country: 'NL' }],
  events: [{ from: '2026-11-01T19:00:00Z', until: '2026-11-01T23:00:00Z', name: 'Concert' }],
  sales: [{ price: 12.5, currency: 'EUR', url: 'https://a.example/', from: null, until: '2026-11-01' }],
  custom: ['red', '<i>'],
  call_to_action: 'Buy <now> & here',
  url: 'https://a.example/?a=b&c=%20d',
  value: -1.25,
  reference_id: 'crm-7',
  capacity: 300,
  capacity_per_day: 0,
  compare: 'a < b',
})

/** What the service adds to the items of a list. */
const stamped = new Set(['id', 'created_on', 'changed_on', 'slug'])
const plain = (value: Loose): Loose => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !stamped.has(name))
      .map(([name, inner]) => [name, plain(inner)]),
  )
}

test('every field goes in and comes out, in JSON and in forms, and sent back it is no change', async () => {
  const app = await startApp()
  const body = await whole(app)
  for (const [way, encode] of Object.entries(encodings)) {
    const channel = { id: (await addChannel(app)).id }
    const created = await app.call('POST', '/v5/publications', encode({ ...body, channel }))
    const shown = made(created) as Loose
    assert.equal(created.headers.get('location'), `/v5/publications/${shown.id}`)
    const { assets, tags, ...rest } = body
    for (const [name, value] of Object.entries(rest))
      if (name !== 'channel') assert.deepEqual(plain(shown[name]), plain(value), `${way} ${name}`)
    assert.deepEqual(shown.channel, channel)
    assert.deepEqual(
      [shown.assets.map(({ id }: Loose) => id), shown.tags[0].body],
      [[assets[0]!.id], 'Music'],
    )
    assert.ok(tags.length === 1 && shown.assets[0].label !== 'Asset')
    assert.deepEqual(await read(app, shown.id), shown)
    const back = await app.call('PUT', `/v5/publications/${shown.id}`, encode(shown))
    assert.deepEqual(back.body, shown, way)
    assert.equal(back.body.changed_on, null)
  }
  assert.deepEqual((await eventsOf(app, (await add(app)).id)).slice(0, 1), ['publication.created'])
})

test('what is not sent stays, null takes away, lists replace', async () => {
  const app = await startApp()
  const { id } = await add(app, await whole(app))
  const shown = await change(app, id, { custom: ['blue'], value: null, container: null, unpublish_on: null })
  assert.deepEqual(
    [shown.custom, shown.value, shown.container, shown.unpublish_on],
    [['blue'], undefined, null, null],
  )
  assert.deepEqual([shown.name, shown.capacity, shown.status], ['Tickets <b>& more</b>', 300, 'approval'])
})

test('everything that is wrong with a body is named at once, and nothing is stored', async () => {
  const app = await startApp()
  const wrong = {
    label: 5,
    status: 'sleeping',
    name: 7,
    slug: 'a b',
    channel: { id: 'none' },
    container: 'x',
    unpublish_on: 'soon',
    element: [{ label: 'Poem' }],
    assets: ['none'],
    business_hours: [{ open_day: 9 }],
    locations: [{ latitude: 91, longitude: 0 }],
    addresses: [{ planet: 'Mars' }],
    events: [{ until: '2026-11-01' }],
    sales: [{ price: 'much' }],
    custom: [1],
    url: 'javascript:alert(1)',
    value: 'x',
    capacity: 2 ** 31,
    compare: {},
    other: 1,
  }
  assert.deepEqual(faults(await app.post('/v5/publications', wrong)), [
    'addresses.0.planet',
    'assets.0.id',
    'business_hours.0.close_day',
    'business_hours.0.close_time',
    'business_hours.0.open_day',
    'business_hours.0.open_time',
    'capacity',
    'channel.id',
    'compare',
    'container',
    'custom.0',
    'element.0.label',
    'events.0.from',
    'label',
    'locations.0.latitude',
    'name',
    'other',
    'published_on',
    'sales.0.price',
    'slug',
    'status',
    'unpublish_on',
    'url',
    'value',
  ])
  assert.deepEqual(await ids(app, '/v5/publications'), [])
})

test('a label asks for its field, on every write', async () => {
  const app = await startApp()
  const asset = { id: (await addAsset(app)).id }
  const element = [{ label: 'Text', body: 'Hi' }]
  const rules: [string, string, unknown][] = [
    ['Post', 'element', element],
    ['Album', 'name', 'A'],
    ['Banner', 'name', 'B'],
    ['ShowDetail', 'name', 'C'],
    ['AudioChunk', 'assets', [asset]],
    ['VideoChunk', 'assets', [asset]],
  ]
  for (const [label, name, value] of rules) {
    assert.deepEqual(faults(await app.post('/v5/publications', { label, published_on, custom: ['x'] })), [
      name,
    ])
    const { id } = await add(app, { label, name: undefined, [name]: value })
    assert.deepEqual(faults(await app.put(`/v5/publications/${id}`, { [name]: null })), [name])
    await change(app, id, { custom: ['y'] })
  }
  const { id } = await add(app)
  assert.deepEqual(faults(await app.put(`/v5/publications/${id}`, { label: 'Post' })), ['element'])
  assert.equal((await change(app, id, { label: 'Post', element })).label, 'Post')
  // A label alone is enough, nothing at all is not.
  assert.equal((await add(app, { name: undefined })).name, null)
  assert.deepEqual(faults(await app.post('/v5/publications', { published_on })), ['name'])
})

test('a slug is unique inside the channel, and made from the name unless sent', async () => {
  const app = await startApp()
  const [one, other] = [{ id: (await addChannel(app)).id }, { id: (await addChannel(app)).id }]
  const first = await add(app, { channel: one, name: 'News' })
  assert.equal(first.slug, 'news')
  assert.equal((await add(app, { channel: one, name: 'News' })).slug, 'news-2')
  assert.equal((await add(app, { channel: other, name: 'News' })).slug, 'news')
  const again = await app.post('/v5/publications', {
    label: 'Note',
    published_on,
    channel: one,
    slug: 'news',
  })
  assert.deepEqual(faults(again, 409), ['slug'])
  const moving = await add(app, { channel: other, slug: 'mine' })
  assert.equal((await change(app, moving.id, { channel: one })).slug, 'mine')
})

test('statuses are called by their names, and what is over is Expired by the clock', async () => {
  const app = await startApp()
  const own = await addStatus(app, { body: 'Legal check' })
  const pairs = {
    draft: 'To do',
    pending: 'In progress',
    approval: 'Review',
    published: 'Done',
    unpublished: 'Archived',
  }
  for (const [status, body] of Object.entries({ ...pairs, [own.body]: own.body })) {
    const { id } = await add(app, { status })
    assert.equal((await readPublication(app, id)).status['en-US'].body, body)
    assert.equal((await read(app, id)).status, status)
    assert.deepEqual(await ids(app, `/v5/publications?status=${status}`), [id])
  }
  const over = new Date(Date.now() + 700).toISOString()
  const { id } = await add(app, { status: 'published', unpublish_on: over })
  assert.equal((await read(app, id)).status, 'published')
  await eventually(async () => (await read(app, id)).status === 'Expired')
  assert.deepEqual(await ids(app, '/v5/publications?status=Expired'), [id])
  assert.ok(!(await ids(app, '/v5/publications?status=published')).includes(id))
  assert.equal((await ids(app, '/v5/publications?status=Expired,draft')).length, 2)
  assert.equal((await readPublication(app, id)).status['en-US'].body, 'Done')
  // As it was read it can be sent back; nobody can make it so.
  const shown = await read(app, id)
  assert.deepEqual(await change(app, id, shown), shown)
  assert.deepEqual(faults(await app.put(`/v5/publications/${(await add(app)).id}`, { status: 'Expired' })), [
    'status',
  ])
  assert.equal((await change(app, id, { unpublish_on: null })).status, 'published')
})

test('what version 5 makes, the other generation reads, lists, filters, changes and deletes', async () => {
  const app = await startApp()
  const body = await whole(app)
  const { id, slug } = await add(app, { ...body, status: 'published' })
  const seen = await readPublication(app, id, 'fields=items,title,channels,containers,published,share_url')
  assert.equal(seen.label, 'Publication')
  assert.deepEqual(seen.title, { 'en-US': body.name })
  assert.deepEqual(seen.slug, { 'en-US': slug })
  assert.deepEqual(seen.published, { 'en-US': true })
  assert.deepEqual([seen.channels[0].id, seen.containers[0].id], [body.channel.id, body.container.id])
  const { items } = seen
  assert.deepEqual(
    [items['en-US'].element.label, items['en-US'].url.url, items['en-US'].locations.items[0].name],
    ['ElementBox', body.url, 'Quay'],
  )
  for (const query of [
    '',
    `channels[eq]=${body.channel.id}`,
    `containers[eq]=${body.container.id}`,
    'status[eq]=Done',
    'q=tickets',
    'q=quay',
    'tags[0][eq]=music&tags[0][param]=slug',
    'locale=en-US&slug[eq]=tickets',
  ])
    assert.deepEqual(await ids(app, `/publications?${query}`), [id], query)
  const put = await app.put(`/publications/${id}`, {
    items: { 'en-US': { name: text('Renamed', 'H1'), capacity: null, extra: text('More') } },
    status: { 'en-US': { body: 'Archived' } },
  })
  assert.equal(put.status, 200, put.text)
  const shown = await read(app, id, '?fields=items')
  assert.deepEqual([shown.name, shown.status, shown.capacity], ['Renamed', 'unpublished', undefined])
  assert.deepEqual([shown.label, shown.items.extra.body], ['Banner', 'More'])
  assert.equal((await app.delete(`/publications/${id}`)).status, 204)
  assert.equal((await app.get(`/v5/publications/${id}`)).status, 404)
  assert.deepEqual(await ids(app, '/v5/publications'), [])
  assert.equal((await app.call('POST', `/publications/${id}/restore`)).status, 200)
  assert.equal((await read(app, id)).name, 'Renamed')
})

test('what the other generation makes, version 5 reads, lists, filters, changes and deletes', async () => {
  const app = await startApp()
  const model = await addModel(app, {
    body: 'Article',
    fields: [
      { api_id: 'title', label: 'Text' },
      { api_id: 'url', label: 'Text' },
      { api_id: 'capacity', label: 'Integer', localized: false },
    ],
  } as never)
  const [one, two] = [await addChannel(app), await addChannel(app)]
  const items = {
    'en-US': {
      title: text('<p>Hi &amp; <b>there</b></p>'),
      url: text('https://a.example/', 'H6'),
      capacity: { value: 4 },
    },
    'nl-NL': { title: text('Hoi') },
  }
  const { id } = await addPublication(app, items as never, {
    model: { id: model.id },
    channels: [{ id: one.id }, { id: two.id }],
    status: { 'en-US': { body: 'Review' }, 'nl-NL': { body: 'Done' } },
    publish_on: { 'en-US': published_on },
  })
  const shown = await read(app, id)
  assert.deepEqual(
    [shown.label, shown.name, shown.status, shown.url, shown.capacity, shown.channel.id, shown.published_on],
    ['Article', 'Hi & there', 'approval', 'https://a.example/', 4, one.id, published_on],
  )
  for (const query of ['', 'label=Article', `channel_id=${two.id}`, 'status=approval', 'q=there'])
    assert.deepEqual(await ids(app, `/v5/publications?${query}`), [id], query)
  for (const query of ['label=Publication', 'status=published', 'q=hoi'])
    assert.deepEqual(await ids(app, `/v5/publications?${query}`), [], query)
  assert.deepEqual(await change(app, id, shown), shown)
  const put = await app.put(`/v5/publications/${id}`, { label: 'Post', element: [] })
  assert.deepEqual(faults(put), ['element', 'label'])
  const changed = await change(app, id, { name: 'New', capacity: 5, channel: null, status: 'published' })
  assert.deepEqual([changed.name, changed.capacity, changed.channel.id], ['New', 5, two.id])
  const seen = await readPublication(app, id, 'fields=items,channels')
  assert.deepEqual([seen.items['en-US'].title.body, seen.items['nl-NL'].title.body], ['New', 'Hoi'])
  assert.deepEqual(seen.items['nl-NL'].capacity.value, 5)
  assert.deepEqual(seen.status['nl-NL'].body, 'Done')
  assert.equal((await app.delete(`/v5/publications/${id}`)).status, 204)
  assert.equal((await app.get(`/publications/${id}`)).status, 404)
})

test('a publication without a label is one, and changes only the first of its channels', async () => {
  const app = await startApp()
  const [one, two, three] = [await addChannel(app), await addChannel(app), await addChannel(app)]
  const bare = await add(app, { label: undefined })
  assert.equal(bare.label, 'Publication')
  assert.deepEqual(await ids(app, '/v5/publications?label=Publication'), [bare.id])
  const { id } = await addPublication(app, undefined, { channels: [{ id: one.id }, { id: two.id }] })
  await change(app, id, { channel: { id: three.id } })
  const { channels } = await readPublication(app, id, 'fields=channels')
  assert.deepEqual(
    channels.map((channel: Loose) => channel.id),
    [three.id, two.id],
  )
})

test('version 5 shows the default locale, or the first that is linked, also when the default becomes another', async () => {
  const app = await startApp()
  const both = await addPublication(app, { 'en-US': { title: text('Hi') }, 'nl-NL': { title: text('Hoi') } })
  const dutch = await addPublication(app, { 'nl-NL': { title: text('Dag') } })
  const names = async () => {
    const { body } = await app.get('/v5/publications?sort=name')
    return body.items.map(({ name }: Loose) => name)
  }
  assert.deepEqual(await names(), ['Dag', 'Hi'])
  await setLocales(app, ['nl-NL', 'en-US'])
  await eventually(async () => (await names()).join() === 'Dag,Hoi')
  assert.equal((await read(app, both.id)).name, 'Hoi')
  assert.deepEqual(await ids(app, '/v5/publications?q=hi'), [])
  await change(app, dutch.id, { name: 'Tot ziens' })
  assert.equal((await readPublication(app, dutch.id)).items['nl-NL'].title.body, 'Tot ziens')
})

test('a reader sees what is published in the locale that is shown, and no other environment', async () => {
  const app = await startApp()
  const [other, token] = [await startApp(), await readerToken(app)]
  const shown = await add(app, { status: 'published' })
  const draft = await add(app)
  const dutch = await addPublication(
    app,
    { 'en-US': { title: text('Hi') }, 'nl-NL': { title: text('Hoi') } },
    { status: { 'nl-NL': { body: 'Done' } } },
  )
  const { body } = await app.get('/v5/publications', { token })
  assert.deepEqual([body.total, body.items[0].id], [1, shown.id])
  for (const { id } of [draft, dutch])
    assert.equal((await app.get(`/v5/publications/${id}`, { token })).status, 404)
  assert.equal((await app.get(`/v5/publications/${shown.id}`, { token })).status, 200)
  const absent = await other.get('/v5/publications/01890000-0000-7000-8000-000000000000')
  const foreign = await other.get(`/v5/publications/${shown.id}`)
  assert.deepEqual([foreign.status, Object.keys(foreign.body)], [404, Object.keys(absent.body)])
  assert.equal((await other.put(`/v5/publications/${shown.id}`, { name: 'x' })).status, 404)
  assert.equal((await other.delete(`/v5/publications/${shown.id}`)).status, 404)
  for (const name of ['channel_id', 'tag_ids', 'created_by_id'])
    assert.deepEqual(await ids(other, `/v5/publications?${name}=${shown.id}`), [])
})

test('the channel constructs the addresses, with nothing in them that could be something else', async () => {
  const app = await startApp()
  const channel = await addChannel(app, {
    share_construct_url: 'https://example.org/{slug}/{id}',
    preview_construct_url: 'https://preview.example.org/?slug={slug}',
  })
  const token = await readerToken(app)
  const slug = '{id}"<&'
  const { id } = await add(app, { channel: { id: channel.id }, slug, status: 'published' })
  const share_url = `https://example.org/${encodeURIComponent(slug)}/${id}`
  const preview_url = `https://preview.example.org/?slug=${encodeURIComponent(slug)}`
  const shown = await read(app, id)
  assert.deepEqual([shown.share_url, shown.preview_url], [share_url, preview_url])
  const seen = (await app.get(`/v5/publications/${id}`, { token })).body
  assert.deepEqual([seen.share_url, seen.preview_url], [share_url, null])
  const other = await readPublication(app, id, 'fields=share_url,preview_url')
  assert.deepEqual([other.share_url, other.preview_url], [{ 'en-US': share_url }, { 'en-US': preview_url }])
  await app.put(`/channels/${channel.id}`, { share_construct_url: 'javascript:{slug}' })
  assert.equal((await read(app, id)).share_url, null)
  await app.delete(`/channels/${channel.id}`)
  assert.deepEqual([(await read(app, id)).channel, (await read(app, id)).preview_url], [null, null])
})

test('a stale write is refused, a repeated one made once, and each is a version', async () => {
  const app = await startApp()
  const body = { label: 'Note', name: 'Once', published_on }
  const headers = { 'idempotency-key': 'note-1' }
  const [first, second] = [
    await app.post('/v5/publications', body, { headers }),
    await app.post('/v5/publications', body, { headers }),
  ]
  assert.equal(made(first).id, made(second).id)
  const { id } = first.body
  const etag = (await app.get(`/v5/publications/${id}`)).headers.get('etag')!
  assert.equal((await app.get(`/v5/publications/${id}`, { headers: { 'if-none-match': etag } })).status, 304)
  await change(app, id, { name: 'Twice' })
  const stale = await app.put(`/v5/publications/${id}`, { name: 'Late' }, { headers: { 'if-match': etag } })
  assert.equal(stale.status, 412)
  assert.equal((await app.get(`/publications/${id}/versions`)).body.total, 2)
  assert.equal((await app.call('POST', `/publications/${id}/versions/1/restore`)).status, 200)
  assert.equal((await read(app, id)).name, 'Once')
})
