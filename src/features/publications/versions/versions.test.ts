import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addChannel, addContainer, addModel, addTag } from '../../../../test/harness/factories.ts'
import {
  addPublication,
  changePublication,
  type Loose,
  readerToken,
  readPublication,
  storedVersions,
  text,
} from '../../../../test/harness/publications.ts'
import { absent, eventsOf, faults } from '../../../../test/harness/records/kind.ts'

const at = (id: string, rest = '') => `/publications/${id}/versions${rest}`
const numbers = (body: Loose): number[] => body.items.map((item: Loose) => item.version)
const restore = (app: TestApp, id: string, version: number, headers: Record<string, string> = {}) =>
  app.post(at(id, `/${version}/restore?fields=items`), undefined, { headers })

test('every write makes a version that can be listed and read as it was', async () => {
  const app = await startApp()
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id })
  const first = await addPublication(app, { 'en-US': { title: text('One') } }, {}, { token })
  const { id } = first
  const second = await changePublication(app, id, { items: { 'nl-NL': { title: text('Twee') } } })
  const { body } = await app.get(at(id))
  const [newest, oldest] = body.items
  assert.deepEqual([newest.version, newest.event, newest.locales], [2, 'changed', ['nl-NL']])
  assert.deepEqual([newest.id, newest.label, newest.created_by], ['2', 'Version', null])
  assert.deepEqual([oldest.event, oldest.locales, oldest.created_by.id], ['created', ['en-US'], user.id])
  assert.equal(oldest.bulk_operation_id, null)
  assert.deepEqual((await app.get(at(id, '/1'))).body, first)
  assert.deepEqual((await app.get(at(id, '/2'))).body, second)
  const more = await app.get(at(id, '/1?fields=items{title},title,locales'))
  assert.deepEqual(more.body.title, { 'en-US': 'One' })
})

test('versions are paged, counted and filtered', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  for (let index = 2; index <= 7; index += 1)
    await changePublication(app, id, { items: { 'en-US': { title: text(`Title ${index}`) } } })
  const seen: number[] = []
  let page = (await app.get(at(id, '?limit=3'))).body
  for (; page.items.length > 0; page = (await app.get(at(id, `?limit=3&after=${page.after}`))).body) {
    assert.equal(page.total, 7)
    seen.push(...numbers(page))
  }
  assert.deepEqual(seen, [7, 6, 5, 4, 3, 2, 1])
  assert.deepEqual(numbers((await app.get(at(id, `?limit=3&before=${page.before}`))).body), [3, 2, 1])
  assert.deepEqual(numbers((await app.get(at(id, '?sort=created_on&limit=2&skip=1'))).body), [2, 3])
  assert.deepEqual(numbers((await app.get(at(id, '?event[eq]=created'))).body), [1])
  assert.deepEqual(numbers((await app.get(at(id, '?version[gte]=6'))).body), [7, 6])
  assert.deepEqual(faults(await app.get(at(id, '?event[eq]=x&other=1&sort=y'))), [
    'event.eq',
    'other',
    'sort',
  ])
})

test('versions of what is not there, of another environment and of the trash are not there', async () => {
  const app = await startApp()
  const other = await startApp()
  const { id } = await addPublication(app)
  const gone = await addPublication(app)
  await app.delete(`/publications/${gone.id}`)
  for (const [who, one] of [
    [app, absent],
    [other, id],
    [app, gone.id],
  ] as const)
    for (const path of ['', '/1', '/1/compare', '/1/restore']) {
      const answer = await who.call(path.endsWith('restore') ? 'POST' : 'GET', at(one, path))
      assert.equal(answer.status, 404, `${one} ${path}`)
    }
  assert.equal((await app.get(at(id, '/2'))).status, 404)
  assert.equal((await app.get(at(id, '/1/compare?with=2'))).status, 404)
  assert.deepEqual(faults(await app.get(at(id, '/x'))), ['version'])
  assert.deepEqual(faults(await app.get(at(id, '/1/compare?with=x'))), ['with'])
})

test('the past is not for tokens that see only what is published', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, undefined, { status: { 'en-US': { body: 'Done' } } })
  const token = await readerToken(app)
  assert.equal((await app.get(`/publications/${id}`, { token })).status, 200)
  for (const path of ['', '/1', '/1/compare'])
    assert.equal((await app.get(at(id, path), { token })).status, 403, path)
})

test('a comparison names everything that differs by the path of a write', async () => {
  const app = await startApp()
  const [model, channel, container, user] = await Promise.all([
    addModel(app, { fields: [{ api_id: 'title', label: 'Text' }] } as never),
    addChannel(app),
    addContainer(app),
    addUser(app),
  ])
  const { id } = await addPublication(app, { 'en-US': { title: text('One') } })
  await changePublication(app, id, {
    model: { id: model.id },
    channels: [{ id: channel.id }],
    containers: [{ id: container.id }],
    items: { 'en-US': { title: text('Two') }, 'nl-NL': { title: text('Twee') } },
    slug: { 'en-US': 'other' },
    status: { 'en-US': { body: 'Done' } },
    publish_on: { 'en-US': '2026-01-01T00:00:00Z' },
    expire_on: { 'en-US': '2096-01-01T00:00:00Z' },
    assigned_to: { 'en-US': { id: user.id } },
  })
  const { body } = await app.get(at(id, '/1/compare?with=2'))
  assert.deepEqual([body.label, body.version, body.with], ['Comparison', 1, 2])
  const found = new Map<string, Loose>(body.items.map((item: Loose) => [item.path, item]))
  assert.deepEqual([...found.keys()].sort(), [
    'assigned_to.en-US',
    'channels',
    'containers',
    'expire_on.en-US',
    'items.en-US.title',
    'items.nl-NL.title',
    'locales',
    'model',
    'publish_on.en-US',
    'slug.en-US',
    'slug.nl-NL',
    'status.en-US',
    'status.nl-NL',
  ])
  const title = found.get('items.en-US.title')!
  assert.deepEqual([title.before.body, title.after.body], ['One', 'Two'])
  assert.deepEqual([found.get('slug.en-US')!.before, found.get('slug.en-US')!.after], ['one', 'other'])
  assert.equal(found.get('status.en-US')!.after.body, 'Done')
  assert.deepEqual((await app.get(at(id, '/1/compare'))).body, body, 'the newest unless told')
  const back = (await app.get(at(id, '/2/compare?with=1'))).body.items
  assert.deepEqual(
    back.find(({ path }: Loose) => path === 'slug.en-US'),
    {
      path: 'slug.en-US',
      before: 'other',
      after: 'one',
    },
  )
  assert.deepEqual((await app.get(at(id, '/2/compare?with=2'))).body.items, [])
})

test('a value that was changed and changed back does not differ', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, {
    'en-US': { title: text('One'), box: { label: 'ElementBox', items: [text('a')] } },
  })
  await changePublication(app, id, { items: { 'en-US': { title: text('Two'), box: null } } })
  await changePublication(app, id, { items: { 'en-US': { title: text('One') } } })
  const { body } = await app.get(at(id, '/1/compare?with=3'))
  assert.deepEqual(
    body.items.map(({ path }: Loose) => path),
    ['items.en-US.box'],
  )
})

test('a restored version is a new one that says the same, and tells so', async () => {
  const app = await startApp()
  const first = await addPublication(
    app,
    { 'en-US': { title: text('One') } },
    { status: { 'en-US': { body: 'Done' } } },
  )
  const { id } = first
  await changePublication(app, id, {
    items: { 'en-US': { title: text('Two') }, 'nl-NL': { title: text('Twee') } },
  })
  await changePublication(app, id, { status: { 'en-US': { body: 'To do' } }, slug: { 'en-US': 'else' } })
  const restored = await restore(app, id, 1)
  assert.equal(restored.status, 200, restored.text)
  const { changed_on: _then, ...before } = first
  const { changed_on, ...after } = restored.body
  assert.deepEqual(after, before)
  assert.ok(changed_on)
  assert.deepEqual(await readPublication(app, id), restored.body)
  assert.deepEqual((await app.get(at(id, '?limit=1'))).body.items[0].event, 'restored')
  assert.deepEqual(
    (await storedVersions(app, id)).map(({ event }) => event),
    ['created', 'changed', 'changed', 'restored'],
  )
  const events = await eventsOf(app, id)
  assert.deepEqual(events.slice(-2), ['publication.changed', 'publication.published'])
  assert.equal((await restore(app, id, 4)).status, 200)
  assert.equal((await storedVersions(app, id)).length, 4, 'what is so already is not written again')
})

test('a restore that did not see the last change is refused', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const { headers } = await app.get(`/publications/${id}`)
  await changePublication(app, id, { items: { 'en-US': { title: text('Two') } } })
  assert.equal((await restore(app, id, 1, { 'if-match': headers.get('etag')! })).status, 412)
  const { headers: newer } = await app.get(`/publications/${id}`)
  assert.equal((await restore(app, id, 1, { 'if-match': newer.get('etag')! })).status, 200)
})

test('what a restored version names and is gone is left out; a slug that is taken gets a number', async () => {
  const app = await startApp()
  const [channel, kept, container, tag, target, status] = await Promise.all([
    addChannel(app),
    addChannel(app),
    addContainer(app),
    addTag(app),
    addPublication(app),
    app.post('/statuses', { body: 'Waiting' }),
  ])
  const reference = { label: 'Publication', items: [{ id: target.id }] }
  const { id } = await addPublication(
    app,
    {
      'en-US': {
        title: text('One'),
        tags: { label: 'TagBox', items: [{ id: tag.id }] },
        related: reference,
        box: { label: 'ElementBox', items: [reference, text('stays')] },
      },
      'nl-NL': { related: reference },
    },
    {
      channels: [{ id: channel.id }, { id: kept.id }],
      containers: [{ id: container.id }],
      slug: { 'en-US': 'mine' },
      status: { 'en-US': { id: status.body.id } },
    },
  )
  await changePublication(app, id, {
    channels: [],
    containers: [],
    slug: { 'en-US': 'yours' },
    status: { 'en-US': { body: 'To do' } },
    items: { 'en-US': { tags: null, related: null, box: null }, 'nl-NL': null },
  })
  await addPublication(app, { 'en-US': { title: text('Other') } }, { slug: { 'en-US': 'mine' } })
  const gone = [
    `/channels/${channel.id}`,
    `/containers/${container.id}`,
    `/tags/${tag.id}`,
    `/publications/${target.id}`,
  ]
  for (const path of [...gone, `/statuses/${status.body.id}`])
    assert.equal((await app.delete(path)).status, 204, path)
  const restored = await restore(app, id, 1)
  assert.equal(restored.status, 200, restored.text)
  const now = await readPublication(app, id, 'fields=items,channels,containers')
  assert.deepEqual(
    now.channels.map((one: Loose) => one.id),
    [kept.id],
  )
  assert.deepEqual(now.containers, [])
  assert.deepEqual([now.locales, now.slug], [['en-US'], { 'en-US': 'mine-2' }])
  assert.equal(now.status['en-US'].body, 'To do')
  const { title, tags, related, box } = now.items['en-US']
  assert.deepEqual([title.body, tags.items, related.items], ['One', {}, {}])
  assert.deepEqual(
    box.items.map((one: Loose) => one.items ?? one.body),
    [{}, 'stays'],
  )
})

test('a version whose model was deleted cannot come back', async () => {
  const app = await startApp()
  const model = await addModel(app, { fields: [{ api_id: 'title', label: 'Text' }] } as never)
  const { id } = await addPublication(app, undefined, { model: { id: model.id } })
  await changePublication(app, id, { model: null })
  assert.equal((await app.delete(`/publication_models/${model.id}`)).status, 204)
  assert.deepEqual(faults(await restore(app, id, 1), 409), ['model'])
})
