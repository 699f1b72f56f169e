import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { eventsOf } from '../../../test/harness/records/kind.ts'

const body = { name: 'Home page', type: 'recommended_for_you' }

test('a recommendation is created with defaults, read, listed, changed and deleted, and each is told once', async () => {
  const app = await startApp()
  const made = await app.post('/recommendations', body)
  assert.equal(made.status, 201, made.text)
  const { id, created_on, ...rest } = made.body
  assert.deepEqual(rest, {
    changed_on: null,
    label: 'Recommendation',
    ...body,
    filter: {},
    weights: {},
    kpi_label: null,
    exploration: 0.1,
    diversity: 4,
    control_share: 0.05,
    exclude_seen: true,
  })
  const changes = {
    weights: { popularity: 0.5 },
    filter: { published: [{ eq: true }] },
    kpi_label: 'Purchase',
  }
  const changed = await app.put(`/recommendations/${id}`, changes)
  assert.equal(changed.status, 200, changed.text)
  const { changed_on } = changed.body
  assert.deepEqual(changed.body, { ...made.body, ...changes, changed_on })
  assert.deepEqual((await app.get(`/recommendations/${id}`)).body, changed.body)
  const list = await app.get('/recommendations?type[eq]=recommended_for_you&name[fz]=home')
  assert.deepEqual([list.body.total, list.body.items], [1, [changed.body]])
  assert.equal((await app.get('/recommendations?type[eq]=dummy')).body.total, 0)
  assert.equal((await app.get(`/recommendations/${id}?fields=fallback`)).body.fallback, null)
  assert.equal((await app.delete(`/recommendations/${id}`)).status, 204)
  assert.equal((await app.get(`/recommendations/${id}`)).status, 404)
  assert.equal((await app.get(`/recommendations/${id}/predict`)).status, 404)
  assert.deepEqual(await eventsOf(app, id), [
    'recommendation.created',
    'recommendation.changed',
    'recommendation.deleted',
  ])
})

test('every wrong field of a recommendation is named, its filter included', async () => {
  const app = await startApp()
  const wrong = await app.post('/recommendations', {
    name: ' ',
    type: 'magic',
    weights: { luck: 1 },
    exploration: 2,
    control_share: -1,
    kpi_label: 'Sneeze',
    more: 1,
  })
  assert.equal(wrong.status, 400)
  const paths = wrong.body.errors.map((error: { path: string }) => error.path)
  for (const path of ['name', 'type', 'weights.luck', 'exploration', 'control_share', 'kpi_label', 'more'])
    assert.ok(paths.includes(path), `${path}: ${paths}`)
  const filter = await app.post('/recommendations', { ...body, filter: { colour: [{ eq: 'red' }] } })
  assert.equal(filter.status, 400)
  assert.equal(filter.body.errors[0].path, 'filter.colour')
})

test('a recommendation of another environment is not there', async () => {
  const app = await startApp()
  const { id } = (await app.post('/recommendations', body)).body
  const other = await startApp()
  for (const path of [id, `${id}/predict`, `${id}/insights`])
    assert.equal((await other.get(`/recommendations/${path}`)).status, 404)
  assert.equal((await other.put(`/recommendations/${id}`, { name: 'Mine' })).status, 404)
  assert.equal((await other.delete(`/recommendations/${id}`)).status, 404)
})

test('who reads recommendations does not change them', async () => {
  const app = await startApp()
  assert.equal((await app.post('/recommendations', body, { scopes: ['recommendations'] })).status, 403)
})
