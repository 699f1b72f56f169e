import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { TestApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { setUp } from '../../../test/harness/interactions.ts'
import { addCrowdedMonths } from './jobs.ts'

const placesOf = async (app: TestApp): Promise<string[]> =>
  (
    await sql<{ place: string }>`select distinct tableoid::regclass::text as place from interactions
      where environment_id = ${app.environment.id} order by place`.execute(app.context.db)
  ).rows.map(({ place }) => place)

test('a month that gets its partition late takes its interactions over', async () => {
  const { app, send } = await setUp()
  const person = await addPerson(app)
  const old = { label: 'View', person: { id: person.id }, created_on: '1999-05-31T23:59:59Z' }
  const items = [old, { ...old, created_on: '1999-05-01' }, { ...old, created_on: '1999-06-01' }]
  assert.equal((await send({ items })).status, 202)
  const { db } = app.context
  await sql`select add_interactions_partition('1999-05-10'), add_interactions_partition('1999-05-20')`.execute(
    db,
  )
  const { rows } = await sql<{ place: string }>`select tableoid::regclass::text as place from interactions
    where environment_id = ${app.environment.id} order by created_on`.execute(db)
  assert.deepEqual(
    rows.map(({ place }) => place),
    ['interactions_1999_05', 'interactions_1999_05', 'interactions_other'],
  )
})

test('months of history get partitions once they hold many, and nobody misses a row', async () => {
  const { app, send } = await setUp()
  const { id } = await addPerson(app)
  const year = new Date().getUTCFullYear() - 3
  const at = (moment: string) => ({ label: 'View', person: { id }, created_on: moment })
  const many = Array.from({ length: 20 }, (_, n) => at(`${year}-03-${String(n + 1).padStart(2, '0')}`))
  const items = [
    ...many,
    at(`${year}-02-28T23:59:59Z`),
    at(`${year}-04-01`),
    ...many.map(() => at('1970-05-05')),
  ]
  assert.equal((await send({ items })).status, 202)
  await addCrowdedMonths(app.context, 20)
  assert.deepEqual(await placesOf(app), [`interactions_${year}_03`, 'interactions_other'])
  assert.equal((await send({ items: [at(`${year}-03-31T23:59:59Z`)] })).status, 202)
  await addCrowdedMonths(app.context, 20)
  const { rows } = await sql<{ month: number; other: number }>`select
      count(*) filter (where tableoid = ${`interactions_${year}_03`}::regclass)::int as month,
      count(*) filter (where tableoid = 'interactions_other'::regclass)::int as other
    from interactions where environment_id = ${app.environment.id}`.execute(app.context.db)
  assert.deepEqual(rows[0], { month: 21, other: 22 })
  assert.equal((await app.get(`/persons/${id}/interactions?limit=1`)).body.total, 43)
})
