import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { addUser, eventually, openStudio } from '../../../test/harness/access.ts'
import { secretKey, startApp, type TestApp } from '../../../test/harness/app.ts'
import { testCertificate } from '../../../test/harness/certificate.ts'
import { type Heard, type Listening, listenTo } from '../../../test/harness/events.ts'
import { addChannel, addContainer } from '../../../test/harness/factories.ts'
import { bodyOf, text } from '../../../test/harness/publications.ts'
import { transaction } from '../../database/transaction.ts'
import { emit } from '../../events.ts'
import { defaultLimits } from '../../http/limits.ts'
import { listen } from '../../http/server.ts'
import { createLog, runContext } from '../../service.ts'
import { scopes as allScopes } from '../access/scopes.ts'

/** So many events of so many random characters each, which no compression makes smaller. */
const emitLarge = async (app: TestApp, count: number, size: number): Promise<void> => {
  const by = {
    organisation_id: app.organisation,
    environment_id: app.environment.id,
    token_id: null,
    user_id: null,
  }
  for (let number = 0; number < count; number += 1)
    await transaction(app.context, (tx) =>
      emit(
        tx,
        by,
        'container.changed',
        { id: 'large' },
        { number, text: randomBytes(size / 2).toString('hex') },
      ),
    )
}
const numbersOf = ({ events }: Listening): number[] => events.map(({ data }) => data.payload.number)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number)

const dispatched = async (app: TestApp): Promise<number> => {
  const { count } = await app.context.db
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('environment_id', '=', app.environment.id)
    .where('record_id', '=', 'large')
    .executeTakeFirstOrThrow()
  return Number(count)
}

const collect = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_000_000
}
const gauge = async (app: TestApp, name: string): Promise<number> => {
  const { text } = await app.get('/metrics', { token: null })
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)![1])
}

test('the real limits are those that are promised', () => {
  const { streams, streamsPerToken, heartbeat, unread } = defaultLimits
  assert.deepEqual([streams, streamsPerToken, heartbeat, unread], [500, 20, 10_000, 30_000])
})

for (const version of [1, 2] as const)
  test(`whoever does not read costs next to nothing, and misses nothing (HTTP/${version})`, async () => {
    const app = await startApp()
    const options = { scopes: [], ...(version === 2 && { http2: true as const }) }
    const streams = await Promise.all(Array.from({ length: 6 }, () => listenTo(app, '', options)))
    for (const { body } of streams) body.pause()
    const before = collect()
    await emitLarge(app, 80, 500_000)
    await eventually(async () => (await dispatched(app)) === 80, 30_000)
    // Forty megabytes for each of six, if they were kept.
    const grown = collect() - before
    assert.ok(grown < 100, `${Math.round(grown)} MB`)
    streams[0]!.body.resume()
    await streams[0]!.count(80, 30_000)
    assert.deepEqual(numbersOf(streams[0]!), upTo(80))
    for (const stream of streams) stream.close()
  })

for (const version of [1, 2] as const)
  test(`whoever reads nothing for too long is cut, and goes on where it was (HTTP/${version})`, async () => {
    const app = await startApp({}, { limits: { unread: 1500, heartbeat: 300 } })
    const options = { scopes: [], ...(version === 2 && { http2: true as const }) }
    const stuck = await listenTo(app, '', options)
    const patient = await listenTo(app, '', options)
    stuck.body.pause()
    await emitLarge(app, 30, 500_000)
    await patient.count(30, 30_000)
    await eventually(async () => (await openStreams(app)) === 1, 15_000)
    stuck.body.resume()
    await stuck.over
    assert.ok(stuck.events.length < 30, 'it was cut')
    const again = await listenTo(app, '', { ...options, after: stuck.lastId() })
    await again.count(30 - stuck.events.length, 30_000)
    assert.deepEqual([...numbersOf(stuck), ...numbersOf(again)], upTo(30))
    assert.equal(patient.isOver(), false, 'whoever reads is not')
    for (const stream of [again, patient]) stream.close()
  })

const published = bodyOf({ 'en-US': { title: text('Published') } }, { status: { 'en-US': { body: 'Done' } } })

const openStreams = (app: TestApp): Promise<number> => gauge(app, 'marquee_event_streams')

test('a stream that has nothing to tell says so, and stands still for longer than any other answer may', async () => {
  const app = await startApp(
    {},
    { limits: { heartbeat: 300, stall: 500, window: 500, idle: 1000, look: 100, headers: 700 } },
  )
  const streams = [await listenTo(app), await listenTo(app, '', { http2: true })]
  const from = Date.now()
  await Promise.all(streams.map((stream) => stream.until(() => stream.comments.length >= 8)))
  assert.ok(Date.now() - from > 2000)
  const { id } = await addContainer(app)
  for (const stream of streams) {
    assert.equal((await stream.count(1))[0]!.data.payload.id, id)
    assert.match(stream.raw(), /\n\n:\nid: \d+\n\n/)
    stream.close()
  }
})

test('streams take no place of requests, and are bounded by themselves', async () => {
  const app = await startApp({}, { limits: { inFlight: 3, streams: 8, streamsPerToken: 5 } })
  const [token, other] = [await app.tokenFor([]), await app.tokenFor(['channels'])]
  const own: Listening[] = []
  for (let count = 0; count < 5; count += 1) own.push(await listenTo(app, '', { token }))
  assert.equal((await app.get('/channels')).status, 200)
  assert.equal(await gauge(app, 'marquee_http_requests_in_flight'), 1, 'the one that asks')
  const refused = await app.get('/events', { token })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5'])
  for (let count = 0; count < 3; count += 1) own.push(await listenTo(app, '', { token: other }))
  const full = await app.get('/events', { token: other })
  assert.deepEqual([full.status, full.headers.get('retry-after')], [503, '5'])
  own.shift()!.close()
  await eventually(async () => (await openStreams(app)) === 7)
  const next = await listenTo(app, '', { token })
  assert.equal(next.status, 200)
  for (const stream of [...own, next]) stream.close()
  await eventually(async () => (await openStreams(app)) === 0)
})

/** Fails unless the stream ends by then. */
const within = async (limit: number, stream: Listening): Promise<void> => {
  const from = performance.now()
  await eventually(async () => stream.isOver(), limit)
  assert.ok(performance.now() - from < limit)
}

test('a token that is revoked or expired ends its streams within about two seconds', async () => {
  const app = await startApp()
  const kept = await listenTo(app, '', { token: (await app.addToken()).value })
  const ends: [string, (id: string) => Promise<{ status: number }>][] = [
    ['revoked', (id) => app.delete(`/tokens/${id}`)],
    ['expired', (id) => app.put(`/tokens/${id}`, { expires_on: new Date(Date.now() + 1000).toISOString() })],
  ]
  for (const [name, act] of ends) {
    const { row, value } = await app.addToken()
    const stream = await listenTo(app, '', { token: value })
    assert.ok((await act(row.id)).status < 300, name)
    await within(name === 'expired' ? 3500 : 2500, stream)
  }
  assert.equal(kept.isOver(), false)
  kept.close()
})

test('signing out ends the streams of the session', async () => {
  const app = await startApp()
  const { session, cookie, token } = await openStudio(app, await addUser(app, 'editor'))
  const stream = await listenTo(app, '', { token })
  assert.equal(stream.status, 200)
  const left = await app.delete(`/sessions/${session.id}`, { token, headers: { cookie } })
  assert.equal(left.status, 204, left.text)
  await within(2500, stream)
})

test('a shutdown waits for no stream, read or not', async () => {
  const app = await startApp()
  const server = await listen(app.context, await testCertificate())
  const options = { port: server.port, scopes: [] }
  const streams = await Promise.all([
    listenTo(app, '', options),
    listenTo(app, '', { ...options, http2: true }),
    listenTo(app, '', options),
    listenTo(app, '', { ...options, http2: true }),
  ])
  for (const { body } of streams.slice(2)) body.pause()
  await emitLarge(app, 20, 500_000)
  await Promise.all(streams.slice(0, 2).map((stream) => stream.count(20, 20_000)))
  const from = performance.now()
  await server.close()
  assert.ok(performance.now() - from < 5000, `${performance.now() - from} ms`)
  for (const { body } of streams.slice(2)) body.resume()
  await Promise.all(streams.map(({ over }) => over))
})

test('a stream outlives the connections to the database', async () => {
  const app = await startApp({}, { limits: { heartbeat: 500 } })
  const streams = [await listenTo(app), await listenTo(app, 'filter[status][eq]=Done', { scopes: allScopes })]
  for (let round = 0; round < 3; round += 1) {
    await app.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    await eventually(async () => (await app.post('/channels', { name: `Round ${round}` })).status === 201)
    await eventually(async () => (await app.post('/publications', published)).status === 201)
  }
  const created = (name: string) => (events: Heard[]) =>
    events.filter(({ event }) => event === `${name}.created`)
  await streams[0]!.until((events) => events.some(({ data }) => data.payload.name === 'Round 2'))
  await streams[1]!.until((events) => created('publication')(events).length >= 3)
  // A write whose answer was lost may have been made twice.
  const names = created('channel')(streams[0]!.events).map(({ data }) => data.payload.name)
  assert.deepEqual([...new Set(names)], ['Round 0', 'Round 1', 'Round 2'])
  for (const stream of streams) stream.close()
})

test('two processes on one database both stream everything', async () => {
  const app = await startApp()
  const { context, databaseUrl: url } = app
  const log = createLog('silent')
  const other = await runContext(context.config, { url, directUrl: url }, secretKey, log, {
    background: true,
  })
  const server = await listen(other.context, await testCertificate())
  try {
    const streams = [await listenTo(app), await listenTo(app, '', { port: server.port })]
    const elsewhere = { ...app, context: other.context }
    for (let count = 0; count < 40; count += 1) await addChannel(count % 2 === 0 ? app : elsewhere)
    const [one, two] = await Promise.all(streams.map((stream) => stream.count(40)))
    assert.deepEqual(one, two)
    assert.equal(new Set(one!.map(({ data }) => data.payload.id)).size, 40)
    for (const stream of streams) stream.close()
  } finally {
    await server.close()
    await other.close()
  }
})
