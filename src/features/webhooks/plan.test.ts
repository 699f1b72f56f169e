import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addChannel, addContainer, addTag } from '../../../test/harness/factories.ts'
import { filled, lettersOf, startLibrary } from '../../../test/harness/library.ts'
import { allPlanned, deliveriesOf, nowhere, registerWebhook } from '../../../test/harness/planned.ts'
import { addPublication, changePublication, inTurns, text } from '../../../test/harness/publications.ts'
import { clientOptions } from '../../database/session.ts'
import { parseQuery } from '../../http/query.ts'

const en = 'en-US'

/** A change that no filter here looks at. */
const touch = async (app: TestApp, id: string): Promise<void> =>
  changePublication(app, id, { containers: [{ id: (await addContainer(app)).id }] })

test('a webhook is told of the events that it names, by the name it was registered with', async () => {
  const app = await startApp()
  const updated = await registerWebhook(app, { events: ['publication.updated', 'publication.changed'] })
  const changed = await registerWebhook(app, { events: ['publication.changed', 'tag.created'] })
  const life = await registerWebhook(app, {
    events: ['created', 'published', 'unpublished', 'deleted'].map((name) => `publication.${name}`),
  })
  const off = await registerWebhook(app, { active: false })
  const { id } = await addPublication(app)
  await changePublication(app, id, { status: { [en]: { body: 'Done' } } })
  await changePublication(app, id, { status: { [en]: { body: 'To do' } } })
  await app.delete(`/publications/${id}`)
  const { id: tag } = await addTag(app)
  await addChannel(app)
  const namesFor = async (webhook: { id: string }) =>
    (await deliveriesOf(app, webhook.id)).map(({ event }) => event)
  assert.deepEqual(await namesFor(updated), ['publication.updated', 'publication.updated'])
  assert.deepEqual(await namesFor(changed), ['publication.changed', 'publication.changed', 'tag.created'])
  assert.deepEqual(await namesFor(life), [
    'publication.created',
    'publication.published',
    'publication.unpublished',
    'publication.deleted',
  ])
  assert.deepEqual(await namesFor(off), [])
  assert.equal((await deliveriesOf(app, changed.id)).at(-1)!.record_id, tag)
})

test('a change of a webhook counts for what happens after it, and another environment hears nothing', async () => {
  const app = await startApp()
  const other = await app.addEnvironment()
  const webhook = await registerWebhook(app, { events: ['tag.created'] })
  await addTag(app, { environment: other })
  const first = await addTag(app)
  await allPlanned(app)
  await app.put(`/webhooks/${webhook.id}`, { active: false })
  await addTag(app)
  await allPlanned(app)
  await app.put(`/webhooks/${webhook.id}`, { active: true })
  const last = await addTag(app)
  const told = (await deliveriesOf(app, webhook.id)).map(({ record_id }) => record_id)
  assert.deepEqual(told, [first.id, last.id])
})

test('a webhook is told of nothing that happened before it was made or switched on', async () => {
  const app = await startApp()
  const events = ['tag.created']
  const off = await registerWebhook(app, { events, active: false })
  const again = await registerWebhook(app, { events })
  await allPlanned(app)
  assert.equal((await app.put(`/webhooks/${again.id}`, { active: false })).status, 200)
  // The planner comes when all of it has happened.
  const client = new pg.Client(clientOptions(app.databaseUrl, 'test lock'))
  await client.connect()
  await client.query('begin')
  await client.query('select 1 from webhook_position for update')
  await addTag(app)
  const made = await registerWebhook(app, { events })
  for (const { id } of [off, again])
    assert.equal((await app.put(`/webhooks/${id}`, { active: true })).status, 200)
  const tag = await addTag(app)
  assert.equal((await app.put(`/webhooks/${made.id}`, { url: `${nowhere}/other` })).status, 200)
  await eventually(async () => {
    const { rows } = await sql`select 1 from outbox limit 1`.execute(app.context.db)
    return rows.length === 0
  })
  await client.end()
  for (const { id } of [off, again, made])
    assert.deepEqual(
      (await deliveriesOf(app, id)).map(({ record_id }) => record_id),
      [tag.id],
    )
})

/** Every kind of filter; what each finds is told by the list itself. */
const filters = [
  'id[eq]=<A>',
  'id[in]=<A>,<B>,<none>',
  'model[eq]=<M>',
  'model[id]=<N>',
  'status[eq]=Done',
  'status[in]=Done,Review',
  'status[eq]=Done&locale=nl-NL',
  'locale=nl-NL',
  'locales[eq]=nl-NL',
  'created_by[eq]=<U1>',
  'assigned_to[eq]=<U0>',
  'assigned_to[eq]=<U0>&locale=nl-NL',
  'channels[eq]=<C0>',
  'channels[param]=slug&channels[in]=two',
  'channels[0][param]=body&channels[0][eq]=site one',
  'containers[param]=slug&containers[eq]=story',
  'tags[eq]=<T0>',
  'tags[all]=<T0>,<T1>',
  'tags[has]=false',
  'tags[param]=body&tags[in]=blue tag',
  'tags[eq]=<T1>&status[eq]=Done',
  'slug[sw]=run&locale=en-US',
  'q=music',
  'q=festival zurich',
  'q=musi',
  'title=running',
  'title[fz]=hardlopen&locale=nl-NL',
  'created_on[lt]=2025-01-03',
  'publish_on[gt]=2026-02-15',
  'publish_on[gt]=2026-02-15&locale=en-US',
  'expire_on[lt]=2098-06-01',
  'published[eq]=true',
  'published[eq]=false',
  'model[eq]=<M>&items.en-US.price[gt]=1',
  'model[eq]=<M>&items[en-US][stock][eq]=10',
  'model[eq]=<M>&items.nl-NL.price[lte]=5',
  'model[eq]=<M>&items.en-US.code[sw]=AB',
  'model[eq]=<M>&items.en-US.code[neq]=AB-1',
  'model[eq]=<M>&items.en-US.open[eq]=false',
  'model[eq]=<M>&items.en-US.day[gte]=2026-02-01',
  'model[eq]=<M>&items.en-US.span[has]=true',
  'model[eq]=<M>&items.en-US.place[near]=52.37,4.89,5000',
  'or[0][tags][eq]=<T2>&or[1][model][eq]=<N>',
  'or[0][q]=quiet&or[1][status][eq]=Done&or[1][channels][eq]=<C1>',
  'channels[eq]=<C0>&or[0][q]=hardlopen&or[1][tags][all]=<T0>,<T1>',
  'tags[eq]=<none>',
]

test('a filter matches an event exactly where the list finds the publication', async () => {
  const library = await startLibrary()
  const { app, all } = library
  const ids = Object.values(all).map(({ id }) => id)
  await allPlanned(app)
  const webhooks = new Map<string, string>()
  await inTurns(filters, async (query) => {
    const filter = parseQuery(filled(library, query))
    webhooks.set(query, (await registerWebhook(app, { filter })).id)
  })
  const extra = { id: (await addContainer(app)).id }
  for (const id of ids)
    await changePublication(app, id, {
      containers: id === all.A.id ? [{ id: library.container.id }, extra] : [extra],
    })
  await allPlanned(app)
  let told = 0
  for (const query of filters) {
    const listed = await app.get(`/publications?${filled(library, query)}`)
    const expected = [...lettersOf(library, listed.body.items)].sort().join('')
    const planned = await deliveriesOf(app, webhooks.get(query)!)
    const records = planned.map(({ record_id }) => ({ id: record_id }))
    assert.equal([...lettersOf(library, records)].sort().join(''), expected, query)
    told += planned.length
  }
  assert.ok(told > filters.length)
})

test('a deletion is matched as it was before, a change as it is after', async () => {
  const app = await startApp()
  const events = ['publication.changed', 'publication.deleted']
  const filter = { title: 'harbour', status: [{ eq: 'Done' }] }
  const webhook = await registerWebhook(app, { events, filter })
  const { id } = await addPublication(app, { [en]: { title: text('Harbour news') } })
  await changePublication(app, id, { status: { [en]: { body: 'Done' } } })
  await changePublication(app, id, { items: { [en]: { title: text('Other news') } } })
  await changePublication(app, id, { items: { [en]: { title: text('The harbour again') } } })
  await app.delete(`/publications/${id}`)
  const told = (await deliveriesOf(app, webhook.id)).map(({ event }) => event)
  assert.deepEqual(told, ['publication.changed', 'publication.changed', 'publication.deleted'])
})

test('names stand for what bears them when the event happens', async () => {
  const app = await startApp()
  const filter = { tags: [{ param: 'slug', eq: 'news' }] }
  const webhook = await registerWebhook(app, { filter })
  const status = await registerWebhook(app, { filter: { status: [{ eq: 'Ready' }] } })
  const tagged = (id: string) => ({ tags: { label: 'TagBox', items: [{ id }] } })
  const { id } = await addPublication(app)
  await touch(app, id)
  await allPlanned(app)
  const tag = await addTag(app, { body: 'News', slug: 'news' })
  const made = await app.post('/statuses', { body: 'Ready' })
  assert.equal(made.status, 201)
  await changePublication(app, id, { items: { [en]: tagged(tag.id) }, status: { [en]: { body: 'Ready' } } })
  await allPlanned(app)
  assert.equal((await app.put(`/tags/${tag.id}`, { slug: 'old' })).status, 200)
  await touch(app, id)
  await allPlanned(app)
  const other = await addTag(app, { body: 'Newer', slug: 'news' })
  await changePublication(app, id, { items: { [en]: tagged(other.id) } })
  assert.equal((await deliveriesOf(app, webhook.id)).length, 2)
  assert.equal((await deliveriesOf(app, status.id)).length, 3)
})

test('a filter whose field is gone calls nobody and stops nobody', async () => {
  const app = await startApp()
  const field = { api_id: 'price', label: 'Float', filterable: true }
  const model = (await app.post('/publication_models', { body: 'Shop', fields: [field] })).body
  const filter = { model: [{ eq: model.id }], 'items.en-US.price': [{ gt: 1 }] }
  const webhook = await registerWebhook(app, { filter })
  const all = await registerWebhook(app)
  const { id } = await addPublication(app, { [en]: { price: { value: 2 } } }, { model: { id: model.id } })
  await touch(app, id)
  await allPlanned(app)
  const unfilterable = [{ ...field, filterable: false }]
  assert.equal((await app.put(`/publication_models/${model.id}`, { fields: unfilterable })).status, 200)
  await touch(app, id)
  assert.equal((await deliveriesOf(app, webhook.id)).length, 1)
  assert.equal((await deliveriesOf(app, all.id)).length, 2)
  const { rows } = await sql<{ match: { locales: object } | null }>`select match from events
    where record_id = ${id} order by sequence desc limit 1`.execute(app.context.db)
  assert.deepEqual(Object.keys(rows[0]!.match!.locales), [en])
})
