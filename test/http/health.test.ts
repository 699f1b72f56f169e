import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '../../src/context.ts'
import { inTransaction, type Session, withSession } from '../../src/database/session.ts'
import { startApp } from '../harness/app.ts'

test('/health needs any token of the environment and says OK', async () => {
  const app = await startApp()
  const { status, body } = await app.get('/health', { scopes: ['tags'] })
  assert.deepEqual([status, body], [200, { message: 'OK' }])
  assert.equal((await app.get('/health', { token: null })).status, 401)
  assert.equal((await app.get('/v5/health')).status, 404)
})

test('a thousand at once ask the database at most twice', async () => {
  let probes = 0
  const count = (context: Context) => {
    context.db = context.db.withPlugin({
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('as stuck')) probes += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
  }
  const app = await startApp({ LOG_LEVEL: 'silent' }, { prepare: count })
  await app.tokenFor(['tags'])
  const from = performance.now()
  const paths = ['/health', '/readyz']
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => app.get(paths[index % 2]!, { scopes: ['tags'] })),
  )
  const seconds = Math.ceil((performance.now() - from) / 1000)
  const good = answers.filter(({ status }) => status === 200).length
  assert.ok(good > 0 && answers.every(({ status }) => status === 200 || status === 503))
  assert.ok(probes >= 1 && probes <= seconds + 1, `${probes} probes in ${seconds} s`)
})

test('while the database is gone /health and /readyz are 503 with a message, /livez is not, and all heal', async () => {
  const app = await startApp({ LOG_LEVEL: 'fatal' })
  assert.equal((await app.get('/health')).status, 200)
  const [row] = await app.sql<{ name: string }[]>`select current_database() as name`
  const { name } = row!
  const admin = <T>(work: (session: Session) => Promise<T>) =>
    withSession(app.databaseUrl.replace(`/${name}`, '/postgres'), work)
  const until = async (path: string, wanted: number) => {
    const deadline = Date.now() + 15_000
    for (;;) {
      const answer = await app.get(path, { token: null })
      if (answer.status === wanted) return answer
      assert.ok(Date.now() < deadline, `${path} is still ${answer.status}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  try {
    await admin(async (session) => {
      await session.run(`alter database ${name} allow_connections false`)
      await session`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    })
    const down = await until('/readyz', 503)
    assert.deepEqual(down.body, { message: 'The database cannot be reached' })
    assert.equal(down.headers.get('retry-after'), '1')
    assert.equal((await app.get('/livez')).status, 200)
    const refused = await app.get('/channels')
    assert.equal(refused.status, 503)
    assert.equal(refused.body.message, 'Service Unavailable')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  } finally {
    await admin((session) => session.run(`alter database ${name} allow_connections true`))
  }
  await until('/readyz', 200)
  assert.equal((await app.get('/health')).status, 200)
  assert.equal((await app.post('/channels', { name: 'Healed' })).status, 201)
})

test('a database that does not answer in time is told as well', async () => {
  const stuck = (context: Context) => {
    context.db = context.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) =>
        Object.hasOwn(result.rows[0] ?? {}, 'stuck') ? new Promise<never>(() => {}) : result,
    })
  }
  const app = await startApp({ LOG_LEVEL: 'error' }, { prepare: stuck })
  const from = performance.now()
  const { status, body, headers } = await app.get('/health')
  assert.deepEqual([status, body], [503, { message: 'The database cannot be reached' }])
  assert.equal(headers.get('retry-after'), '1')
  assert.ok(performance.now() - from < 5000)
})

test('a token that cannot be looked up in time is 503, and the next one is answered', async () => {
  const app = await startApp()
  const token = await app.tokenFor(['tags'])
  const holding = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const lock = inTransaction(app.sql, 'begin', async () => {
    await app.sql`lock table tokens in access exclusive mode`
    locked.resolve()
    await holding.promise
  })
  await locked.promise
  const from = performance.now()
  const stalled = await Promise.all(
    ['/health', '/tags', `/tags?access_token=${token}`].map((path) =>
      app.get(path, { token: path.includes('?') ? null : token }),
    ),
  )
  const took = performance.now() - from
  holding.resolve()
  await lock
  for (const { status, body, headers } of stalled) {
    assert.equal(status, 503)
    assert.equal(body.message, 'Service Unavailable')
    assert.equal(headers.get('retry-after'), '1')
  }
  assert.ok(took > 1900 && took < 5000, `${took} ms`)
  assert.equal((await app.get('/health', { token })).status, 200)
})

test('/health tells when events are not dispatched, /readyz goes on', async () => {
  const app = await startApp({ LOG_LEVEL: 'warn' })
  const until = async (wanted: number) => {
    const deadline = Date.now() + 10_000
    for (;;) {
      const answer = await app.get('/health')
      if (answer.status === wanted) return answer
      assert.ok(Date.now() < deadline, `still ${answer.status}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const age = (seconds: number) =>
    app.sql`update outbox set created_on = now() - make_interval(secs => ${seconds})`
  await withSession(app.databaseUrl, (session) =>
    inTransaction(session, 'begin', async () => {
      // The dispatcher takes its numbers from there.
      await session`lock table event_sequence in access exclusive mode`
      assert.equal((await app.post('/tags', { body: 'Waits' })).status, 201)
      await age(50)
      assert.equal((await until(200)).body.message, 'OK')
      await age(61)
      const { body, headers } = await until(503)
      assert.deepEqual(body, { message: 'Events are not dispatched' })
      assert.equal(headers.get('retry-after'), '1')
      assert.equal((await app.get('/readyz', { token: null })).status, 200)
    }),
  )
  assert.equal((await until(200)).body.message, 'OK')
})
