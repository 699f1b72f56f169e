import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addContainer, addPerson } from '../../../test/harness/factories.ts'
import { readerToken } from '../../../test/harness/publications.ts'
import { faults, made } from '../../../test/harness/records/kind.ts'
import { addReader, signIn, signInSettings } from '../../../test/harness/sign-in.ts'
import { notifySubscribers } from './jobs.ts'

let app: TestApp
before(async () => {
  app = await startApp(signInSettings)
})

const published_on = '2026-01-01T00:00:00+00:00'
const add = async (body: object = {}): Promise<string> =>
  made(await app.post('/v5/publications', { label: 'Episode', name: 'One', published_on, ...body })).id
const publish = (id: string) => app.put(`/v5/publications/${id}`, { status: 'published' })

const addSubscriber = async (id: string, more: object = {}) => {
  const reader = await addReader(app, more)
  const { body } = await signIn(app, reader)
  const path = `/publications/${id}/subscribe?session_hash=${body.hash}`
  assert.equal((await app.call('POST', path)).status, 204)
  return { ...reader, hash: body.hash as string }
}
type Subscriber = Awaited<ReturnType<typeof addSubscriber>>

const listed = async ({ hash }: Subscriber, state: string): Promise<string[]> => {
  const query = `me[notification][state]=${state}&session_hash=${hash}&fields=notification`
  const { body, status, text } = await app.get(`/v5/publications?${query}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.items.length)
  for (const item of body.items) assert.equal(item.notification.state, state)
  return body.items.map(({ id }: { id: string }) => id).sort()
}
const move = (id: string, body: object, query = '', call = {}) =>
  app.put(`/v5/publications/${id}/notification${query}`, body, call)

test('publishing tells the subscribers of a publication and of others in its containers, once', async () => {
  const [story, elsewhere] = [await addContainer(app), await addContainer(app)]
  const first = await add({ container: { id: story.id }, status: 'published' })
  const other = await add({ container: { id: elsewhere.id }, status: 'published' })
  const next = await add({ container: { id: story.id } })
  const [own, sibling, stranger] = [
    await addSubscriber(next),
    await addSubscriber(first),
    await addSubscriber(other),
  ]
  const quiet = await addSubscriber(first, { exclude_until: '2099-01-01T00:00:00Z' })
  assert.deepEqual(await listed(own, 'pending'), [])
  await publish(next)
  await eventually(async () => (await listed(own, 'pending')).length === 1)
  assert.deepEqual(await listed(own, 'pending'), [next])
  assert.deepEqual(await listed(sibling, 'pending'), [next])
  assert.deepEqual([await listed(stranger, 'pending'), await listed(quiet, 'pending')], [[], []])
  // Published again it is the same notification.
  assert.equal((await move(next, { state: 'discarded' }, `?session_hash=${own.hash}`)).status, 200)
  await app.put(`/v5/publications/${next}`, { status: 'draft' })
  await publish(next)
  await notifySubscribers(app.context, { environment_id: app.environment.id, id: next })
  assert.deepEqual([await listed(own, 'pending'), await listed(own, 'discarded')], [[], [next]])
  // What is not published any more is not told.
  const withdrawn = await add({ container: { id: story.id } })
  await notifySubscribers(app.context, { environment_id: app.environment.id, id: withdrawn })
  assert.deepEqual(await listed(sibling, 'pending'), [next])
})

test('a person moves the own notification between its states, and no other', async () => {
  const id = await add()
  const [one, other] = [await addSubscriber(id), await addSubscriber(id)]
  await publish(id)
  await eventually(async () => (await listed(other, 'pending')).length === 1)
  const moved = await move(id, { state: 'published', session_hash: one.hash })
  assert.equal(moved.status, 200, moved.text)
  assert.deepEqual(
    [moved.body.label, moved.body.state, moved.body.publication],
    ['Notification', 'published', { id }],
  )
  assert.ok(moved.body.changed_on !== null)
  assert.deepEqual([await listed(one, 'pending'), await listed(one, 'published')], [[], [id]])
  assert.deepEqual(await listed(other, 'pending'), [id])
  for (const state of ['discarded', 'pending', 'pending'])
    assert.equal((await move(id, { state }, `?session_hash=${one.hash}`)).body.state, state)
  assert.deepEqual(faults(await move(id, { state: 'pending' })), ['session_hash'])
  assert.deepEqual(faults(await move(id, { state: 'gone', session_hash: one.hash })), ['state'])
  assert.deepEqual(faults(await move(id, { state: 'pending', session_hash: 'none' })), ['session_hash'])
  const nobody = await signIn(app, await addReader(app))
  assert.equal((await move(id, { state: 'pending', session_hash: nobody.body.hash })).status, 404)
  await app.put(`/v5/publications/${id}`, { status: 'draft' })
  const token = await readerToken(app)
  assert.equal((await move(id, { state: 'pending', session_hash: one.hash }, '', { token })).status, 404)
})

test('notifications go with their person, and with their publication', async () => {
  const id = await add()
  const [gone, hidden, kept] = [await addSubscriber(id), await addSubscriber(id), await addSubscriber(id)]
  await publish(id)
  const count = async () => (await app.sql`select 1 from notifications where publication_id = ${id}`).length
  await eventually(async () => (await count()) === 3)
  const exported = await app.get(`/persons/${kept.id}/export`)
  assert.deepEqual(
    exported.body.notifications.map(({ publication_id, state }: never) => [publication_id, state]),
    [[id, 'pending']],
  )
  await app.delete(`/persons/${gone.id}`)
  assert.equal(await count(), 2)
  await app.put(`/persons/${hidden.id}/anonymize`, {})
  assert.equal(await count(), 1)
  const heir = await addPerson(app)
  await app.post(`/persons/${heir.id}/merge`, { person: { id: kept.id } })
  const rows = await app.sql<{ person_key: string }[]>`select person_key from notifications
    where publication_id = ${id}`
  assert.deepEqual(rows, [{ person_key: heir.key }])
  await app.delete(`/v5/publications/${id}`)
  assert.equal(await count(), 0)
})

test('many subscribers are told in batches', async () => {
  const id = await add()
  const { id: environment } = app.environment
  await app.sql`insert into persons (environment_id, id)
    select ${environment}, 'many-' || n from generate_series(1, 5500) n`
  // As autovacuum does before long.
  await app.sql`analyze persons`
  await app.sql`insert into person_links (environment_id, person_key, kind, publication_id)
    select environment_id, key, 'Subscribe', ${id} from persons
    where environment_id = ${environment} and id like 'many-%'`
  await publish(id)
  await notifySubscribers(app.context, { environment_id: environment, id })
  const [row] = await app.sql<{ count: number }[]>`select count(*)::integer as count from notifications
    where publication_id = ${id}`
  assert.equal(row!.count, 5500)
})
