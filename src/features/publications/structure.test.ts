import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addAsset, addChannel, addContainer, addModel } from '../../../test/harness/factories.ts'
import {
  addPublication,
  bodyOf,
  changePublication,
  readPublication,
  text,
} from '../../../test/harness/publications.ts'
import { absent, eventsOf, faults } from '../../../test/harness/records/kind.ts'

const [en, nl] = ['en-US', 'nl-NL'] as const
const done = { body: 'Done' }

const setFields = async (app: TestApp, { id }: { id: string }, fields: object[]) => {
  const answer = await app.put(`/publication_models/${id}`, { fields })
  assert.equal(answer.status, 200, answer.text)
}
const modelOf = async (app: TestApp, fields: object[], more: object = {}) => ({
  id: (await addModel(app, { fields: fields as never, ...more })).id,
})

test('required fields are wanted where a locale is or becomes Done, and every one is named', async () => {
  const app = await startApp()
  const model = await modelOf(app, [
    { api_id: 'title', label: 'Text', required: true },
    { api_id: 'cover', label: 'Asset', required: true },
    { api_id: 'price', label: 'Integer', required: true, localized: false },
    { api_id: 'free', label: 'Text' },
  ])
  const [missing, asset] = [{ free: text('x'), title: text('<p></p>') }, await addAsset(app)]
  const { id } = await addPublication(app, { [en]: missing, [nl]: missing }, { model })
  const paths = ['cover', 'price', 'title'].map((name) => `items.en-US.${name}`)
  assert.deepEqual(faults(await app.put(`/publications/${id}`, { status: { [en]: done } })), paths)
  const created = bodyOf({ [en]: missing, [nl]: missing }, { model, status: { [en]: done } })
  assert.deepEqual(faults(await app.post('/publications', created)), paths)
  const filled = { title: text('T'), cover: { items: [{ id: asset.id }] }, price: { value: 0 } }
  const whole = await changePublication(app, id, { status: { [en]: done }, items: { [en]: filled } })
  assert.equal(whole.status[en].body, 'Done')
  const emptied = { items: { [en]: { cover: { items: [] } }, [nl]: { title: null } } }
  assert.deepEqual(faults(await app.put(`/publications/${id}`, emptied)), ['items.en-US.cover'])
  const byOther = { items: { [nl]: { price: null } } }
  assert.deepEqual(faults(await app.put(`/publications/${id}`, byOther)), ['items.en-US.price'])
  await changePublication(app, id, { items: { [nl]: { title: text('N') } } })
  await changePublication(app, id, { items: { [en]: { cover: null } }, status: { [en]: { body: 'Review' } } })
})

test('a field that becomes required leaves what is Done alone until it is written', async () => {
  const app = await startApp()
  const fields = [{ api_id: 'title', label: 'Text' }]
  const model = await modelOf(app, fields)
  const status = { [en]: done, [nl]: done }
  const items = { [en]: { title: text('A') }, [nl]: { title: text('B') } }
  const { id } = await addPublication(app, items, { model, status })
  await setFields(app, model, [...fields, { api_id: 'lead', label: 'Text', required: true }])
  assert.equal((await changePublication(app, id, { items })).changed_on, null)
  const change = { items: { [nl]: { title: text('C') } } }
  assert.deepEqual(faults(await app.put(`/publications/${id}`, change)), ['items.nl-NL.lead'])
  await changePublication(app, id, { items: { [nl]: { title: text('C'), lead: text('L') } } })
  const free = await addPublication(app, items, { status })
  const paths = ['items.en-US.lead', 'items.nl-NL.lead']
  assert.deepEqual(faults(await app.put(`/publications/${free.id}`, { model })), paths)
})

test('validations are held in every locale and named by the path of the value', async () => {
  const app = await startApp()
  const model = await modelOf(app, [
    { api_id: 'code', label: 'Text', validations: { pattern: '^[A-Z]+$', max_length: 3, min_length: 2 } },
    { api_id: 'pick', label: 'Text', validations: { values: ['red', 'blue'] } },
    { api_id: 'price', label: 'Float', validations: { min: 0, max: 9.5 } },
    { api_id: 'day', label: 'DateTime', validations: { min: '2026-01-01', max: '2026-12-31' } },
    { api_id: 'tags', label: 'TagBox', validations: { min_items: 2, max_items: 2 } },
  ])
  const bad = {
    code: text('toolong'),
    pick: text('green'),
    price: { value: 9.6 },
    day: { body: '2027-01-01', format: 'Y-m-d' },
    tags: { items: [{ body: 'one' }] },
  }
  const answer = await app.post('/publications', bodyOf({ [en]: bad, [nl]: bad }, { model }))
  const paths = ['code.body', 'day.body', 'pick.body', 'price.value', 'tags.items']
  const expected = [en, nl].flatMap((locale) => paths.map((path) => `items.${locale}.${path}`))
  assert.deepEqual([...new Set(faults(answer))], expected)
  const good = {
    code: text('<b>AB</b>'),
    pick: text('red', 'H1'),
    price: { value: 9.5 },
    day: { body: '2026-12-31', format: 'Y-m-d' },
    tags: { items: [{ body: 'one' }, { body: 'two' }] },
  }
  await addPublication(app, { [en]: good }, { model })
  const nothing = { code: text(''), price: { value: null }, tags: { items: [] } }
  await addPublication(app, { [en]: nothing }, { model })
})

test('allowed models bound what a reference may lead to', async () => {
  const app = await startApp()
  const author = await modelOf(app, [{ api_id: 'name', label: 'Text' }])
  const validations = { models: [author.id] }
  const model = await modelOf(app, [{ api_id: 'author', label: 'Publication', validations }])
  const right = await addPublication(app, { [en]: { name: text('A') } }, { model: author })
  const wrong = await addPublication(app)
  const items = [right, wrong].map(({ id }) => ({ id }))
  const answer = await app.post('/publications', bodyOf({ [en]: { author: { items } } }, { model }))
  assert.deepEqual(faults(answer), ['items.en-US.author.items.1.id'])
  await addPublication(app, { [en]: { author: { items: [{ id: right.id }] } } }, { model })
})

test('defaults fill what a new publication or locale does not send; null sends nothing in their place', async () => {
  const app = await startApp()
  const model = await modelOf(app, [
    { api_id: 'title', label: 'Text' },
    { api_id: 'mood', label: 'Text', default: { body: 'Good' } },
    { api_id: 'price', label: 'Integer', default: { value: 5 }, localized: false },
  ])
  const seen = async (items: Record<string, Record<string, unknown>>) => {
    const { items: shown } = await addPublication(app, items, { model })
    return [shown[en]?.mood?.body, shown[en]?.price?.value]
  }
  assert.deepEqual(await seen({ [en]: { title: text('A') } }), ['Good', 5])
  assert.deepEqual(await seen({ [en]: { title: text('A'), mood: text('Bad'), price: { value: 6 } } }), [
    'Bad',
    6,
  ])
  assert.deepEqual(await seen({ [en]: { title: text('A'), mood: null, price: null } }), [
    undefined,
    undefined,
  ])
  const { id } = await addPublication(app, { [en]: { title: text('A'), mood: null, price: null } }, { model })
  const second = await changePublication(app, id, { items: { [nl]: { title: text('B') } } })
  assert.deepEqual([second.items[nl].mood.body, second.items[nl].price], ['Good', undefined])
  assert.equal(second.items[en].mood, undefined)
  const third = await changePublication(app, id, { items: { [nl]: { mood: null } } })
  assert.deepEqual(Object.keys(third.items[nl]), ['title'])
})

test('values of a field that leaves its model, or changes its type, come back with it', async () => {
  const app = await startApp()
  const fields = [
    { api_id: 'title', label: 'Text' },
    { api_id: 'price', label: 'Integer' },
    { api_id: 'once', label: 'Integer', localized: false },
  ]
  const model = await modelOf(app, fields)
  const items = { [en]: { title: text('A'), price: { value: 7 }, once: { value: 8 } } }
  const { id, items: first } = await addPublication(app, items, { model })
  await setFields(app, model, [{ api_id: 'title', label: 'Text' }])
  assert.deepEqual(Object.keys((await readPublication(app, id)).items[en]), ['title'])
  const gone = await app.put(`/publications/${id}`, { items: { [en]: { price: { value: 1 } } } })
  assert.deepEqual(faults(gone), ['items.en-US.price'])
  await changePublication(app, id, { items: { [en]: { title: text('B') } } })
  await setFields(app, model, [fields[0]!, { api_id: 'price', label: 'Text' }])
  assert.deepEqual(Object.keys((await readPublication(app, id)).items[en]), ['title'])
  await setFields(app, model, fields)
  const back = (await readPublication(app, id)).items[en]
  assert.deepEqual([back.price, back.once], [first[en].price, first[en].once])
  await setFields(app, model, [fields[0]!, { api_id: 'price', label: 'Text' }])
  const typed = await changePublication(app, id, { items: { [en]: { price: { body: 'seven' } } } })
  assert.equal(typed.items[en].price.label, 'Text')
})

test('a field that ceases or begins to be stored once keeps what it shows', async () => {
  const app = await startApp()
  const fields = (localized: boolean) => [
    { api_id: 'title', label: 'Text' },
    { api_id: 'price', label: 'Integer', localized },
  ]
  const model = await modelOf(app, fields(false))
  const items = { [en]: { title: text('A'), price: { value: 1 } }, [nl]: { title: text('B') } }
  const { id } = await addPublication(app, items, { model })
  await setFields(app, model, fields(true))
  const values = (body: { items: Record<string, { price?: { value: number } }> }) =>
    [en, nl].map((locale) => body.items[locale]?.price?.value)
  const read = await readPublication(app, id)
  assert.deepEqual(values(read), [1, 1])
  assert.equal((await changePublication(app, id, read)).changed_on, null)
  assert.deepEqual(
    values(await changePublication(app, id, { items: { [nl]: { price: { value: 2 } } } })),
    [1, 2],
  )
  assert.deepEqual(values(await changePublication(app, id, { items: { [en]: { price: null } } })), [
    undefined,
    2,
  ])
  await setFields(app, model, fields(false))
  const once = await changePublication(app, id, { items: { [en]: { price: { value: 3 } } } })
  assert.deepEqual(values(once), [3, 3])
})

test('another model shows its own fields; what was stored comes back with the first', async () => {
  const app = await startApp()
  const one = await modelOf(app, [
    { api_id: 'title', label: 'Text' },
    { api_id: 'a', label: 'Integer' },
  ])
  const two = await modelOf(app, [
    { api_id: 'title', label: 'Text' },
    { api_id: 'b', label: 'Integer' },
  ])
  const { id } = await addPublication(app, { [en]: { title: text('T'), a: { value: 1 } } }, { model: one })
  const moved = await changePublication(app, id, { model: two, items: { [en]: { b: { value: 2 } } } })
  assert.deepEqual(Object.keys(moved.items[en]), ['title', 'b'])
  assert.deepEqual(Object.keys((await changePublication(app, id, { model: one })).items[en]), ['title', 'a'])
  const free = await changePublication(app, id, { model: null })
  assert.deepEqual(Object.keys(free.items[en]).toSorted(), ['a', 'b', 'title'])
  assert.deepEqual(faults(await app.put(`/publications/${id}`, { model: { id: absent } })), ['model.id'])
  assert.equal((await app.delete(`/publication_models/${two.id}`)).status, 204)
  await changePublication(app, id, { model: one })
  assert.equal((await app.delete(`/publication_models/${one.id}`)).status, 409)
})

test('a model without stories or channels refuses them, also when a publication comes to it', async () => {
  const app = await startApp()
  const fields = [{ api_id: 'title', label: 'Text' }]
  const bare = await modelOf(app, fields, { stories: false, channels: false })
  const links = {
    channels: [{ id: (await addChannel(app)).id }],
    containers: [{ id: (await addContainer(app)).id }],
  }
  const items = { [en]: { title: text('A') } }
  const answer = await app.post('/publications', bodyOf(items, { model: bare, ...links }))
  assert.deepEqual(faults(answer), ['channels', 'containers'])
  const { id } = await addPublication(app, items, links)
  assert.deepEqual(faults(await app.put(`/publications/${id}`, { model: bare })), ['channels', 'containers'])
  await changePublication(app, id, { model: bare, channels: [], containers: null })
  assert.equal((await eventsOf(app, id)).length, 2)
})
