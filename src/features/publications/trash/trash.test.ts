import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addUser } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addChannel, addModel } from '../../../../test/harness/factories.ts'
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
import { emptyTrash } from './jobs.ts'

const restore = (app: TestApp, id: string, call = {}) =>
  app.post(`/publications/${id}/restore?fields=items`, undefined, call)
const remove = async (app: TestApp, id: string, call = {}) =>
  assert.equal((await app.delete(`/publications/${id}`, call)).status, 204)
const trashed = async (app: TestApp, query = '') => {
  const answer = await app.get(`/publications/trash${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const ids = (body: Loose): string[] => body.items.map((item: Loose) => item.id)

test('the trash tells what was deleted, when and by whom, the newest first', async () => {
  const app = await startApp()
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id })
  const one = await addPublication(app, { 'nl-NL': { title: text('Een') }, 'en-US': { title: text('One') } })
  const two = await addPublication(app, { 'nl-NL': { title: text('Twee') } })
  await remove(app, one.id, { token })
  await remove(app, two.id)
  const { items, total } = await trashed(app)
  assert.equal(total, 2)
  assert.deepEqual(ids({ items }), [two.id, one.id])
  const { deleted_on, deleted_by, ...rest } = items[1]
  assert.deepEqual(rest, {
    id: one.id,
    created_on: one.created_on,
    changed_on: null,
    label: 'DeletedPublication',
    title: 'One',
    version: 2,
  })
  assert.equal(deleted_by.id, user.id)
  assert.ok(Math.abs(Date.parse(deleted_on) - Date.now()) < 60_000)
  assert.deepEqual([items[0].title, items[0].deleted_by], ['Twee', null])
  assert.equal((await app.get(`/publications/${one.id}`)).status, 404)
  assert.deepEqual(ids(await trashed(app, `?deleted_by[eq]=${user.id}`)), [one.id])
  assert.deepEqual(ids(await trashed(app, '?title[sw]=Tw')), [two.id])
  assert.deepEqual(faults(await app.get('/publications/trash?x=1&sort=title')), ['sort', 'x'])
})

test('the trash is paged', async () => {
  const app = await startApp()
  const made: string[] = []
  for (let index = 0; index < 5; index += 1) {
    const { id } = await addPublication(app)
    await remove(app, id)
    made.unshift(id)
  }
  const first = await trashed(app, '?limit=2')
  const second = await trashed(app, `?limit=2&after=${first.after}`)
  assert.deepEqual([...ids(first), ...ids(second)], made.slice(0, 4))
  assert.deepEqual(ids(await trashed(app, '?sort=deleted_on&skip=3')), [made[1], made[0]])
  assert.equal(second.total, 5)
})

test('what is restored is what it was, under its id, as its next version', async () => {
  const app = await startApp()
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id })
  const channel = await addChannel(app)
  const { id } = await addPublication(
    app,
    { 'en-US': { title: text('One') } },
    { channels: [{ id: channel.id }], status: { 'en-US': { body: 'Done' } } },
    { token },
  )
  await changePublication(app, id, { items: { 'nl-NL': { title: text('Een') } } })
  const query = 'fields=items,channels,created_by,published,title,status'
  const before = await readPublication(app, id, query)
  await remove(app, id)
  const restored = await restore(app, id)
  assert.equal(restored.status, 200, restored.text)
  const after = await readPublication(app, id, query)
  assert.deepEqual({ ...after, changed_on: 0 }, { ...before, changed_on: 0 })
  assert.equal(after.created_by.id, user.id)
  assert.deepEqual((await trashed(app)).items, [])
  assert.deepEqual(
    (await storedVersions(app, id)).map(({ version, event }) => [version, event]),
    [
      [1, 'created'],
      [2, 'changed'],
      [3, 'deleted'],
      [4, 'restored'],
    ],
  )
  const told = await eventsOf(app, id)
  assert.deepEqual(told.slice(-4), [
    'publication.unpublished',
    'publication.deleted',
    'publication.created',
    'publication.published',
  ])
  const found = await app.get(`/publications?channels[eq]=${channel.id}&locale=nl-NL&q=een`)
  assert.deepEqual(ids(found.body), [id], 'it is found again')
  const old = await app.get(`/publications/${id}/versions/1`)
  assert.deepEqual(old.body.locales, ['en-US'], 'with its history')
  await changePublication(app, id, { items: { 'en-US': { title: text('Two') } } })
  assert.equal((await storedVersions(app, id)).length, 5)
})

test('slugs that are taken meanwhile get a number, what is gone is left out', async () => {
  const app = await startApp()
  const [channel, kept] = [await addChannel(app), await addChannel(app)]
  const channels = [{ id: channel.id }, { id: kept.id }]
  const { id } = await addPublication(app, { 'en-US': { title: text('Same') } }, { channels })
  await remove(app, id)
  const second = await addPublication(app, { 'en-US': { title: text('Same') } })
  assert.equal(second.slug['en-US'], 'same')
  assert.equal((await app.delete(`/channels/${channel.id}`)).status, 204)
  const { body } = await restore(app, id)
  assert.deepEqual(body.slug, { 'en-US': 'same-2' })
  const { channels: left } = await readPublication(app, id, 'fields=channels')
  assert.deepEqual(
    left.map((one: Loose) => one.id),
    [kept.id],
  )
})

test('without its model it stays in the trash', async () => {
  const app = await startApp()
  const model = await addModel(app, { fields: [{ api_id: 'title', label: 'Text' }] } as never)
  const { id } = await addPublication(app, undefined, { model: { id: model.id } })
  await remove(app, id)
  assert.equal((await app.delete(`/publication_models/${model.id}`)).status, 204)
  assert.deepEqual(faults(await restore(app, id), 409), ['model'])
  assert.deepEqual(ids(await trashed(app)), [id])
})

test('only what is in the trash can be restored, once, and from its own environment', async () => {
  const app = await startApp()
  const other = await startApp()
  const { id } = await addPublication(app)
  assert.equal((await restore(app, id)).status, 404)
  assert.equal((await restore(app, absent)).status, 404)
  await remove(app, id)
  assert.equal((await restore(other, id)).status, 404)
  assert.deepEqual((await trashed(other)).items, [])
  const answers = await Promise.all(Array.from({ length: 8 }, () => restore(app, id)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404, 404, 404])
  assert.equal((await storedVersions(app, id)).length, 3)
})

test('a restore that is repeated with its key is one restore', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await remove(app, id)
  const headers = { 'idempotency-key': 'again' }
  const first = await restore(app, id, { headers })
  const second = await restore(app, id, { headers })
  assert.deepEqual([first.status, second.status], [200, 200], second.text)
  assert.deepEqual(second.body, first.body)
})

test('deleting and restoring side by side ends in one of both', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      index % 2 ? restore(app, id) : app.delete(`/publications/${id}`),
    ),
  )
  assert.ok(answers.every(({ status }) => [200, 204, 404].includes(status)))
  const living = (await app.get(`/publications/${id}`)).status === 200
  assert.equal((await trashed(app)).total, living ? 0 : 1)
  const versions = await storedVersions(app, id)
  assert.equal(versions.at(-1)!.event, versions.length === 1 ? 'created' : living ? 'restored' : 'deleted')
  assert.equal(versions.length, 1 + answers.filter(({ status }) => status !== 404).length)
})

test('the trash is not for tokens that see only what is published', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await remove(app, id)
  assert.equal((await app.get('/publications/trash', { token: await readerToken(app) })).status, 403)
  const { value: token } = await app.addToken({ visibility: 'published' })
  assert.equal((await restore(app, id, { token })).status, 403)
})

test('after 30 days it is gone for good, with its versions and notes', async () => {
  const app = await startApp()
  const [old, recent] = [await addPublication(app), await addPublication(app)]
  for (const { id } of [old, recent]) {
    assert.equal((await app.post(`/publications/${id}/internal_comments`, { body: 'Note' })).status, 201)
    await remove(app, id)
  }
  assert.equal((await trashed(app)).total, 2)
  const age = (id: string, days: number) =>
    sql`update deleted_publications set deleted_on = now() - make_interval(days => ${days}) where id = ${id}`.execute(
      app.context.db,
    )
  await age(old.id, 31)
  await age(recent.id, 29)
  await emptyTrash(app.context)
  assert.deepEqual([(await restore(app, old.id)).status, (await restore(app, recent.id)).status], [404, 200])
  assert.deepEqual(await storedVersions(app, old.id), [])
  const notes = await app.context.db
    .selectFrom('remarks')
    .select('publication_id')
    .where('publication_id', 'in', [old.id, recent.id])
    .execute()
  assert.deepEqual(notes, [{ publication_id: recent.id }])
})

test('a total that was remembered does not count what went for good', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await remove(app, id)
  assert.equal((await trashed(app)).total, 1)
  await sql`update deleted_publications set deleted_on = now() - interval '31 days' where id = ${id}`.execute(
    app.context.db,
  )
  await emptyTrash(app.context)
  const deadline = Date.now() + 5000
  while ((await trashed(app)).total !== 0) assert.ok(Date.now() < deadline, 'still counted')
})
