import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser } from '../../../test/harness/access.ts'
import { startApp } from '../../../test/harness/app.ts'
import {
  addAsset,
  addChannel,
  addContainer,
  addInteraction,
  addModel,
  addPerson,
} from '../../../test/harness/factories.ts'
import {
  addPublication,
  changePublication,
  type Loose,
  readPublication,
  text,
} from '../../../test/harness/publications.ts'
import { absent, faults } from '../../../test/harness/records/kind.ts'

const [en, nl] = ['en-US', 'nl-NL'] as const

test('every expansion adds what its name says, alone and together', async () => {
  const app = await startApp()
  const [user, second] = [await addUser(app), await addUser(app)]
  const { value: token } = await app.addToken({ user_id: user.id })
  const { value: other } = await app.addToken({ user_id: second.id })
  const [channel, container] = [await addChannel(app), await addContainer(app)]
  const model = await addModel(app, { fields: [{ api_id: 'title', label: 'Text' }] })
  const { id } = await addPublication(
    app,
    { [en]: { title: text('<b>A</b> &amp; B') }, [nl]: { title: text('C') } },
    {
      model: { id: model.id },
      channels: [{ id: channel.id }],
      containers: [{ id: container.id }],
      status: { [en]: { body: 'Done' }, [nl]: { body: 'Done' } },
      publish_on: { [nl]: '2099-01-01' },
      assigned_to: { [nl]: { id: second.id } },
    },
    { token },
  )
  await changePublication(app, id, { slug: { [en]: 'x' } }, { token: other })
  const person = await addPerson(app)
  for (const label of ['View', 'View', 'Like'])
    await addInteraction(app, { person, publication_id: id, label })
  await app.post(`/publications/${id}/internal_comments`, { body: 'Note' })
  const one = async (path: string) => (await app.get(path)).body
  const expected: Record<string, (value: Loose) => unknown> = {
    items: (value) =>
      assert.deepEqual([value[en].title.body, value[nl].title.body], ['<b>A</b> &amp; B', 'C']),
    title: (value) => assert.deepEqual(value, { [en]: 'A & B', [nl]: 'C' }),
    model: async (value) => assert.deepEqual(value, await one(`/publication_models/${model.id}`)),
    locales: (value) => assert.deepEqual(value, [en, nl]),
    status: (value) => assert.equal(value[nl].body, 'Done'),
    environment: (value) => assert.deepEqual([value.id, value.label], [app.environment.id, 'Environment']),
    created_by: (value) =>
      assert.deepEqual([value.id, value.label, value.email], [user.id, 'User', user.email]),
    updated_by: (value) => assert.equal(value.id, second.id),
    assigned_to: (value) => assert.deepEqual([Object.keys(value), value[nl].id], [[nl], second.id]),
    published: (value) => assert.deepEqual(value, { [en]: true, [nl]: false }),
    insights: (value) => assert.deepEqual(value, { Like: 1, View: 2 }),
    channels: async (value) => assert.deepEqual(value, [await one(`/channels/${channel.id}`)]),
    containers: async (value) => assert.deepEqual(value, [await one(`/containers/${container.id}`)]),
    internal_comments: (value) => assert.deepEqual([value.total, value.items[0].body], [1, 'Note']),
  }
  const base = await one(`/publications/${id}`)
  const all = await one(`/publications/${id}?fields=${Object.keys(expected)}`)
  for (const [name, check] of Object.entries(expected)) {
    const body = await one(`/publications/${id}?fields=${name}`)
    assert.deepEqual(body, { ...base, [name]: body[name] })
    assert.deepEqual(body[name], all[name], name)
    await check(body[name])
  }
  const written = await app.put(`/publications/${id}?fields=title,published`, {})
  assert.deepEqual([written.body.title[nl], written.body.published[en]], ['C', true])
})

test('expansions of a publication that has nothing are empty, null or zero', async () => {
  const app = await startApp()
  const fields = 'items,title,model,created_by,updated_by,assigned_to,published,insights,channels,containers'
  const answer = await app.post(`/publications?fields=${fields}`, { label: 'Publication', locales: [en] })
  assert.equal(answer.status, 201, answer.text)
  const { items, title, model, created_by, updated_by, assigned_to, published, insights } = answer.body
  assert.deepEqual([items, title, assigned_to, published, insights], [{}, {}, {}, {}, {}])
  assert.deepEqual([model, created_by, updated_by], [null, null, null])
  assert.deepEqual([answer.body.channels, answer.body.containers], [[], []])
})

test('braces choose fields of the items and show what references lead to', async () => {
  const app = await startApp()
  const asset = await addAsset(app, { name: 'Cover', author: 'Photographer' })
  const person = await addPerson(app, { first_name: 'Ann', last_name: 'Lee' } as never)
  const far = await addPublication(app, { [en]: { title: text('Far') } })
  const near = await addPublication(app, {
    [en]: { title: text('Near'), more: { label: 'Publication', items: [{ id: far.id }] } },
    [nl]: { title: text('Dichtbij') },
  })
  const { id } = await addPublication(app, {
    [en]: {
      title: text('Here'),
      more: { label: 'Publication', items: [{ id: near.id }, { id: far.id }] },
      cover: { label: 'Asset', items: [{ id: asset.id }] },
      author: { label: 'Person', items: [{ id: person.id }] },
    },
  })
  const itemsOf = async (fields: string, query = '') =>
    (await readPublication(app, id, `fields=${fields}${query}`)).items[en]
  assert.deepEqual(Object.keys(await itemsOf('items{title,cover}')).toSorted(), ['cover', 'title'])
  assert.deepEqual(await itemsOf('items{nothing}'), {})
  const shown = await itemsOf('items{more{title,slug},cover{name,author},author{first_name}}')
  const [one, two] = [shown.more.items[0], shown.more.items[1]]
  assert.deepEqual(
    [one.id, one.label, one.title],
    [near.id, 'Publication', { [en]: 'Near', [nl]: 'Dichtbij' }],
  )
  assert.deepEqual([two.title, two.slug], [{ [en]: 'Far' }, { [en]: 'far' }])
  assert.equal(one.status, undefined)
  const { name, author } = shown.cover.items[0]
  assert.deepEqual([name, author, shown.author.items[0].first_name], ['Cover', 'Photographer', 'Ann'])
  assert.equal(shown.author.items[0].last_name, undefined)
  const deep = await itemsOf('items{more{items}}')
  assert.equal(deep.more.items[0].items[en].more.items[0].id, far.id)
  const local = await itemsOf('items{more{title}}', '&locale=en-US')
  assert.deepEqual(local.more.items[0].title, { [en]: 'Near' })
})

test('a publication that refers to itself, and a ring of them, can be read with braces', async () => {
  const app = await startApp()
  const [one, other] = [await addPublication(app), await addPublication(app)]
  const to = (...ids: string[]) => ({
    items: { [en]: { more: { label: 'Publication', items: ids.map((id) => ({ id })) } } },
  })
  await changePublication(app, one.id, to(other.id, one.id))
  await changePublication(app, other.id, to(one.id))
  const { items } = await readPublication(app, one.id, 'fields=items{more{title,items}}')
  assert.deepEqual(Object.keys(items[en].more.items), ['0', '1'])
  assert.equal(items[en].more.items[1].items[en].more.items[0].id, other.id)
})

test('what a reference leads to that is gone is left out, and the rest keeps its place', async () => {
  const app = await startApp()
  const [a, b, c] = [await addPublication(app), await addPublication(app), await addPublication(app)]
  const more = { label: 'Publication', items: [a, b, c].map(({ id }) => ({ id })) }
  const { id } = await addPublication(app, { [en]: { more, title: text('T') } })
  assert.equal((await app.delete(`/publications/${b.id}`)).status, 204)
  const left = await readPublication(app, id)
  assert.deepEqual(
    Object.values(left.items[en].more.items).map((item) => (item as Loose).id),
    [a.id, c.id],
  )
  const put = await changePublication(app, id, { items: { [en]: { title: text('U') } } })
  assert.deepEqual(Object.keys(put.items[en].more.items), ['0', '1'])
  assert.equal((await app.put(`/publications/${id}`, left)).status, 200)
})

test('a deleted channel, container or user is shown no more', async () => {
  const app = await startApp()
  const [channel, container, user] = [await addChannel(app), await addContainer(app), await addUser(app)]
  const { id } = await addPublication(app, undefined, {
    channels: [{ id: channel.id }],
    containers: [{ id: container.id }],
    assigned_to: { [en]: { id: user.id } },
  })
  await app.delete(`/channels/${channel.id}`)
  await app.delete(`/containers/${container.id}`)
  const read = await readPublication(app, id, 'fields=channels,containers,assigned_to')
  assert.deepEqual([read.channels, read.containers], [[], []])
  const put = await app.put(`/publications/${id}?fields=channels`, read)
  assert.deepEqual([put.status, put.body.channels], [200, []])
})

test('unknown names, wrong braces and too many levels are refused by fields', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  for (const fields of [
    'secret',
    'constructor',
    '__proto__',
    'toString',
    'items{more{secret}}',
    'items{more{items{more{title}}}}',
    'items{',
    'items}',
    '{items}',
    'created_by{password_hash}',
    'model{fields{x}}',
    'channels{streams_}',
    'environment{secret}',
    'title{en-US}',
    'status{body}',
    'insights{View}',
    'a'.repeat(5000),
    Array.from({ length: 300 }, (_, index) => `f${index}`).join(),
  ])
    for (const [method, path] of [
      ['GET', `/publications/${id}`],
      ['PUT', `/publications/${id}`],
      ['POST', '/publications'],
    ] as const) {
      const call = method === 'GET' ? {} : { body: { label: 'Publication', locales: [en] } }
      const answer = await app.call(method, `${path}?fields=${encodeURIComponent(fields)}`, call)
      assert.deepEqual([...new Set(faults(answer))], ['fields'], `${method} ${fields.slice(0, 80)}`)
    }
  assert.equal((await app.get(`/publications/${absent}?fields=items`)).status, 404)
})
