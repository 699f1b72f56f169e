import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { eventually } from '../../../../test/harness/access.ts'
import { secretKey, startApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  counts,
  csv,
  errorsOf,
  importEnded,
  readImport,
  runImport,
  sendFile,
} from '../../../../test/harness/imports.ts'
import { exchange, tlsSocket } from '../../../../test/http/raw.ts'
import { clientOptions } from '../../../database/session.ts'
import { createLog, runContext } from '../../../service.ts'
import { cleanUpImports } from '../../imports/jobs.ts'

/** A batch has 250 rows. */
const fileOf = (count: number): string =>
  ['reference_id,last_name', ...Array.from({ length: count }, (_, n) => `r${n},Name ${n}`)].join('\n')

const session = async (app: TestApp) => {
  const client = new pg.Client(clientOptions(app.databaseUrl, 'test lock'))
  await client.connect()
  await client.query('begin')
  return client
}

/** Keeps the person that a later row of the file changes locked, so that an import has to wait for it. */
const hold = async (app: TestApp, reference: string) => {
  assert.equal((await app.post('/persons', { reference_id: reference })).status, 201)
  const client = await session(app)
  await client.query('select 1 from persons where environment_id = $1 and reference_id = $2 for update', [
    app.environment.id,
    reference,
  ])
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

const createdEvents = async (app: TestApp) => {
  await eventually(
    async () => (await sql`select 1 from outbox limit 1`.execute(app.context.db)).rows.length === 0,
  )
  const { rows } = await sql<{ all: string; distinct: string }>`select count(*) as all,
      count(distinct snapshot ->> 'reference_id') as distinct from events
    where environment_id = ${app.environment.id} and event = 'person.created'`.execute(app.context.db)
  return [Number(rows[0]!.all), Number(rows[0]!.distinct)]
}

const leftOf = async (app: TestApp, table: string) =>
  (
    await sql`select 1 from ${sql.table(table)} where environment_id = ${app.environment.id}`.execute(
      app.context.db,
    )
  ).rows.length

test('an import that is cancelled stops where it is, and its rows are forgotten', async () => {
  const app = await startApp()
  const lock = await hold(app, 'r600')
  const { body } = await sendFile(app, fileOf(1500))
  await eventually(async () => (await readImport(app, body)).processed === 500 && (await waiting(app)) === 1)
  const cancelling = app.post(`/persons/imports/${body.id}/cancel`)
  await eventually(async () => (await waiting(app)) === 2)
  await lock.release()
  const cancelled = await cancelling
  assert.deepEqual(
    [cancelled.status, ...Object.values(counts(cancelled.body))],
    [200, 'cancelled', [1500, 750, 749, 1, 0]],
  )
  assert.equal(await leftOf(app, 'import_rows'), 0)
  assert.equal((await app.post(`/persons/imports/${body.id}/cancel`)).body.status, 'cancelled')
  assert.equal((await app.get('/persons')).body.total, 750)
  const again = await runImport(app, fileOf(1500))
  assert.deepEqual(counts(again), { status: 'done', counts: [1500, 1500, 750, 750, 0] })
  assert.equal((await app.post(`/persons/imports/${again.id}/cancel`)).status, 409)
})

test('what loses its connection in the middle goes on where it stopped, each row once, on whatever node', async () => {
  const app = await startApp()
  const lock = await hold(app, 'r600')
  const { body } = await sendFile(app, fileOf(1500))
  await eventually(async () => (await readImport(app, body)).processed === 500 && (await waiting(app)) === 1)
  const killed = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.context.db)
  assert.equal(killed.rows.length, 1)
  await eventually(async () => (await waiting(app)) === 0)
  assert.equal((await readImport(app, body)).processed, 500)
  const node = await anotherNode(app)
  await lock.release()
  const done = await importEnded(app, body)
  await node.close()
  assert.deepEqual(counts(done), { status: 'done', counts: [1500, 1500, 1499, 1, 0] })
  assert.equal((await app.get('/persons')).body.total, 1500)
  assert.deepEqual(await createdEvents(app), [1500, 1500])
})

test('somebody who comes into being meanwhile under the same reference is found, and the other rows are unharmed', async () => {
  const app = await startApp()
  const client = await session(app)
  await client.query(
    `insert into persons (environment_id, id, reference_id) values ($1, 'meanwhile', 'r7')`,
    [app.environment.id],
  )
  const { body } = await sendFile(app, fileOf(20))
  await eventually(async () => (await waiting(app)) === 1)
  await client.query('commit')
  await client.end()
  const done = await importEnded(app, body)
  assert.deepEqual(counts(done), { status: 'done', counts: [20, 20, 19, 1, 0] })
  assert.equal((await app.get('/persons/meanwhile')).body.last_name, 'Name 7')
})

test('a row that only PostgreSQL refuses fails alone', async () => {
  const app = await startApp()
  const client = await session(app)
  await client.query(
    `insert into persons (environment_id, id, reference_id) values ($1, 'meanwhile', 'r7')`,
    [app.environment.id],
  )
  const rows = Array.from({ length: 20 }, (_, n) => `p${n},r${n}`)
  const { body } = await sendFile(app, ['id,reference_id', ...rows].join('\n'), '?match=id')
  await eventually(async () => (await waiting(app)) === 1)
  await client.query('commit')
  await client.end()
  const done = await importEnded(app, body)
  assert.deepEqual(counts(done), { status: 'done', counts: [20, 20, 19, 0, 1] })
  assert.deepEqual(await errorsOf(app, done), [
    { row: 9, column: 'reference_id', message: 'is already taken' },
  ])
})

test('revoking the token ends its imports', async () => {
  const app = await startApp()
  const lock = await hold(app, 'r300')
  const token = await app.addToken()
  const { body } = await sendFile(app, fileOf(1000), '', { token: token.value })
  await eventually(async () => (await waiting(app)) === 1)
  assert.equal((await app.delete(`/tokens/${token.row.id}`)).status, 204)
  await lock.release()
  const done = await importEnded(app, body)
  assert.deepEqual([done.status, done.reason, done.processed], ['failed', 'the token was revoked', 500])
  assert.equal(await leftOf(app, 'import_rows'), 0)
})

test('imports of one environment go one after the other, and repeated rows of a file build on each other', async () => {
  const app = await startApp()
  const rows = Array.from({ length: 300 }, (_, n) => `r${n % 3},Name ${n}`)
  const first = await sendFile(app, ['reference_id,last_name', ...rows].join('\n'))
  const second = await sendFile(app, 'reference_id,last_name\nr0,Last')
  const [one, two] = [await importEnded(app, first.body), await importEnded(app, second.body)]
  assert.deepEqual(
    [counts(one).counts, counts(two).counts],
    [
      [300, 300, 3, 297, 0],
      [1, 1, 0, 1, 0],
    ],
  )
  const { body } = await app.get('/persons?reference_id[eq]=r0')
  assert.equal(body.items[0].last_name, 'Last')
})

test('a file that does not arrive whole leaves nothing behind', async () => {
  const app = await startApp()
  const token = await app.tokenFor(['persons', 'persons_publish'])
  const head = (length: number) =>
    `POST /persons/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: text/csv\r\nContent-Length: ${length}\r\n\r\n`
  const socket = await tlsSocket(app.port)
  socket.on('error', () => {})
  socket.write(head(1_000_000) + fileOf(600))
  await eventually(async () => (await leftOf(app, 'imports')) === 1)
  assert.equal((await app.get('/persons/imports')).body.total, 0)
  socket.destroy()
  await eventually(async () => (await leftOf(app, 'imports')) === 0)
  assert.equal(await leftOf(app, 'import_rows'), 0)
  const { text } = await exchange(await tlsSocket(app.port), head(1_000_000_001))
  assert.match(text, /^HTTP\/1.1 413 /)
})

test('over HTTP/2 a file arrives as well, and one whose stream is cancelled is forgotten', async () => {
  const app = await startApp()
  const token = await app.tokenFor(['persons', 'persons_publish'])
  const connection = http2.connect(app.origin, { rejectUnauthorized: false })
  const open = () =>
    connection.request({
      ':method': 'POST',
      ':path': '/persons/import',
      authorization: `Bearer ${token}`,
      'content-type': 'text/csv',
    })
  const whole = open()
  whole.end(fileOf(600))
  const [head] = await once(whole, 'response')
  assert.equal(head[':status'], 202)
  whole.resume()
  const [done] = (await app.get('/persons/imports')).body.items
  assert.equal((await importEnded(app, done)).created, 600)
  const cancelled = open().on('error', () => {})
  cancelled.write(fileOf(900))
  await eventually(async () => (await leftOf(app, 'imports')) === 2)
  cancelled.close(http2.constants.NGHTTP2_CANCEL)
  await eventually(async () => (await leftOf(app, 'imports')) === 1)
  assert.equal((await app.get('/persons')).body.total, 600)
  connection.destroy()
})

test('errors go after a week, what a dry run noted after it, and a file that stopped arriving with its time', async () => {
  const app = await startApp()
  const { db } = app.context
  const [old, young] = [
    await runImport(app, 'reference_id,gender\na,x\nb,male', '?dry_run=true'),
    await runImport(app, 'gender\nx'),
  ]
  assert.equal(await leftOf(app, 'import_names'), 1)
  await sql`update imports set changed_on = now() - interval '8 days' where id = ${old.id}`.execute(db)
  await sql`insert into imports (environment_id, id, kind, status, performed_by, created_on)
    values (${app.environment.id}, 'left', 'persons', 'receiving', '{}', now() - interval '3 hours'),
      (${app.environment.id}, 'arriving', 'persons', 'receiving', '{}', now() - interval '1 hour')`.execute(
    db,
  )
  await cleanUpImports(app.context)
  assert.deepEqual([(await errorsOf(app, old)).length, (await errorsOf(app, young)).length], [0, 1])
  assert.equal(await leftOf(app, 'import_names'), 0)
  assert.equal(await leftOf(app, 'imports'), 3)
  assert.equal((await app.get('/persons/imports/arriving')).status, 404)
  assert.equal((await sendFile(app, 'gender\nmale', '', { headers: csv })).status, 202)
})
