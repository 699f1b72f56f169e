import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addChannel, addModel, addTag } from '../../../../test/harness/factories.ts'
import { addPublication, readerToken, text } from '../../../../test/harness/publications.ts'
import { faults } from '../../../../test/harness/records/kind.ts'
import { operatorNames } from '../../../database/operators.ts'
import { publicationFilters } from './fields.ts'

/** The titles that a query finds, in its order; `total` must tell the same. */
const found = async (app: TestApp, query: string, call = {}): Promise<string[]> => {
  const { status, body, text: answer } = await app.get(`/publications?fields=title&${query}`, call)
  assert.equal(status, 200, answer)
  assert.equal(body.total, body.items.length)
  return body.items.map(({ title }: { title: Record<string, string> }) => Object.values(title)[0])
}

const add = (app: TestApp, title: string, more: object = {}, items: object = {}) =>
  addPublication(app, { 'en-US': { title: text(title, 'H1'), ...items } }, more)

test('the newest comes first, or what the sort says, with nulls last both ways', async () => {
  const app = await startApp()
  await add(app, 'one', { publish_on: { 'en-US': '2026-01-01T00:00:00Z' } })
  await add(app, 'two')
  await add(app, 'three', { publish_on: { 'en-US': '2025-01-01T00:00:00Z' } })
  assert.deepEqual(await found(app, ''), ['three', 'two', 'one'])
  for (const locale of ['', '&locale=en-US']) {
    assert.deepEqual(await found(app, `sort=publish_on${locale}`), ['three', 'one', 'two'])
    assert.deepEqual(await found(app, `sort=-published_on${locale}`), ['one', 'three', 'two'])
    assert.deepEqual(await found(app, `sort=-publish_on,created_on${locale}`), ['one', 'three', 'two'])
    assert.deepEqual(await found(app, `sort=created_on${locale}`), ['one', 'two', 'three'])
  }
  assert.deepEqual(await found(app, 'locale=nl-NL'), [])
})

test('a tag that only old publications have is found past any number of newer ones', async () => {
  const app = await startApp()
  const tag = await addTag(app)
  const old = await add(app, 'old', {}, { tags: { label: 'TagBox', items: [{ id: tag.id }] } })
  await app.sql`insert into publications (environment_id, id, label, locales, state, items, channel_ids, container_ids,
      facets, publish_on, created_on)
    select environment_id, 'new-' || n, label, locales, state, items, channel_ids, container_ids,
      facets[1:2], now(), created_on + make_interval(secs => n)
    from publications, generate_series(1, 4000) n where environment_id = ${app.environment.id}`
  app.context.versions.bump(app.environment.id, 'content')
  for (const sort of ['-created_on', 'created_on', '-publish_on'])
    assert.deepEqual(await found(app, `tags[eq]=${tag.id}&sort=${sort}`), ['old'])
  const { body } = await app.get(`/publications?tags[eq]=${tag.id}`)
  assert.equal((await app.get(`/publications?tags[eq]=${tag.id}&after=${body.after}`)).body.items.length, 0)
  assert.equal(body.items[0].id, old.id)
})

test('cursors lead through every order in both directions, each publication once', async () => {
  const app = await startApp()
  const tag = await addTag(app)
  const tagged = { tags: { label: 'TagBox', items: [{ id: tag.id }] } }
  for (let n = 0; n < 9; n += 1)
    await add(app, `music ${n}`, n % 3 ? { publish_on: { 'en-US': `2026-01-0${n}T00:00:00Z` } } : {}, tagged)
  const queries = ['', `tags[eq]=${tag.id}`, 'q=music', 'title=music 4', 'locales[eq]=en-US']
  const orders = [
    '',
    '&sort=publish_on',
    '&sort=-publish_on',
    '&sort=-changed_on',
    '&locale=en-US',
    '&locale=en-US&sort=-publish_on',
  ]
  for (const query of queries)
    for (const order of orders) {
      const path = `/publications?${encodeURI(query)}${order}`
      const all = (await app.get(path)).body.items.map(({ id }: { id: string }) => id)
      const walk = async (way: 'after' | 'before', from: string) => {
        const seen: string[] = []
        let { body } = await app.get(`${path}&limit=2&${from}`)
        for (let page = 0; page < 20 && body.items.length > 0; page += 1) {
          const ids = body.items.map(({ id }: { id: string }) => id)
          seen.push(...(way === 'after' ? ids : ids.reverse()))
          body = (await app.get(`${path}&limit=2&${way}=${body[way]}`)).body
        }
        return seen
      }
      assert.equal(all.length, query === 'title=music 4' ? all.length : 9, path)
      assert.deepEqual(await walk('after', ''), all, path)
      const { before } = (await app.get(`${path}&skip=1000`)).body
      assert.deepEqual((await walk('before', `before=${before}`)).reverse(), all, path)
    }
})

test('a filter by items needs one model, a field of it that is filterable, and an operator of its type', async () => {
  const app = await startApp()
  const model = await addModel(app, {
    fields: [
      { api_id: 'price', label: 'Float' },
      { api_id: 'title', label: 'Text', filterable: false },
    ],
  })
  await add(app, 'cheap', { model: { id: model.id } }, { price: { value: 2 } })
  await add(app, 'dear', { model: { id: model.id } }, { price: { value: 9.5 } })
  const of = `model[id]=${model.id}`
  assert.deepEqual(await found(app, `${of}&items.en-US.price[0][gt]=5`), ['dear'])
  assert.deepEqual(await found(app, `${of}&items[en-US][price][lte]=2`), ['cheap'])
  assert.deepEqual(
    await found(app, `${of}&or[0][items.en-US.price][eq]=2&or[1][items][en-US][price][in]=9.5,7`),
    ['dear', 'cheap'],
  )
  assert.deepEqual(await found(app, 'model[eq]=nothing&items.en-US.price[gt]=5'), [])
  const wrong = async (query: string) => faults(await app.get(`/publications?${query}`))
  assert.deepEqual(await wrong('items.en-US.price[gt]=5'), ['items.en-US.price.gt'])
  assert.deepEqual(await wrong(`${of}&items.en-US.title[eq]=x`), ['items.en-US.title.eq'])
  assert.deepEqual(await wrong(`${of}&items.en-US.none[eq]=x`), ['items.en-US.none.eq'])
  assert.deepEqual(await wrong(`${of}&items.fr-FR.price[eq]=1`), ['items.fr-FR.price.eq'])
  assert.deepEqual(await wrong(`${of}&items.en-US.price[sw]=1`), ['items.en-US.price.sw'])
  assert.deepEqual(await wrong(`${of}&items.en-US.price[gt]=x`), ['items.en-US.price.gt'])
  assert.deepEqual(await wrong(`${of}&items.en-US[gt]=x`), ['items.en-US.gt'])
  assert.deepEqual(await wrong(`${of}&items=1`), ['items'])
})

test('any other operator, a slug without a locale and an unknown locale are refused, all at once', async () => {
  const app = await startApp()
  const query = 'slug[eq]=a&status[neq]=Done&created_on[gte]=1&tags[param]=name&tags[eq]=a&sort=name&limit=0'
  assert.deepEqual(faults(await app.get(`/publications?${query}`)).sort(), [
    'created_on.gte',
    'limit',
    'slug.eq',
    'sort',
    'status.neq',
    'tags.param',
  ])
  assert.deepEqual(faults(await app.get('/publications?locale=xx&sort=-title&status[sw]=D')).sort(), [
    'locale',
    'sort',
    'status.sw',
  ])
  assert.deepEqual(faults(await app.get('/publications?locale[a]=xx&fallback=perhaps')).sort(), [
    'fallback',
    'locale',
  ])
})

test('every field takes its own operators and no other', async () => {
  const app = await startApp()
  for (const [field, { operators, type }] of Object.entries(publicationFilters))
    for (const operator of operatorNames) {
      const value = type === 'boolean' || operator === 'has' ? 'true' : type === 'date' ? '2026-01-01' : 'a'
      const answer = await app.get(`/publications?locale=en-US&${field}[${operator}]=${value}`)
      const isOwn = (operators as readonly string[]).includes(operator)
      assert.equal(answer.status, isOwn ? 200 : 400, `${field} ${operator}`)
      if (!isOwn) assert.deepEqual(faults(answer), [`${field}.${operator}`])
    }
})

test('who sees only what is published finds nothing by what is not', async () => {
  const app = await startApp()
  const model = await addModel(app, {
    fields: [
      { api_id: 'price', label: 'Float' },
      { api_id: 'title', label: 'Text' },
    ],
  })
  const done = { 'en-US': { body: 'Done' } }
  await addPublication(
    app,
    { 'en-US': { title: text('open'), price: { value: 1 } }, 'nl-NL': { title: text('geheim') } },
    { status: done, model: { id: model.id } },
  )
  await add(app, 'hidden')
  const token = await readerToken(app)
  const seen = (query: string) => found(app, query, { token })
  assert.deepEqual(await seen(''), ['open'])
  assert.deepEqual(await seen('q=open'), ['open'])
  assert.deepEqual(await seen('q=geheim'), [])
  assert.deepEqual(await seen('or[0][q]=geheim&or[1][title]=geheim'), [])
  assert.deepEqual(await seen('status[eq]=To do'), [])
  assert.deepEqual(await seen('locales[eq]=nl-NL'), [])
  assert.deepEqual(await seen('published[eq]=false'), [])
  assert.deepEqual(await seen('locale=nl-NL'), [])
  const of = `model[eq]=${model.id}`
  assert.deepEqual(await seen(`${of}&items.en-US.price[eq]=1`), ['open'])
  assert.deepEqual(await seen(`${of}&items.nl-NL.price[eq]=1`), [])
  assert.deepEqual((await found(app, 'q=geheim')).length, 1)
})

test('what is named by slug or body is found whatever the case of the param; other environments are not', async () => {
  const app = await startApp()
  const channel = await addChannel(app, { name: 'Radio One' })
  const stranger = await addChannel(app, { name: 'Elsewhere', environment: await app.addEnvironment() })
  await add(app, 'heard', { channels: [{ id: channel.id }] })
  for (const query of [
    `channels[eq]=${channel.id}`,
    `channels[0][in]=${stranger.id},${channel.id}&channels[0][param]=Id`,
    `channels[0][eq]=${channel.slug}&channels[0][param]=Slug`,
    'channels[0][eq]=RADIO one&channels[0][param]=Body',
  ])
    assert.deepEqual(await found(app, query), ['heard'], query)
  for (const query of [
    `channels[eq]=${stranger.id}`,
    `channels[0][eq]=${stranger.slug}&channels[0][param]=slug`,
    'channels[0][eq]=Elsewhere&channels[0][param]=body',
    `channels[0][eq]=${channel.id}&channels[0][param]=slug`,
  ])
    assert.deepEqual(await found(app, query), [], query)
})
