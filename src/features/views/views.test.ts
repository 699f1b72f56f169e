import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser, openStudio } from '../../../test/harness/access.ts'
import { startApp } from '../../../test/harness/app.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'

const body = { area: 'content', name: 'Waiting', query: 'status[in]=Review&sort=-changed_on' }

test('a view is saved, listed by its place, changed and deleted; the audit log knows', async () => {
  const app = await startApp()
  const { token } = await openStudio(app, await addUser(app))
  const second = await app.post('/views', { ...body, position: 2 }, { token })
  assert.equal(second.status, 201, second.text)
  const { id, created_on, ...rest } = second.body
  assert.deepEqual(rest, { ...body, changed_on: null, label: 'View', shared: false, position: 2 })
  const first = await app.post('/views', { ...body, name: 'First', position: 1 }, { token })
  await app.post('/views', { ...body, area: 'media' }, { token })
  const listed = await app.get('/views?area[eq]=content', { token })
  assert.deepEqual(
    listed.body.items.map((view: { id: string }) => view.id),
    [first.body.id, id],
  )
  const changed = await app.put(`/views/${id}`, { name: 'Later', query: '' }, { token })
  assert.deepEqual([changed.body.name, changed.body.query, changed.body.area], ['Later', '', 'content'])
  const stale = { token, headers: { 'if-match': second.headers.get('etag')! } }
  assert.equal((await app.put(`/views/${id}`, { name: 'Stale' }, stale)).status, 412)
  assert.equal((await app.delete(`/views/${id}`, { token })).status, 204)
  assert.equal((await app.get(`/views/${id}`, { token })).status, 404)
  assert.deepEqual(await eventsOf(app, id), ['view.created', 'view.changed', 'view.deleted'])
})

test('an own view is there for its user alone, a shared one for all of the environment', async () => {
  const app = await startApp()
  const [one, other] = [await openStudio(app, await addUser(app)), await openStudio(app, await addUser(app))]
  const own = (await app.post('/views', body, { token: one.token })).body
  const strange = await startApp()
  for (const call of [
    () => app.get(`/views/${own.id}`, { token: other.token }),
    () => app.put(`/views/${own.id}`, { name: 'Mine' }, { token: other.token }),
    () => app.delete(`/views/${own.id}`, { token: other.token }),
    () => app.get(`/views/${own.id}`),
    () => strange.get(`/views/${own.id}`),
  ])
    assert.equal((await call()).status, 404)
  assert.equal((await app.get('/views', { token: other.token })).body.total, 0)
  await app.put(`/views/${own.id}`, { shared: true }, { token: one.token })
  assert.equal((await app.get('/views', { token: other.token })).body.total, 1)
  const taken = await app.put(`/views/${own.id}`, { shared: false }, { token: other.token })
  assert.equal(taken.body.shared, false)
  assert.equal((await app.get('/views', { token: one.token })).body.total, 0)
})

test('who only reads keeps own views and changes no shared one; a token without a user has only shared ones', async () => {
  const app = await startApp()
  const viewer = await openStudio(app, await addUser(app, 'viewer'))
  assert.equal((await app.post('/views', body, { token: viewer.token })).status, 201)
  assert.equal((await app.post('/views', { ...body, shared: true }, { token: viewer.token })).status, 403)
  const shared = await app.post('/views', body)
  assert.equal(shared.body.shared, true)
  assert.equal((await app.get(`/views/${shared.body.id}`, { token: viewer.token })).status, 200)
  for (const refused of [
    await app.put(`/views/${shared.body.id}`, { name: 'x' }, { token: viewer.token }),
    await app.delete(`/views/${shared.body.id}`, { token: viewer.token }),
  ])
    assert.equal(refused.status, 403)
  assert.deepEqual(faults(await app.post('/views', { ...body, shared: false })), ['shared'])
})

test('a view goes with its user, and everything wrong with one is told at once', async () => {
  const app = await startApp()
  const user = await addUser(app)
  const { token } = await openStudio(app, user)
  const { id } = (await app.post('/views', body, { token })).body
  await app.sql.run(`delete from memberships where user_id = '${user.id}'`)
  await app.sql.run(`delete from tokens where user_id = '${user.id}'`)
  await app.sql.run(`delete from users where id = '${user.id}'`)
  assert.deepEqual(await app.sql.run(`select 1 from views where id = '${id}'`), [])
  const wrong = { area: 'A b', name: ' ', query: 1, shared: 'x', position: -1, other: 1 }
  assert.deepEqual(faults(await app.post('/views', wrong)), [
    'area',
    'name',
    'other',
    'position',
    'query',
    'shared',
  ])
  assert.deepEqual(faults(await app.post('/views', {})), ['area', 'name', 'query'])
})
