import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import {
  addAsset,
  addChannel,
  addContainer,
  addModel,
  addPerson,
  addStatus,
} from '../../../test/harness/factories.ts'
import {
  addPublication,
  bodyOf,
  changePublication,
  encodings,
  readPublication,
  storedVersions,
  text,
  versionOf,
} from '../../../test/harness/publications.ts'
import { absent, eventsOf, faults, made } from '../../../test/harness/records/kind.ts'

const every = [
  ...['items', 'title', 'model', 'locales', 'status', 'environment', 'created_by', 'updated_by'],
  ...['assigned_to', 'published', 'insights', 'channels', 'containers', 'internal_comments'],
].join()

/** A publication that has everything, in two locales. */
const addWhole = async (app: TestApp) => {
  const user = await addUser(app)
  const [channel, second] = [await addChannel(app), await addChannel(app)]
  const container = await addContainer(app)
  const model = await addModel(app, {
    fields: [
      { api_id: 'title', label: 'Text' },
      { api_id: 'code', label: 'Integer', localized: false },
      { api_id: 'tags', label: 'TagBox' },
      { api_id: 'cover', label: 'Asset' },
      { api_id: 'author', label: 'Person', localized: false },
      { api_id: 'more', label: 'Publication' },
      { api_id: 'hours', label: 'BusinessHours' },
      { api_id: 'box', label: 'ElementBox' },
    ],
  })
  const other = await addPublication(app)
  const [asset, person] = [await addAsset(app), await addPerson(app)]
  const items = {
    'en-US': {
      title: text('Good <b>morning</b>'),
      code: { value: 7 },
      tags: { items: [{ body: 'News' }, { body: 'Radio & TV' }] },
      cover: { items: [{ id: asset.id }] },
      author: { items: [{ id: person.id }] },
      more: { items: [{ id: other.id }] },
      hours: [{ open_day: 1, open_time: '09:00', close_day: 1, close_time: '17:00' }],
      box: { items: [text('Element'), { label: 'Asset', items: [{ id: asset.id }] }] },
    },
    'nl-NL': { title: text('Goedemorgen'), tags: { items: [{ body: 'News' }] } },
  }
  const { value: token } = await app.addToken({ user_id: user.id })
  const whole = bodyOf(items, {
    model: { id: model.id },
    channels: [{ id: second.id }, { id: channel.id }],
    containers: [{ id: container.id }],
    status: { 'en-US': { body: 'Done' }, 'nl-NL': { body: 'In progress' } },
    publish_on: { 'en-US': 1_760_000_000, 'nl-NL': '2027-01-01T12:30:15.250+01:00' },
    expire_on: { 'en-US': '4102444800' },
    slug: { 'nl-NL': 'Mijn.slug' },
    assigned_to: { 'en-US': { id: user.id } },
  })
  const answer = await app.post('/publications', whole, { token })
  return { answer, token, user, second, model }
}

test('the base body of a publication is what the specification names, in its order of locales', async () => {
  const app = await startApp()
  const { answer } = await addWhole(app)
  const { body } = answer
  made(answer)
  assert.equal(answer.headers.get('location'), `/publications/${body.id}`)
  const names = 'id,created_on,changed_on,label,slug,publish_on,status,expire_on,locales'
  assert.equal(Object.keys(body).join(), names)
  assert.deepEqual(body.locales, ['en-US', 'nl-NL'])
  assert.deepEqual(body.slug, { 'en-US': 'good-morning', 'nl-NL': 'Mijn.slug' })
  assert.deepEqual(body.publish_on, {
    'en-US': '2025-10-09T08:53:20+00:00',
    'nl-NL': '2027-01-01T11:30:15+00:00',
  })
  assert.deepEqual(body.expire_on, { 'en-US': '2100-01-01T00:00:00+00:00', 'nl-NL': null })
  const statuses = await app.get('/statuses?limit=100')
  const done = statuses.body.items.find((status: { body: string }) => status.body === 'Done')
  assert.deepEqual(body.status['en-US'], done)
  assert.deepEqual(
    [body.label, body.changed_on, body.status['nl-NL'].body],
    ['Publication', null, 'In progress'],
  )
  assert.deepEqual((await app.get(`/publications/${body.id}`)).body, body)
})

test('what a GET shows, with every expansion, changes nothing when it is sent back, in JSON and in forms', async () => {
  const app = await startApp()
  const { answer, token } = await addWhole(app)
  const { id } = answer.body
  await app.post(`/publications/${id}/internal_comments`, { body: 'Note' })
  const url = `/publications/${id}?fields=${every}`
  const read = await app.get(url)
  assert.equal(read.status, 200, read.text)
  assert.equal(Object.keys(read.body).length, 9 + 14 - 2)
  for (const fields of [every, 'items', 'items{cover{name},author{first_name},more{title,items}}', ''])
    for (const [way, encode] of Object.entries(encodings)) {
      const shown = (await app.get(`/publications/${id}?fields=${fields}`)).body
      const put = await app.call('PUT', url, { ...encode(shown), token })
      assert.equal(put.status, 200, `${way} ${fields} ${put.text}`)
      assert.deepEqual(put.body, read.body, way)
      assert.equal(put.headers.get('etag'), read.headers.get('etag'))
    }
  assert.deepEqual(await eventsOf(app, id), ['publication.created', 'publication.published'])
  assert.equal((await storedVersions(app, id)).length, 1)
})

test('what is not sent stays, arrays replace, and null removes', async () => {
  const app = await startApp()
  const { answer, second } = await addWhole(app)
  const { id } = answer.body
  const before = await readPublication(app, id, `fields=${every}`)
  const one = await changePublication(app, id, { items: { 'en-US': { code: null, cover: null } } })
  assert.deepEqual(Object.keys(one.items['en-US']), ['title', 'tags', 'author', 'more', 'hours', 'box'])
  assert.deepEqual(Object.keys(one.items['nl-NL']), ['title', 'tags', 'author'])
  await changePublication(app, id, {
    channels: [{ id: second.id }, { id: second.id }],
    containers: null,
    assigned_to: { 'en-US': null },
    expire_on: { 'en-US': null },
    publish_on: { 'nl-NL': null },
  })
  const after = await readPublication(app, id, `fields=${every}`)
  assert.deepEqual(after.channels, before.channels.slice(0, 1))
  assert.deepEqual([after.containers, after.assigned_to], [[], {}])
  assert.deepEqual([after.expire_on['en-US'], after.publish_on['nl-NL']], [null, null])
  assert.deepEqual(after.publish_on['en-US'], before.publish_on['en-US'])
  assert.deepEqual(after.items['nl-NL'].title, before.items['nl-NL'].title)
  const emptied = await app.put(`/publications/${id}?fields=channels,model`, { channels: [], model: null })
  assert.deepEqual([emptied.body.channels, emptied.body.model], [[], null])
})

test('events are told exactly when they are due', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, { 'en-US': { title: text('A') }, 'nl-NL': { title: text('B') } })
  const told = ['publication.created']
  const steps: [object, string[]][] = [
    [{ items: { 'en-US': { title: text('A') } } }, []],
    [{ items: { 'en-US': { title: text('C') } } }, ['changed']],
    [{ status: { 'en-US': { body: 'Done' } } }, ['changed', 'published']],
    [{ status: { 'en-US': { body: 'Done' } } }, []],
    [{ status: { 'nl-NL': { body: 'Done' } } }, ['changed', 'published']],
    [{ expire_on: { 'nl-NL': 1_000_000_000 } }, ['changed', 'unpublished']],
    [{ publish_on: { 'en-US': '2099-01-01' } }, ['changed', 'unpublished']],
    [{ publish_on: { 'en-US': null }, expire_on: { 'nl-NL': '2099-01-01' } }, ['changed', 'published']],
    [
      { publish_on: { 'en-US': '2099-01-01' }, status: { 'nl-NL': { body: 'Archived' } } },
      ['changed', 'unpublished'],
    ],
    [{ publish_on: { 'en-US': '2020-01-01' } }, ['changed', 'published']],
    [{ items: { 'en-US': null } }, ['changed', 'unpublished']],
  ]
  for (const [change, verbs] of steps) {
    await changePublication(app, id, change)
    told.push(...verbs.map((verb) => `publication.${verb}`))
    assert.deepEqual(await eventsOf(app, id), told, JSON.stringify(change))
  }
  assert.equal((await app.delete(`/publications/${id}`)).status, 204)
  assert.deepEqual(await eventsOf(app, id), [...told, 'publication.deleted'])
  const done = await addPublication(app, undefined, { status: { 'en-US': { body: 'Done' } } })
  await app.delete(`/publications/${done.id}`)
  const verbs = ['created', 'published', 'unpublished', 'deleted']
  assert.deepEqual(
    await eventsOf(app, done.id),
    verbs.map((verb) => `publication.${verb}`),
  )
})

test('a deleted publication is not there any more, for nobody and under no method', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const gone = await app.delete(`/publications/${id}`)
  assert.deepEqual([gone.status, gone.text], [204, ''])
  for (const method of ['GET', 'PUT', 'DELETE'])
    assert.equal(
      (await app.call(method, `/publications/${id}`, method === 'PUT' ? { body: {} } : {})).status,
      404,
    )
  assert.equal((await app.post(`/publications/${id}/internal_comments`, { body: 'x' })).status, 404)
  const refers = bodyOf({ 'en-US': { more: { label: 'Publication', items: [{ id }] } } })
  assert.deepEqual(faults(await app.post('/publications', refers)), ['items.en-US.more.items.0.id'])
})

test('a status is known by its body in any case or by its id; where both differ the body decides', async () => {
  const app = await startApp()
  const own = await addStatus(app, { body: 'Legal check' })
  const { id, status } = await addPublication(app)
  assert.equal(status['en-US'].body, 'To do')
  const set = async (sent: unknown) =>
    (await changePublication(app, id, { status: { 'en-US': sent } })).status['en-US'].body
  assert.equal(await set({ body: 'LEGAL check' }), 'Legal check')
  assert.equal(await set({ body: 'Review' }), 'Review')
  assert.equal(await set({ id: own.id }), 'Legal check')
  assert.equal(await set({ id: own.id, body: 'Done' }), 'Done')
  assert.equal(await set(null), 'To do')
  for (const [sent, path] of [
    [{ body: 'No such' }, 'status.en-US.body'],
    [{ id: absent }, 'status.en-US.id'],
    [{ body: 7 }, 'status.en-US.body'],
    ['Done', 'status.en-US'],
  ] as const) {
    const answer = await app.put(`/publications/${id}`, { status: { 'en-US': sent } })
    assert.ok(faults(answer).includes(path), answer.text)
  }
  assert.equal((await app.delete(`/statuses/${own.id}`)).status, 204)
})

test('POST wants label and locales, PUT nothing; an id is given by nobody', async () => {
  const app = await startApp()
  assert.deepEqual(faults(await app.post('/publications', {})), ['label', 'locales'])
  assert.deepEqual(faults(await app.post('/publications', { label: ' ', locales: [] })), ['label', 'locales'])
  const given = await app.post('/publications', { ...bodyOf({ 'en-US': { t: text('x') } }), id: absent })
  assert.notEqual(made(given).id, absent)
  const other = await addPublication(app)
  const put = await app.put(`/publications/${given.body.id}`, { id: other.id, slug: { 'en-US': 'mine' } })
  assert.deepEqual([put.body.id, put.body.slug['en-US']], [given.body.id, 'mine'])
  assert.deepEqual(faults(await app.put(`/publications/${other.id}?id=${absent}`, {})), ['id'])
  const nothing = await app.put(`/publications/${other.id}`, {})
  assert.deepEqual([nothing.status, versionOf(nothing), nothing.body.changed_on], [200, 1, null])
  const empty = made(await app.post('/publications', { label: 'Publication', locales: ['en-US'] }))
  assert.deepEqual((empty as unknown as { locales: string[] }).locales, [])
  assert.equal((await app.get(`/publications/${empty.id}`)).status, 200)
})
