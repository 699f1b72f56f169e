import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { secretKey, startApp, type TestApp } from '../../test/harness/app.ts'
import { emit } from '../events.ts'
import { createLog, runContext } from '../service.ts'
import { changeLogs } from './changes.ts'
import type { Tx } from './connect.ts'
import { executeWithCommit } from './driver.ts'
import { type Matcher, rememberedTotals } from './totals.ts'
import { recordChange, transaction } from './transaction.ts'
import { dataVersions } from './versions.ts'

type Item = { id: string; name: string }

/** Waits until `look` gives something, at most ten seconds. */
const eventually = async <T>(look: () => T | Promise<T>): Promise<T> => {
  for (let tries = 0; tries < 500; tries += 1) {
    const found = await look()
    if (found) return found
    await sleep(20)
  }
  assert.fail('it did not happen within ten seconds')
}

const byOf = ({ organisation, environment }: TestApp) => ({
  organisation_id: organisation,
  environment_id: environment.id,
  token_id: null,
  user_id: null,
})

/** Channels, written with what they become told or not; each way of writing that commands use. */
const writerOf = (app: TestApp) => {
  const environment = app.environment.id
  const by = byOf(app)
  const tell = (tx: Tx, before: Item | null, after: Item | null) =>
    recordChange(tx, environment, 'content', before, after)
  const make = (name: string): Item => ({ id: randomUUID(), name })
  const insert = `insert into channels (environment_id, id, name, slug) values ($1, $2, $3, $2)`
  return {
    /** Inserts alone: one statement without a connection of its own. */
    async add(tx: Tx, name: string, told = true): Promise<Item> {
      const item = make(name)
      await executeWithCommit(tx, insert, [environment, item.id, name])
      if (told) tell(tx, null, item)
      await emit(tx, by, 'channel.created', item)
      return item
    },
    async rename(tx: Tx, id: string, name: string, told = true): Promise<void> {
      const { rows } = await sql<Item>`select id, name from channels
        where environment_id = ${environment} and id = ${id} for update`.execute(tx)
      await sql`update channels set name = ${name} where environment_id = ${environment} and id = ${id}`.execute(
        tx,
      )
      if (told) tell(tx, rows[0]!, { id, name })
      await emit(tx, by, 'channel.changed', { id })
    },
    async remove(tx: Tx, item: Item): Promise<void> {
      await sql`delete from channels where environment_id = ${environment} and id = ${item.id}`.execute(tx)
      tell(tx, item, null)
      await emit(tx, by, 'channel.deleted', item)
    },
    /** Refused at the commit: the id is there already. */
    async repeat(tx: Tx, item: Item): Promise<void> {
      await executeWithCommit(tx, insert, [environment, item.id, item.name])
      tell(tx, null, item)
      await emit(tx, by, 'channel.created', item)
    },
  }
}

/** The total of channels whose names begin so, and how often it was counted. */
const totalOf = (
  { context, environment }: Pick<TestApp, 'context' | 'environment'>,
  start: string,
  slow = 0,
) => {
  const state = { counts: 0 }
  const matches: Matcher = ({ name }: Item) => name.startsWith(start)
  const read = (): Promise<number> =>
    context.totals.of({
      environment: environment.id,
      family: 'content',
      key: start,
      matches,
      count: async () => {
        state.counts += 1
        const { rows } = await sql<{ count: number; snapshot: string }>`
          select count(*)::int as count, pg_current_snapshot()::text as snapshot,
            (select pg_sleep(${slow}::float8))::text as slow
          from channels where environment_id = ${environment.id} and starts_with(name, ${start})`.execute(
          context.db,
        )
        return rows[0]!
      },
    })
  return Object.assign(state, { read })
}

/** Once the node hears the dispatcher, it remembers. */
const remembering = async (app: TestApp, start = ''): Promise<ReturnType<typeof totalOf>> => {
  const total = totalOf(app, start)
  await eventually(async () => {
    const before = total.counts
    await total.read()
    await total.read()
    return total.counts - before < 2
  })
  total.counts = 0
  return total
}

/** A context whose commits are heard of when they are released. */
const hearingLate = ({ context }: TestApp) => {
  const held: Parameters<typeof context.totals.add>[] = []
  const add = (...told: (typeof held)[number]) => void held.push(told)
  return {
    late: { ...context, totals: { ...context.totals, add } },
    release: () => held.forEach((told) => void context.totals.add(...told)),
  }
}

test('a total goes on through told writes without being counted again, own ones at once', async () => {
  const app = await startApp()
  const write = writerOf(app)
  const [all, a] = [await remembering(app), await remembering(app, 'a')]
  const both = async () => [await all.read(), await a.read()]
  const item = await transaction(app.context, (tx) => write.add(tx, 'abc'))
  assert.deepEqual(await both(), [1, 1])
  await transaction(app.context, (tx) => write.rename(tx, item.id, 'xyz'))
  assert.deepEqual(await both(), [1, 0])
  await transaction(app.context, async (tx) => {
    await write.rename(tx, item.id, 'a')
    for (let n = 0; n < 5; n += 1) await write.add(tx, n % 2 ? 'a' : 'b')
  })
  assert.deepEqual(await both(), [6, 3])
  await transaction(app.context, (tx) => write.remove(tx, { id: item.id, name: 'a' }))
  assert.deepEqual(await both(), [5, 2])
  const changed = transaction(app.context, async (tx) => {
    await write.add(tx, 'a')
    throw new Error('changed my mind')
  })
  await assert.rejects(changed, /changed my mind/)
  const there = await transaction(app.context, (tx) => write.add(tx, 'c'))
  await assert.rejects(
    transaction(app.context, (tx) => write.repeat(tx, there)),
    { name: 'Conflict' },
  )
  assert.deepEqual(await both(), [6, 2])
  assert.deepEqual([all.counts, a.counts], [0, 0])
})

test('a write of which nothing is told makes totals be counted anew', async () => {
  const app = await startApp()
  const write = writerOf(app)
  const all = await remembering(app)
  await transaction(app.context, (tx) => write.add(tx, 'a', false))
  assert.deepEqual([await all.read(), all.counts], [1, 1])
  const item = await transaction(app.context, async (tx) => {
    await write.add(tx, 'a', false)
    return write.add(tx, 'a')
  })
  assert.deepEqual([await all.read(), all.counts], [3, 2], 'one that is told does not speak for the other')
  await transaction(app.context, (tx) => write.rename(tx, item.id, 'b'))
  assert.deepEqual([await all.read(), all.counts], [3, 2])
  assert.equal((await app.post('/statuses', { body: 'New' })).status, 201)
  assert.deepEqual([await all.read(), all.counts], [3, 3], 'content rests on its structure')
})

test('a commit that the count saw before this process heard of it is counted once', async () => {
  const app = await startApp()
  const write = writerOf(app)
  const { context } = app
  await remembering(app)
  const { late, release } = hearingLate(app)
  const total = totalOf(app, 'h')
  await transaction(late, (tx) => write.add(tx, 'h'))
  assert.equal(await total.read(), 1)
  release()
  assert.equal(await total.read(), 1)
  await transaction(context, (tx) => write.add(tx, 'h'))
  assert.deepEqual([await total.read(), total.counts], [2, 1])
})

test('a transaction that was open when rows were counted is added at its commit, one that was over is not', async () => {
  const app = await startApp()
  const { context } = app
  const write = writerOf(app)
  await remembering(app)
  const total = totalOf(app, 'o')
  const [opened, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const open = transaction(context, async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx)
    await write.add(tx, 'o')
    opened.resolve()
    await gate.promise
  })
  await opened.promise
  const { late, release } = hearingLate(app)
  await transaction(late, (tx) => write.add(tx, 'o'))
  assert.equal(await total.read(), 1)
  release()
  assert.equal(await total.read(), 1)
  gate.resolve()
  await open
  assert.deepEqual([await total.read(), total.counts], [2, 1])
})

test('commits while a count is under way are in it for whoever asks after them', async () => {
  const app = await startApp()
  const write = writerOf(app)
  await remembering(app)
  const slow = totalOf(app, 's', 0.3)
  const first = slow.read()
  await sleep(50)
  for (let n = 1; n <= 4; n += 1) {
    await transaction(app.context, (tx) => write.add(tx, 's'))
    slow.read().then((seen) => assert.ok(seen >= n))
  }
  assert.equal(await slow.read(), 4)
  assert.equal(await first, 4)
  assert.equal(slow.counts, 1)
})

test('what another process writes makes totals be counted anew; notices of own writes do not', async () => {
  const app = await startApp()
  const { context, databaseUrl: url, environment } = app
  const start = () =>
    runContext(context.config, { url, directUrl: url }, secretKey, createLog('silent'), { background: false })
  const other = await start()
  try {
    const write = writerOf(app)
    const [here, there] = [await remembering(app), await remembering({ ...app, context: other.context })]
    const item = await transaction(context, (tx) => write.add(tx, 'a'))
    await eventually(async () => (await there.read()) === 1)
    // The listener hears notices in order: once this one is heard, so was that of the write.
    const before = context.versions.of(environment.id, 'music')
    await sql`select pg_notify('marquee', ${JSON.stringify({ changed: [[environment.id, 'music', null]] })})`.execute(
      context.db,
    )
    await eventually(() => context.versions.of(environment.id, 'music') !== before)
    assert.deepEqual([await here.read(), here.counts], [1, 0])
    await transaction(other.context, (tx) => write.remove(tx, item))
    assert.equal(await there.read(), 0, 'its own write at once')
    await eventually(async () => (await here.read()) === 0)
    assert.equal(here.counts, 1)
  } finally {
    await other.close()
  }
})

test('a commit without an answer makes totals be counted anew, then and when it is heard of', async () => {
  const app = await startApp()
  const write = writerOf(app)
  const all = await remembering(app)
  const origin = app.context.versions.origin()
  const lost = transaction(app.context, async (tx) => {
    await write.add(tx, 'a')
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await app.sql`select pg_terminate_backend(${rows[0]!.pid})`
  })
  await assert.rejects(lost, { name: 'Unavailable' })
  assert.deepEqual([await all.read(), all.counts], [0, 1])
  assert.notEqual(app.context.versions.origin(), origin)
  const notice = { changed: [[app.environment.id, 'content', origin]] }
  await sql`select pg_notify('marquee', ${JSON.stringify(notice)})`.execute(app.context.db)
  await eventually(async () => {
    await all.read()
    return all.counts === 2
  })
})

test('with many writers at once each reads its own writes, and in the end all totals are exact', async () => {
  const app = await startApp()
  const { context } = app
  const write = writerOf(app)
  const all = await remembering(app)
  const starts = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8']
  let writing = true
  const readers = ['', 'w', 'shared'].map(async (start) => {
    const total = totalOf(app, start, 0.003)
    while (writing) {
      assert.ok((await total.read()) >= 0)
      await nextTurn()
    }
  })
  const totals = starts.map((start) => totalOf(app, start, 0.002))
  const shared = await transaction(context, (tx) => write.add(tx, 'shared'))
  await Promise.all(
    starts.map(async (start, worker) => {
      const mine: Item[] = []
      for (let round = 0; round < 60; round += 1) {
        const chance = (round * 7 + worker * 13) % 10
        const one = mine[(round * 31) % (mine.length || 1)]
        if (chance < 4 || !one)
          mine.push(await transaction(context, (tx) => write.add(tx, `${start} ${round}`)))
        else if (chance < 6) {
          await transaction(context, (tx) => write.remove(tx, one))
          mine.splice(mine.indexOf(one), 1)
        } else if (chance < 7) {
          const name = `moved ${start}`
          await transaction(context, (tx) => write.rename(tx, one.id, name))
          mine.splice(mine.indexOf(one), 1)
        } else if (chance < 8) {
          // All of them at one record: what each found there is what the one before left.
          await transaction(context, (tx) => write.rename(tx, shared.id, `${round % 2 ? 'shared' : 'w'}`))
        } else if (chance < 9)
          await assert.rejects(
            transaction(context, async (tx) => {
              await write.rename(tx, one.id, 'elsewhere')
              throw new Error('no')
            }),
          )
        else
          await assert.rejects(
            transaction(context, (tx) => write.repeat(tx, one)),
            { name: 'Conflict' },
          )
        assert.equal(await totals[worker]!.read(), mine.length, `${start} after round ${round}`)
      }
    }),
  )
  writing = false
  await Promise.all(readers)
  for (const start of ['', 'w', 'shared', 'moved', ...starts]) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from channels
      where environment_id = ${app.environment.id} and starts_with(name, ${start})`.execute(context.db)
    assert.equal(await totalOf(app, start).read(), rows[0]!.count, start)
  }
  const counted = totals.reduce((sum, { counts }) => sum + counts, 0)
  assert.ok(counted < starts.length * 6, `${counted} counts for ${starts.length * 60} reads`)
  assert.equal(all.counts, 0)
})

/** Totals on their own, over a number that stands for the table. */
const alone = () => {
  const versions = dataVersions()
  const totals = rememberedTotals(versions, () => true)
  const state = { rows: 0, xid: 10, counts: 0 }
  const change = (before: Item | null, after: Item | null) => {
    state.rows += Number(after !== null) - Number(before !== null)
    state.xid += 1
    totals.add('e', 'content', String(state.xid), [{ before, after }])
  }
  const read = (matches: Matcher = () => true) =>
    totals.of({
      environment: 'e',
      family: 'content',
      key: 'all',
      matches,
      count: async () => {
        state.counts += 1
        return { count: state.rows, snapshot: `${state.xid + 1}:${state.xid + 1}:` }
      },
    })
  return { versions, state, change, read }
}

test('more changes than a log holds, in number or in bytes, make a total be counted anew', async () => {
  for (const [times, name] of [
    [2001, 'x'],
    [30, 'x'.repeat(300_000)],
  ] as const) {
    const { state, change, read } = alone()
    assert.equal(await read(), 0)
    for (let n = 0; n < times; n += 1) change(null, { id: String(n), name })
    assert.deepEqual([await read(), state.counts], [times, 2])
    for (let n = 0; n < times / 2; n += 1) change({ id: String(n), name }, null)
    assert.deepEqual([await read(), state.counts], [times - Math.ceil(times / 2), 2])
  }
})

test('what a matcher cannot tell, or what cannot be, is counted anew', async () => {
  const { state, change, read } = alone()
  assert.equal(await read(), 0)
  change(null, { id: '1', name: 'x' })
  assert.deepEqual([await read(() => undefined), state.counts], [1, 2])
  assert.deepEqual([await read(), state.counts], [1, 2])
  state.rows = 5
  change({ id: '2', name: 'x' }, null)
  change({ id: '3', name: 'x' }, null)
  assert.deepEqual([await read(), state.counts], [3, 3], 'it would be one less than none')
})

test('what is to be forgotten is out of memory within a minute, and totals are counted anew', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const versions = dataVersions()
  const totals = rememberedTotals(versions, () => true)
  let counts = 0
  const count = async () => {
    counts += 1
    return { count: counts, snapshot: '5:5:' }
  }
  const asked = { environment: 'e', family: 'audience' as const, key: 'k', count, matches: () => true }
  const log = changeLogs(versions)
  assert.equal(await totals.of(asked), 1)
  totals.add('e', 'audience', '7', [{ before: null, after: { id: 'somebody' } }])
  assert.equal(await totals.of(asked), 2)
  totals.forgetSoon('e', 'audience')
  totals.forgetSoon('e', 'audience')
  t.mock.timers.tick(59_000)
  assert.deepEqual([await totals.of(asked), counts], [2, 1])
  t.mock.timers.tick(1000)
  assert.deepEqual([await totals.of(asked), counts], [2, 2])
  const kept = log.of('e', 'audience')
  log.add('e', 'audience', '7', [{ before: { id: 'somebody' }, after: null }])
  log.forgetSoon('e', 'audience')
  t.mock.timers.tick(60_000)
  assert.deepEqual([kept.changes, log.of('e', 'audience') === kept], [[], false])
})
