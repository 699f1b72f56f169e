import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addTag } from '../../../../test/harness/factories.ts'
import { changePublication } from '../../../../test/harness/publications.ts'
import {
  addPublished,
  eventuallyPredicted,
  idsOf,
  interact,
  learn,
  personId,
  predicted,
} from '../../../../test/harness/recommendations.ts'

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${prefix}-${number}`)

/** Two crowds that never meet: one for gardens, one for engines. Each of twenty persons misses one of its five. */
const crowds = async () => {
  const app = await startApp()
  const gardens: string[] = []
  const engines: string[] = []
  for (const title of ['Roses', 'Tulips', 'Hedges', 'Ponds', 'Compost'])
    gardens.push(await addPublished(app, title))
  for (const title of ['Pistons', 'Valves', 'Clutches', 'Brakes', 'Axles'])
    engines.push(await addPublished(app, title))
  for (const [crowd, publications] of [
    ['gardener', gardens],
    ['mechanic', engines],
  ] as const)
    for (const [missing, id] of publications.entries())
      await interact(
        app,
        id,
        names(crowd, 20).filter((_, number) => number % 5 !== missing),
      )
  await learn(app)
  return { app, gardens, engines }
}

test('a person is recommended what those with the same taste had and the person had not', async () => {
  const { app, gardens, engines } = await crowds()
  for (const [crowd, publications] of [
    ['gardener', gardens],
    ['mechanic', engines],
  ] as const)
    for (const number of [0, 1, 7, 13]) {
      const person = await personId(app, `${crowd}-${number}`)
      const body = await predicted(app, 'recommended_for_you', `person_id=${person}`)
      assert.equal(idsOf(body)[0], publications[number % 5], `${crowd} ${number}`)
      const seen = publications.filter((_, at) => at !== number % 5)
      assert.deepEqual(
        idsOf(body).filter((id) => seen.includes(id)),
        [],
      )
      assert.deepEqual(body.recommendation, { id: 'recommended_for_you', variant: 'recommended' })
      assert.equal(body.total, 10)
    }
})

test('more like this comes from the same crowd, without the publication itself', async () => {
  const { app, gardens, engines } = await crowds()
  const body = await predicted(app, 'more_like_this', `publication_id=${engines[2]}&limit=4`)
  assert.deepEqual(new Set(idsOf(body)), new Set(engines.filter((id) => id !== engines[2])))
  const other = await predicted(app, 'more_like_this', `publication_id=${gardens[0]}&limit=4`)
  assert.deepEqual(new Set(idsOf(other)), new Set(gardens.slice(1)))
})

test('a visitor without a name is recommended by history alone, in a query or in a body', async () => {
  const { app, gardens } = await crowds()
  const rest = new Set(gardens.slice(2))
  const query = await predicted(app, 'recommended_for_you', `history=${gardens[0]},${gardens[1]}&limit=3`)
  assert.deepEqual(new Set(idsOf(query)), rest)
  const answer = await app.post('/recommendations/recommended_for_you/predict', {
    history: gardens.slice(0, 2),
    limit: 3,
  })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(new Set(idsOf(answer.body)), rest)
})

test('what a new person does counts at once, without learning anew', async () => {
  const { app, engines } = await crowds()
  await interact(app, engines[0]!, ['newcomer'])
  await interact(app, engines[1]!, ['newcomer'])
  const body = await predicted(
    app,
    'recommended_for_you',
    `person_id=${await personId(app, 'newcomer')}&limit=3`,
  )
  assert.deepEqual(new Set(idsOf(body)), new Set(engines.slice(2)))
})

test('nothing is recommended that is unpublished, expired or outside the filter', async () => {
  const { app, gardens } = await crowds()
  const [seen, hidden, expired, shown] = gardens as [string, string, string, string]
  await changePublication(app, hidden, { status: { 'en-US': { body: 'Archived' } } })
  await changePublication(app, expired, { expire_on: { 'en-US': '2020-01-01T00:00:00+00:00' } })
  const found = idsOf(await predicted(app, 'recommended_for_you', `history=${seen}`))
  assert.ok(found.includes(shown))
  assert.ok(!found.includes(hidden) && !found.includes(expired))
  const filtered = await predicted(app, 'recommended_for_you', `history=${seen}&title[fz]=clutches`)
  assert.equal(filtered.total, 1)
  assert.equal(filtered.items.length, 1)
})

test('within a filter the best come first, then the popular ones, and all there are of it', async () => {
  const { app, gardens, engines } = await crowds()
  const tag = await addTag(app, { body: 'Outdoors' })
  const tagged: string[] = []
  for (const title of ['Sheds', 'Fences', 'Paths']) tagged.push(await addPublished(app, title, [tag.id]))
  const [unseen, popular, close] = tagged as [string, string, string]
  await interact(app, close, names('gardener', 3))
  await interact(app, popular, names('stranger', 9))
  await learn(app)
  const query = `history=${gardens[0]}&tags[in]=${tag.id}`
  const { items } = await eventuallyPredicted(app, 'recommended_for_you', query, (ids) => ids[0] === close)
  assert.deepEqual(idsOf({ items }), [close, popular, unseen])
  const page = await predicted(app, 'recommended_for_you', `${query}&skip=1&limit=1`)
  assert.deepEqual([idsOf(page), page.total], [[popular], 3])
  assert.deepEqual(idsOf(await predicted(app, 'recommended_for_you', `${query}&skip=3`)), [])
  const late = await addPublished(app, 'Gates', [tag.id])
  await changePublication(app, popular, { status: { 'en-US': { body: 'Archived' } } })
  assert.ok(!idsOf(await predicted(app, 'recommended_for_you', query)).includes(popular))
  await eventuallyPredicted(app, 'recommended_for_you', query, (ids) => ids.includes(late))
  assert.ok(engines.every((id) => !idsOf({ items }).includes(id)))
})

test('content is there for those who ask for it', async () => {
  const { app, gardens } = await crowds()
  const body = await predicted(app, 'recommended_for_you', `history=${gardens[0]}&limit=1&fields=items`)
  const list = await app.get(`/publications?id[eq]=${idsOf(body)[0]}&published[eq]=true&fields=items`)
  assert.deepEqual(body.items, list.body.items)
})

test('seen publications are there where the recommendation says so, and its own filter holds', async () => {
  const { app, gardens } = await crowds()
  const made = await app.post('/recommendations', {
    name: 'All of it',
    type: 'recommended_for_you',
    exclude_seen: false,
    filter: { id: [{ in: gardens.slice(0, 3) }] },
  })
  assert.equal(made.status, 201, made.text)
  const body = await predicted(app, made.body.id, `history=${gardens[0]}`)
  assert.equal(body.total, 3)
  assert.deepEqual(new Set(idsOf(body)), new Set(gardens.slice(0, 3)))
  assert.equal(body.recommendation.id, made.body.id)
})

test('a publication says why it is recommended', async () => {
  const { app, gardens } = await crowds()
  const body = await predicted(app, 'recommended_for_you', `history=${gardens[0]}&explain=true&limit=1`)
  const [{ reason }] = body.items
  assert.deepEqual(
    reason.publications.map(({ id }: { id: string }) => id),
    [gardens[0]],
  )
  assert.ok(reason.publications[0].weight > 0)
  assert.equal(reason.exploring, false)
  assert.ok(!('reason' in (await predicted(app, 'recommended_for_you', `history=${gardens[0]}`)).items[0]))
})

test('a publication that nobody has seen is found by what it says', async () => {
  const app = await startApp()
  const tag = await addTag(app, { body: 'Sailing' })
  const first = await addPublished(app, 'Knots for small sailing boats', [tag.id])
  for (const title of ['Bread', 'Cheese', 'Wine', 'Salt']) await addPublished(app, `All about ${title}`)
  const alike = await addPublished(app, 'Sails and boats in winter', [tag.id])
  await learn(app)
  assert.equal(idsOf(await predicted(app, 'more_like_this', `publication_id=${first}`))[0], alike)
})

test('what persons come to is learned anew without learning everything', async () => {
  const { app, gardens, engines } = await crowds()
  const fresh = await addPublished(app, 'Greenhouses')
  const before = idsOf(await predicted(app, 'recommended_for_you', `history=${gardens.slice(0, 4).join()}`))
  assert.equal(before[0], gardens[4])
  await interact(app, fresh, names('gardener', 18))
  await folded(app)
  await learn(app, 'touched')
  await eventuallyPredicted(app, 'more_like_this', `publication_id=${gardens[0]}&limit=5`, (ids) =>
    ids.includes(fresh),
  )
  const others = idsOf(await predicted(app, 'more_like_this', `publication_id=${engines[0]}&limit=4`))
  assert.ok(!others.includes(fresh))
})

const folded = async (app: TestApp): Promise<void> => {
  for (const until = Date.now() + 10_000; Date.now() < until; ) {
    const rows = await app.sql<
      object[]
    >`select 1 from audience_deltas where environment_id = ${app.environment.id}`
    if (rows.length === 0) return
  }
  assert.fail('deltas were not folded within 10 s')
}

test('the dummy is the publications list of what readers see', async () => {
  const { app } = await crowds()
  const list = await app.get('/publications?published[eq]=true&limit=4&sort=created_on')
  const body = await predicted(app, 'dummy', 'limit=4&sort=created_on')
  assert.deepEqual(idsOf(body), idsOf(list.body))
  assert.deepEqual(body.recommendation, { id: 'dummy', variant: 'dummy' })
})

test('every wrong part of a question is named; another environment is not there', async () => {
  const { app, gardens } = await crowds()
  const path = '/recommendations/recommended_for_you/predict'
  const bad = await app.get(`${path}?explain=perhaps&limit=0&nonsense[eq]=1&history[a]=1&at=2020-01-01`)
  assert.equal(bad.status, 400)
  const paths = bad.body.errors.map((error: { path: string }) => error.path)
  for (const name of ['explain', 'limit', 'nonsense', 'history'])
    assert.ok(paths.includes(name), `${name}: ${paths}`)
  assert.equal((await app.get('/recommendations/more_like_this/predict')).status, 400)
  const cursors = await app.get('/recommendations/more_like_this/predict?after=x&at=2027-01-01')
  assert.deepEqual(cursors.body.errors.map((error: { path: string }) => error.path).sort(), [
    'after',
    'at',
    'publication_id',
  ])
  assert.equal((await app.get('/recommendations/nothing/predict')).status, 404)
  assert.equal((await app.get(`${path}?person_id=nobody`)).status, 404)
  assert.equal((await app.get(`${path}?session_hash=nothing`)).status, 400)
  const other = await startApp()
  const foreign = await other.get(`/recommendations/more_like_this/predict?publication_id=${gardens[0]}`)
  const absent = await other.get('/recommendations/more_like_this/predict?publication_id=absent')
  assert.deepEqual([foreign.status, absent.status], [404, 404])
  const unknown = await other.get(`/recommendations/recommended_for_you/predict?history=${gardens[0]}`)
  assert.deepEqual(unknown.body.items, [])
  assert.equal((await app.get(path, { scopes: ['publications'] })).status, 403)
})
