import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { actorIn, addAsset, addModel, addPerson, addTag } from '../../../../test/harness/factories.ts'
import { field, later, modelOf, now, path, read } from '../../../../test/harness/fields.ts'
import { transaction } from '../../../database/transaction.ts'
import type { EnvironmentRow } from '../../access/table.ts'
import type { StoredItems } from '../table.ts'
import { referencesOf } from './collect.ts'
import { resolveNames } from './names.ts'
import { loadReferences, presentItems } from './present.ts'

type Publication = { environment?: EnvironmentRow; id?: string; model_id?: string; published?: boolean }

const addPublication = async (app: TestApp, given: Publication = {}): Promise<{ id: string }> => {
  const { environment = app.environment, id = randomUUID(), model_id = null, published = true } = given
  const state = JSON.stringify({ 'en-US': { published }, 'nl-NL': { published: true } })
  await sql`insert into publications (environment_id, id, label, model_id, locales, state, items, channel_ids,
      container_ids, facets)
    values (${environment.id}, ${id}, 'Publication', ${model_id}, '{en-US}', ${state}::text::jsonb, '{}', '{}', '{}',
      '{}')`.execute(app.context.db)
  return { id }
}

const resolve = async (app: TestApp, ...reads: ReturnType<typeof read>[]) => {
  assert.deepEqual(
    reads.flatMap(({ faults }) => faults),
    [],
  )
  const names = reads.flatMap((one) => one.names)
  return transaction(app.context, (tx) => resolveNames(tx, actorIn(app), names))
}

const show = async (app: TestApp, items: StoredItems, visibility: 'all' | 'published' = 'all') => {
  const actor = { environment_id: app.environment.id, token: { visibility } }
  const references = await loadReferences(app.context.db, actor, referencesOf(items))
  return JSON.parse(JSON.stringify(presentItems(items, null, references)))
}

test('every kind of reference is found, shown by index with its target, and read back as no change', async () => {
  const app = await startApp()
  const [publication, asset, person, tag] = [
    await addPublication(app),
    await addAsset(app),
    await addPerson(app),
    await addTag(app, { body: 'News', slug: 'news' }),
  ]
  const sent = read({
    publication: { label: 'Publication', items: [publication] },
    assets: { label: 'Asset', items: [{ id: asset.id }] },
    author: { label: 'Person', items: [{ id: person.id }] },
    tags: { label: 'Tag', items: [{ id: tag.id }, { body: 'Sport' }, { body: 'SPORT' }, { body: 'news' }] },
    box: { items: [{ label: 'TagBox', items: [{ body: 'sport' }] }] },
  })
  assert.deepEqual(await resolve(app, sent), [])
  const before = sent.values as StoredItems
  const shown = await show(app, before)
  const [news, sport] = Object.values(shown.tags.items) as { body: string; slug: string }[]
  assert.deepEqual(Object.keys(shown.tags.items), ['0', '1'])
  assert.deepEqual(
    [shown.tags.label, news!.body, sport!.body, sport!.slug],
    ['TagBox', 'News', 'Sport', 'sport'],
  )
  for (const [api_id, label] of [
    ['publication', 'Publication'],
    ['assets', 'Asset'],
    ['author', 'Person'],
  ]) {
    const { items, ...value } = shown[api_id!]
    assert.deepEqual([value.label, items[0].label], [label, label])
    assert.deepEqual(Object.keys(items[0]), ['id', 'created_on', 'changed_on', 'label'])
    assert.match(items[0].created_on, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  }
  assert.equal(shown.box.items[0].items[0].body, 'Sport')
  const again = read(shown, { before, now: later })
  assert.deepEqual(await resolve(app, again), [])
  for (const api_id of Object.keys(before)) assert.equal(again.values[api_id], before[api_id], api_id)
  const byBody = read({ tags: { items: [{ body: 'news' }, { body: 'Sport' }] } }, { before, now: later })
  assert.deepEqual(await resolve(app, byBody), [])
  assert.equal(byBody.values.tags, before.tags)
})

test('ids without a kind are looked up; what is nowhere, or in two places, is refused by its path', async () => {
  const app = await startApp()
  const [asset, tag, twice] = [await addAsset(app), await addTag(app), randomUUID()]
  await addPublication(app, { id: twice })
  await addPerson(app, { id: twice })
  const sent = read({ a: { items: [{ id: asset.id }] }, b: [{ id: tag.id }], c: { id: asset.id } })
  assert.deepEqual(await resolve(app, sent), [])
  assert.deepEqual(
    Object.values(sent.values).map((value) => value!.label),
    ['Asset', 'TagBox', 'Asset'],
  )
  const wrong = read({
    absent: { items: [{ id: asset.id }, { id: 'nobody' }] },
    ambiguous: { items: [{ id: twice }] },
    mixed: { items: [{ id: asset.id }, { id: tag.id }] },
    wrongKind: { label: 'Person', items: [{ id: asset.id }] },
    box: { items: [{ label: 'ElementBox', items: [{ label: 'Publication', items: [{ id: 'x' }] }] }] },
    tags: { items: [{ body: 'Never made' }] },
  })
  const faults = await resolve(app, wrong)
  assert.deepEqual(
    faults.map((fault) => fault.path),
    [
      'absent.items.1.id',
      'ambiguous.items.0.id',
      'mixed.items.1.id',
      'wrongKind.items.0.id',
      'box.items.0.items.0.items.0.id',
    ].map((name) => `${path}.${name}`),
  )
  assert.match(faults[1]!.message, /ambiguous/)
  const { rows } = await sql`select 1 from tags
    where environment_id = ${app.environment.id} and body = 'Never made'`.execute(app.context.db)
  assert.equal(rows.length, 0)
  assert.deepEqual(await resolve(app, read({ a: { label: 'Publication', items: [{ id: twice }] } })), [])
})

test('records of another environment are as absent ones, and are not shown', async () => {
  const app = await startApp()
  const environment = await app.addEnvironment()
  const [asset, publication] = [
    await addAsset(app, { environment }),
    await addPublication(app, { environment }),
  ]
  const sent = read({
    a: { label: 'Asset', items: [{ id: asset.id }] },
    b: { items: [publication] },
    c: { label: 'Asset', items: [{ id: 'nobody' }] },
  })
  const faults = await resolve(app, sent)
  assert.deepEqual(
    faults.map((fault) => fault.path),
    ['a', 'b', 'c'].map((name) => `${path}.${name}.items.0.id`),
  )
  assert.equal(faults[0]!.message, faults[2]!.message)
  const shown = await show(
    app,
    read({ a: { label: 'Asset', items: [{ id: asset.id }] } }).values as StoredItems,
  )
  assert.deepEqual(shown.a.items, {})
})

test('a reference leads only to the models that the field allows', async () => {
  const app = await startApp()
  const [one, other] = [await addModel(app), await addModel(app)]
  const [right, wrong, none] = [
    await addPublication(app, { model_id: one.id }),
    await addPublication(app, { model_id: other.id }),
    await addPublication(app),
  ]
  const model = modelOf(field('related', 'Publication', { validations: { models: [one.id] } }))
  const faults = await resolve(app, read({ related: [right, wrong, none] }, { model }))
  assert.deepEqual(
    faults.map((fault) => fault.path),
    [`${path}.related.1.id`, `${path}.related.2.id`],
  )
})

test('who sees only what is published sees no reference to anything else', async () => {
  const app = await startApp()
  const [seen, hidden] = [await addPublication(app), await addPublication(app, { published: false })]
  const items = read({ a: { label: 'Publication', items: [hidden, seen, { id: 'gone' }] } })
    .values as StoredItems
  const ids = async (visibility: 'all' | 'published') => {
    const { items: targets } = (await show(app, items, visibility)).a
    return Object.keys(targets).map((index) => [index, targets[index].id])
  }
  assert.deepEqual(await ids('all'), [
    ['0', hidden.id],
    ['1', seen.id],
  ])
  assert.deepEqual(await ids('published'), [['0', seen.id]])
})

test('many names take one query for each kind', async () => {
  const app = await startApp()
  const tags = await Promise.all(Array.from({ length: 30 }, () => addTag(app)))
  const [asset, person] = [await addAsset(app), await addPerson(app)]
  const sent = read(
    Object.fromEntries([
      ...tags.map(({ id }, index) => [`t${index}`, { label: 'TagBox', items: [{ id }] }]),
      ['a', { label: 'Asset', items: [{ id: asset.id }] }],
      ['p', { label: 'Person', items: [{ id: person.id }] }],
    ]),
    { now },
  )
  let queries = 0
  const faults = await transaction(app.context, (tx) => {
    const counted = tx.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    return resolveNames(counted as never, actorIn(app), sent.names)
  })
  assert.deepEqual([faults, queries], [[], 3])
})
