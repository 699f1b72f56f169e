import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/harness/access.ts'
import { secretKey, startApp, type TestApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { addSegment, folded, membersOf, movesOf, touch } from '../../../test/harness/segments.ts'
import { createLog, runContext } from '../../service.ts'
import { todayIn } from '../persons/age.ts'

const moveDay = (app: TestApp, day: string) =>
  sql`update segment_sweeps set day = ${day}::date where environment_id = ${app.environment.id}`.execute(
    app.context.db,
  )

const swept = (app: TestApp) =>
  eventually(async () => {
    const { rows } = await sql`select 1 from segment_sweeps sweep join environments on id = environment_id
      where id = ${app.environment.id} and day = (now() at time zone time_zone)::date`.execute(app.context.db)
    return rows.length === 1
  })

const years = (date: string, count: number): string => {
  const [year, rest] = [Number(date.slice(0, 4)), date.slice(4)]
  return `${year - count}${rest === '-02-29' ? '-02-28' : rest}`
}

const daysFrom = (date: string, count: number): string =>
  new Date(Date.parse(date) + count * 86_400_000).toISOString().slice(0, 10)

test('who was created or seen too long ago leaves by itself, and each is told once on many nodes', async () => {
  const app = await startApp()
  const urls = { url: app.databaseUrl, directUrl: app.databaseUrl }
  const nodes = await Promise.all(
    [1, 2].map(() =>
      runContext(app.context.config, urls, secretKey, createLog('silent'), { background: true }),
    ),
  )
  try {
    const created = await addSegment(app, { items: { young: { created_on: { il: 3 } } } })
    const seen = await addSegment(app, { items: { seen: { last_seen: { il: 4 } } } })
    const persons = await Promise.all(Array.from({ length: 30 }, () => addPerson(app)))
    await sql`update person_facts set last_seen = now() where environment_id = ${app.environment.id}`.execute(
      app.context.db,
    )
    await touch(app, ...persons)
    await eventually(async () => (await membersOf(app, seen)).length === 30)
    for (const id of [created, seen]) {
      await eventually(async () => (await membersOf(app, id)).length === 0, 15_000)
      assert.equal((await app.get(`/segments/${id}`)).body.total, 0)
      const moves = await movesOf(app, id)
      assert.deepEqual(
        ['added', 'removed'].map((way) => moves.filter(([event]) => event === way).length),
        [30, 30],
      )
    }
  } finally {
    for (const node of nodes) await node.close()
  }
})

test('on the day of a birthday age is looked at again, and only of those who have it', async () => {
  const app = await startApp()
  const id = await addSegment(app, { items: { grown_up: { age: { gte: 18 } } } })
  const today = todayIn(app.environment.time_zone)
  const eighteen = await addPerson(app, { date_of_birth: years(today, 18) })
  await addPerson(app, { date_of_birth: years(today, 17) })
  await addPerson(app, { date_of_birth: years(daysFrom(today, -2), 40) })
  assert.deepEqual(await membersOf(app, id), [])
  await moveDay(app, daysFrom(today, -1))
  await eventually(async () => (await membersOf(app, id)).length > 0)
  await folded(app)
  assert.deepEqual(await membersOf(app, id), [eighteen.id])
})

test('who was born on 29 February is looked at on 1 March', async () => {
  const app = await startApp()
  const id = await addSegment(app, { items: { grown_up: { age: { gte: 18 } } } })
  const leapling = await addPerson(app, { date_of_birth: '2000-02-29' })
  const today = todayIn(app.environment.time_zone)
  const year = today.slice(5) > '02-28' ? Number(today.slice(0, 4)) : Number(today.slice(0, 4)) - 1
  await moveDay(app, `${year}-02-28`)
  await eventually(async () => (await membersOf(app, id)).length > 0)
  assert.deepEqual(await membersOf(app, id), [leapling.id])
})

test('a time zone that is changed takes a birthday back', async () => {
  const app = await startApp()
  const move = (zone: string) =>
    sql`update environments set time_zone = ${zone} where id = ${app.environment.id}`.execute(app.context.db)
  await move('Pacific/Kiritimati')
  const today = todayIn('Pacific/Kiritimati')
  const person = await addPerson(app, { date_of_birth: years(today, 18) })
  const id = await addSegment(app, { items: { grown_up: { age: { gte: 18 } } } })
  assert.deepEqual(await membersOf(app, id), [person.id])
  await move('Pacific/Pago_Pago')
  await eventually(async () => (await membersOf(app, id)).length === 0)
  await move('Pacific/Kiritimati')
  await eventually(async () => (await membersOf(app, id)).length === 1)
  await swept(app)
})
