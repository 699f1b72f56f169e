import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { keepListening } from '../jobs/listener.ts'
import { connect, type Db } from './connect.ts'
import { startEmbedded } from './embedded.ts'

const settings = { fsync: 'off' }

/** Does it again and again; a failure is expected while PostgreSQL is away. */
const repeat = (work: () => Promise<unknown>) => {
  const state = { doneAt: 0, done: 0, stopped: false }
  const ended = (async () => {
    while (!state.stopped)
      try {
        await work()
        state.done += 1
        state.doneAt = performance.now()
      } catch {
        await sleep(10)
      }
  })()
  return Object.assign(state, { ended })
}

const write = (db: Db, body: string) => () =>
  db.transaction().execute(async (tx) => {
    await sql`insert into written (body) values (${body})`.execute(tx)
    await sql`select count(*) from written where body = ${'nobody'} and ${1}::int = 1`.execute(tx)
  })

test('transactions, reads and notices go on after each kill of PostgreSQL, and what was committed is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-lost-'))
  let server = await startEmbedded({ folder, settings })
  const { db, close } = connect(server.url, { max: 5 })
  let listening: ReturnType<typeof keepListening> | undefined
  try {
    await sql`create table written (body text)`.execute(db)
    const writers = Array.from({ length: 8 }, (_, number) => repeat(write(db, `w${number}`)))
    const readers = Array.from({ length: 4 }, () => repeat(() => sql`select ${1}::int`.execute(db)))
    const loops = [...writers, ...readers]
    let heardAt = 0
    const heard = () => {
      heardAt = performance.now()
    }
    listening = keepListening(server.url, heard, () => {})
    for (const pause of [0, 50, 300, 50]) {
      await sleep(200)
      process.kill(server.pid, 'SIGKILL')
      await sleep(pause)
      server = await startEmbedded({ folder, settings })
      const from = performance.now()
      while (loops.some(({ doneAt }) => doneAt < from) || heardAt < from) {
        const stuck = loops.filter(({ doneAt }) => doneAt < from).length
        assert.ok(
          performance.now() - from < 20_000,
          `${stuck} loops are stuck, last notice ${heardAt - from}`,
        )
        await sql`select pg_notify('marquee', '')`.execute(db).catch(() => {})
        await sleep(20)
      }
    }
    for (const loop of loops) loop.stopped = true
    await Promise.all(loops.map(({ ended }) => ended))
    const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from written`.execute(db)
    const acknowledged = writers.reduce((sum, { done }) => sum + done, 0)
    assert.ok(rows[0]!.rows >= acknowledged, `${rows[0]!.rows} rows of ${acknowledged} acknowledged`)
  } finally {
    await listening?.stop()
    await close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
