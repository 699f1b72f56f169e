import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { transaction } from '../src/database/transaction.ts'
import { emit } from '../src/events.ts'
import { createChannel } from '../src/features/channels/commands.ts'
import { dispatchBatch } from '../src/jobs/dispatcher.ts'
import { createLog, runContext } from '../src/service.ts'
import { secretKey, startApp, type TestApp } from './harness/app.ts'

type EventRow = { sequence: string; event: string; record_id: string; snapshot: { name: string } }

const eventsOf = async ({ context, environment }: TestApp): Promise<EventRow[]> => {
  const { rows } = await sql<EventRow>`select sequence, event, record_id, snapshot from events
    where environment_id = ${environment.id} order by sequence`.execute(context.db)
  return rows
}

/** Waits until `look` gives something, at most ten seconds. */
const eventually = async <T>(look: () => Promise<T | undefined | false>): Promise<T> => {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = await look()
    if (found) return found
    await sleep(50)
  }
  assert.fail('it did not happen within ten seconds')
}

const actorOf = ({ organisation, environment }: TestApp) =>
  ({
    organisation_id: organisation,
    environment_id: environment.id,
    token_id: null,
    user_id: null,
    environment,
  }) as never

test('a write and its event become true together', async () => {
  const app = await startApp()
  const { body } = await app.post('/channels', { name: 'On air' })
  const events = await eventually(async () =>
    (await eventsOf(app)).find((event) => event.record_id === body.id),
  )
  assert.equal(events.event, 'channel.created')
  assert.equal(events.snapshot.name, 'On air')
})

test('what is rolled back leaves no row and no event', async () => {
  const app = await startApp()
  const work = transaction(app.context, async (tx) => {
    await createChannel(tx, actorOf(app), { name: 'Never' })
    throw new Error('changed my mind')
  })
  await assert.rejects(work, /changed my mind/)
  await app.post('/channels', { name: 'After' })
  await eventually(async () => (await eventsOf(app)).some((event) => event.snapshot.name === 'After'))
  assert.equal(
    (await eventsOf(app)).some((event) => event.snapshot.name === 'Never'),
    false,
  )
  assert.equal((await app.get('/channels')).body.total, 1)
})

test('an event that cannot be stored takes its write back, and the caller hears the reason', async () => {
  const app = await startApp()
  const broken = { toJSON: () => '\u0000' }
  const work = transaction(app.context, async (tx) => {
    const row = await createChannel(tx, actorOf(app), { name: 'Half' })
    await emit(tx, actorOf(app), 'channel.changed', row, broken)
  })
  await assert.rejects(work, /unicode|\\u0000|NUL|unsupported/i)
  assert.equal((await app.get('/channels')).body.total, 0)
})

test('events are numbered without gaps, and in the order of the changes of each record', async () => {
  const app = await startApp()
  const ids = await Promise.all(
    Array.from(
      { length: 8 },
      async (_, n) => (await app.post('/channels', { name: `C${n}` })).body.id as string,
    ),
  )
  for (let round = 1; round <= 5; round += 1)
    await Promise.all(ids.map((id) => app.put(`/channels/${id}`, { name: `Round ${round}` })))
  const events = await eventually(async () => {
    const found = (await eventsOf(app)).filter((event) => event.event.startsWith('channel.'))
    return found.length === 48 && found
  })
  for (const id of ids) {
    const names = events.filter((event) => event.record_id === id).map((event) => event.snapshot.name)
    assert.deepEqual(names.slice(1), ['Round 1', 'Round 2', 'Round 3', 'Round 4', 'Round 5'])
  }
  const { rows } = await sql<{ gaps: string }>`
    select max(sequence) - min(sequence) + 1 - count(*) as gaps from events`.execute(app.context.db)
  assert.equal(rows[0]!.gaps, '0')
})

test('two events that cause the same job go out together', async () => {
  const app = await startApp()
  await transaction(app.context, async (tx) => {
    for (let count = 0; count < 2; count += 1)
      await emit(tx, actorOf(app), 'environment.changed', app.environment, { name: 'twice' })
  })
  await eventually(
    async () => (await eventsOf(app)).filter((event) => event.snapshot.name === 'twice').length === 2,
  )
})

test('dispatchers on several nodes move each event once', async () => {
  const app = await startApp()
  const writes = Promise.all(Array.from({ length: 60 }, (_, n) => app.post('/channels', { name: `N${n}` })))
  const others = Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let round = 0; round < 20; round += 1) await dispatchBatch(app.context.db, false)
    }),
  )
  await Promise.all([writes, others])
  const events = await eventually(async () => {
    const found = (await eventsOf(app)).filter((event) => event.event === 'channel.created')
    return found.length >= 60 && found
  })
  assert.equal(new Set(events.map((event) => event.record_id)).size, 60)
  assert.equal(events.length, 60)
})

test('another node counts anew within two seconds after a write', async () => {
  const app = await startApp()
  const { context, databaseUrl: url } = app
  const other = await runContext(context.config, { url, directUrl: url }, secretKey, createLog('silent'), {
    background: true,
  })
  try {
    let queries = 0
    const count = () =>
      other.context.totals.of({
        environment: app.environment.id,
        family: 'content',
        key: 'test',
        count: async () => {
          queries += 1
          const { rows } = await sql<{ count: string; snapshot: string }>`
            select count(*), pg_current_snapshot()::text as snapshot from channels
            where environment_id = ${app.environment.id}`.execute(other.context.db)
          return { count: Number(rows[0]!.count), snapshot: rows[0]!.snapshot }
        },
      })
    await eventually(async () => {
      const before = queries
      assert.equal((await count()) + (await count()), 0)
      return queries === before
    })
    await app.post('/channels', { name: 'Elsewhere' })
    const from = performance.now()
    await eventually(async () => (await count()) === 1)
    assert.ok(performance.now() - from < 2000)
  } finally {
    await other.close()
  }
})
