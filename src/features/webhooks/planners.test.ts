import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { startApp } from '../../../test/harness/app.ts'
import { addTag } from '../../../test/harness/factories.ts'
import { allPlanned, deliveriesOf, registerWebhook } from '../../../test/harness/planned.ts'
import { inTurns } from '../../../test/harness/publications.ts'
import { connect } from '../../database/connect.ts'
import { newPlanning, planBatch } from './plan.ts'

test('planners beside each other, killed again and again, plan every event once and in order', async () => {
  const app = await startApp()
  const webhooks = await Promise.all([1, 2].map(() => registerWebhook(app, { events: ['tag.created'] })))
  const name = 'planner of a test'
  const nodes = [1, 2, 3].map(() => connect(app.databaseUrl, { max: 2, name }))
  let ended = false
  let killed = 0
  let batches = 0
  const plan = async ({ db }: (typeof nodes)[number]): Promise<void> => {
    for (const planning = newPlanning(db); !ended; await pause(1))
      batches += Math.sign(await planBatch(db, planning, 3).catch(() => 0))
  }
  const kill = async (): Promise<void> => {
    for (; !ended; await pause(60)) {
      const { rows } = await sql<{ count: number }>`select count(pg_terminate_backend(pid))::integer as count
        from (select pid from pg_stat_activity where datname = current_database()
          and application_name = ${name} and state = 'idle in transaction' limit 1) as one`.execute(
        app.context.db,
      )
      killed += rows[0]!.count
    }
  }
  const working = Promise.all([...nodes.map(plan), kill()])
  await inTurns(
    Array.from({ length: 300 }, (_, index) => index),
    async () => void (await addTag(app)),
  )
  await allPlanned(app)
  ended = true
  await working
  await Promise.all(nodes.map(({ close }) => close()))
  assert.ok(killed > 0 && batches > 0, `${killed} killed, ${batches} batches`)
  const { rows } = await sql<{ id: string }>`select id from events
    where environment_id = ${app.environment.id} and event = 'tag.created' order by sequence`.execute(
    app.context.db,
  )
  assert.equal(rows.length, 300)
  for (const { id } of webhooks) {
    const planned = (await deliveriesOf(app, id)).map(({ event_id }) => event_id)
    assert.deepEqual(
      planned,
      rows.map((row) => row.id),
    )
  }
})

test('a node whose turn it was not learns what changed meanwhile', async () => {
  const app = await startApp()
  const node = connect(app.databaseUrl, { max: 2, name: 'second node' })
  const planning = newPlanning(node.db)
  const planAlone = async (): Promise<void> => {
    // Only where the server's own planner has not been quicker does this one plan anything.
    for (let tries = 0; tries < 50; tries += 1) await planBatch(node.db, planning)
  }
  const webhook = await registerWebhook(app, { events: ['tag.created'] })
  const told: string[] = []
  for (const active of [true, false, true, false, true]) {
    await app.put(`/webhooks/${webhook.id}`, { active })
    await allPlanned(app)
    const making = addTag(app)
    await Promise.all([making, planAlone()])
    await allPlanned(app)
    if (active) told.push((await making).id)
  }
  await node.close()
  const planned = (await deliveriesOf(app, webhook.id)).map(({ record_id }) => record_id)
  assert.deepEqual(planned, told)
})
