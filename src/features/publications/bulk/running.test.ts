import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { eventually } from '../../../../test/harness/access.ts'
import { secretKey, startApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  addPublication,
  changePublication,
  readPublication,
  storedVersions,
  text,
} from '../../../../test/harness/publications.ts'
import { clientOptions } from '../../../database/session.ts'
import { createLog, runContext } from '../../../service.ts'

const put = '/publications/bulk/put?all=true'
const archived = { status: { 'en-US': { body: 'Archived' } } }

/** In the order in which operations deal with them. */
const addMany = async (app: TestApp, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let made = 0; made < count; made += 10) {
    const some = Array.from({ length: Math.min(10, count - made) }, (_, index) => `Number ${made + index}`)
    const added = await Promise.all(
      some.map((title) => addPublication(app, { 'en-US': { title: text(title) } })),
    )
    ids.push(...added.map(({ id }) => id))
  }
  return ids.sort()
}

type Operation = { id: string; status: string; matched: number; processed: number; failed: number }

const read = async (app: TestApp, { id }: Operation) =>
  (await app.get(`/bulk_operations/${id}?fields=errors`)).body as Operation & Record<string, unknown>

const ended = (app: TestApp, operation: Operation) =>
  eventually(async () => {
    const found = await read(app, operation)
    return !['pending', 'running'].includes(found.status) && found
  }, 30_000)

/** Keeps a publication locked, so that an operation has to wait for it. */
const hold = async (app: TestApp, id: string) => {
  const client = new pg.Client(clientOptions(app.databaseUrl, 'test lock'))
  await client.connect()
  await client.query('begin')
  await client.query('select 1 from publications where id = $1 for update', [id])
  return { release: () => client.end() }
}

/** How many wait for a lock; those of this test alone, because its file has a database of its own. */
const waiting = async ({ context }: TestApp): Promise<number> => {
  const { rows } = await sql<{ count: string }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(context.db)
  return Number(rows[0]!.count)
}

const anotherNode = (app: TestApp) =>
  runContext(
    app.context.config,
    { url: app.databaseUrl, directUrl: app.databaseUrl },
    secretKey,
    createLog('silent'),
    { background: true },
  )

const versionsOf = async (app: TestApp, ids: string[]): Promise<number[]> =>
  Promise.all(ids.map(async (id) => (await storedVersions(app, id)).length))

test('an operation that is cancelled stops where it is, and what it did can be undone', async () => {
  const app = await startApp()
  const ids = await addMany(app, 120)
  const lock = await hold(app, ids[70]!)
  const { body } = await app.put(put, archived)
  await eventually(async () => (await read(app, body)).processed === 50)
  await eventually(async () => (await waiting(app)) === 1)
  const cancelling = app.post(`/bulk_operations/${body.id}/cancel`)
  await eventually(async () => (await waiting(app)) === 2)
  await lock.release()
  const cancelled = await cancelling
  assert.deepEqual(
    [cancelled.status, cancelled.body.status, cancelled.body.processed],
    [200, 'cancelled', 75],
  )
  assert.equal((await app.post(`/bulk_operations/${body.id}/cancel`)).body.status, 'cancelled')
  assert.deepEqual(await versionsOf(app, ids), [...Array(75).fill(2), ...Array(45).fill(1)])
  const undone = await ended(app, (await app.post(`/bulk_operations/${body.id}/undo`)).body)
  assert.deepEqual([undone.matched, undone.processed, undone.failed], [75, 75, 0])
  assert.equal((await app.get('/publications?status[eq]=To do')).body.total, 120)
  assert.equal((await app.post(`/bulk_operations/${undone.id}/cancel`)).status, 409)
})

test('what is killed in the middle goes on where it stopped, each record once, on whatever node', async () => {
  const app = await startApp()
  const ids = await addMany(app, 120)
  const lock = await hold(app, ids[70]!)
  const { body } = await app.put(put, archived)
  await eventually(async () => (await read(app, body)).processed === 50 && (await waiting(app)) === 1)
  const killed = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.context.db)
  assert.equal(killed.rows.length, 1)
  await eventually(async () => (await waiting(app)) === 0)
  assert.equal((await read(app, body)).processed, 50)
  const node = await anotherNode(app)
  await lock.release()
  const done = await ended(app, body)
  await node.close()
  assert.deepEqual([done.status, done.processed, done.failed], ['done', 120, 0])
  assert.deepEqual(await versionsOf(app, ids), Array(120).fill(2))
})

test('a bulk put beside 200 single changes loses neither', async () => {
  const app = await startApp()
  const ids = await addMany(app, 60)
  const { body } = await app.put(put, archived)
  const titles = new Map<string, string>()
  for (let round = 0; round < 20; round += 1)
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const id = ids[(round * 10 + index * 7) % ids.length]!
        titles.set(id, `Round ${round} ${index}`)
        return changePublication(app, id, { items: { 'en-US': { title: text(titles.get(id)!) } } })
      }),
    )
  const done = await ended(app, body)
  assert.deepEqual([done.processed, done.failed], [60, 0])
  for (const id of ids) {
    const { status, items } = await readPublication(app, id)
    assert.equal(status['en-US'].body, 'Archived')
    if (titles.has(id)) assert.equal(items['en-US'].title.body, titles.get(id))
  }
})

test('operations come one after the other, and what happened since they were accepted is kept', async () => {
  const app = await startApp()
  const [first, edited, gone, added] = await addMany(app, 4)
  const lock = await hold(app, first!)
  const one = (await app.put(put, archived)).body
  await eventually(async () => (await waiting(app)) === 1)
  const two = (await app.put(put, { status: { 'en-US': { body: 'Review' } } })).body
  await lock.release()
  await ended(app, one)
  await ended(app, two)
  assert.equal((await app.get('/publications?status[eq]=Review')).body.total, 4)
  const again = await hold(app, first!)
  const three = (await app.put('/publications/bulk/put?status[eq]=Review', archived)).body
  const last = (
    await app.put('/publications/bulk/put?status[eq]=Review', { publish_on: { 'en-US': '2020-01-01' } })
  ).body
  await changePublication(app, edited!, { status: { 'en-US': { body: 'Done' } } })
  await app.delete(`/publications/${gone}`)
  const late = await addPublication(app, undefined, { status: { 'en-US': { body: 'Review' } } })
  await again.release()
  assert.deepEqual([(await ended(app, three)).processed, (await ended(app, last)).failed], [4, 0])
  const shown = await readPublication(app, edited!)
  assert.match(shown.publish_on['en-US'], /^2020/)
  assert.match((await readPublication(app, added!)).publish_on['en-US'], /^2020/)
  assert.equal((await app.get(`/publications/${gone}`)).status, 404)
  assert.equal((await storedVersions(app, late.id)).length, 1)
})

test('an operation stops when its token is revoked', async () => {
  const app = await startApp()
  const [first, second] = await addMany(app, 2)
  const { value: token, row } = await app.addToken()
  const lock = await hold(app, first!)
  const one = (await app.put(put, archived)).body
  await eventually(async () => (await waiting(app)) === 1)
  const two = (await app.put(put, { status: { 'en-US': { body: 'Review' } } }, { token })).body
  assert.equal((await app.delete(`/tokens/${row.id}`)).status, 204)
  await lock.release()
  await ended(app, one)
  const failed = await ended(app, two)
  assert.deepEqual([failed.status, failed.reason, failed.processed], ['failed', 'the token was revoked', 0])
  assert.equal((await readPublication(app, second!)).status['en-US'].body, 'Archived')
})
