import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  addPublished,
  eventuallyPredicted,
  interact,
  learn,
  predicted,
} from '../../../../test/harness/recommendations.ts'
import { withSession } from '../../../database/session.ts'
import { correct } from './correct.ts'
import { stopLearning } from './run.ts'

const generations = (app: TestApp) =>
  app.sql<
    { generation: string; interactions: string }[]
  >`select generation, interactions from recommendation_models
    where environment_id = ${app.environment.id} order by generation`

test('what persons do is learned by itself, soon after the first of it', async () => {
  const app = await startApp()
  const first = await addPublished(app, 'Roses')
  const other = await addPublished(app, 'Tulips')
  for (let number = 0; number < 5; number++) await addPublished(app, `Nothing ${number}`)
  const crowd = Array.from({ length: 8 }, (_, number) => `person-${number}`)
  for (const id of [first, other]) await interact(app, id, crowd)
  await eventually(async () => (await generations(app)).length > 0, 25_000)
  await eventuallyPredicted(app, 'more_like_this', `publication_id=${first}`, ([id]) => id === other)
})

test('a model is stored whole and the one before is kept; others of older generations go', async () => {
  const app = await startApp()
  const id = await addPublished(app, 'Roses')
  await interact(app, id, ['one', 'two'])
  for (let round = 0; round < 4; round++) await learn(app)
  const rows = await generations(app)
  assert.equal(rows.length, 2)
  assert.equal(rows.at(-1)!.interactions, '2')
})

test('two that learn at the same time each store theirs', async () => {
  const app = await startApp()
  await addPublished(app, 'Roses')
  await Promise.all([learn(app), learn(app)])
  assert.ok((await generations(app)).length >= 2)
})

test('an environment of nothing is learned too', async () => {
  const app = await startApp()
  await learn(app)
  const { body } = await app.get('/recommendations/recommended_for_you/predict')
  assert.deepEqual([body.items, body.total], [[], 0])
})

const pending = async (app: TestApp): Promise<number> => {
  const [row] = await app.sql<{ pending: string }[]>`select pending from recommendation_learning
    where environment_id = ${app.environment.id}`
  return Number(row?.pending ?? 0)
}

test('learning that is killed leaves what was known in use, and is done again later', async () => {
  const app = await startApp()
  const first = await addPublished(app, 'Roses')
  const other = await addPublished(app, 'Tulips')
  for (const id of [first, other]) await interact(app, id, ['one', 'two', 'three'])
  await learn(app)
  await interact(app, first, ['four', 'five'])
  await eventually(async () => (await pending(app)) >= 2, 10_000)
  const before = await generations(app)
  const waiting = await pending(app)
  await app.sql.run('begin; lock table recommendation_sections in exclusive mode')
  const learning = assert.rejects(learn(app), /SIGTERM/)
  await eventually(async () => {
    const rows = await app.sql<object[]>`select 1 from pg_locks
      where relation = 'recommendation_sections'::regclass and not granted`
    return rows.length > 0
  }, 20_000)
  stopLearning()
  await learning
  await app.sql.run('commit')
  assert.deepEqual(await generations(app), before)
  assert.equal(await pending(app), waiting)
  const { items } = await predicted(app, 'more_like_this', `publication_id=${first}`)
  assert.equal(items[0].id, other)
  // As if the time had come.
  await app.sql`update recommendation_models set created_on = now() - interval '1 hour'
    where environment_id = ${app.environment.id}`
  await app.sql`update recommendation_learning set tried_on = '-infinity', attempted_on = '-infinity'
    where environment_id = ${app.environment.id}`
  await eventually(async () => (await generations(app)).at(-1)!.interactions === '8', 25_000)
  assert.equal(await pending(app), 0)
})

test('however many publications are written at once, all of them are learned, some at a time', async () => {
  const app = await startApp()
  await addPublished(app, 'Roses')
  // Asked for, an environment is learned.
  await predicted(app, 'recommended_for_you')
  await learn(app)
  const written: string[] = []
  for (let number = 0; number < 7; number++) written.push(await addPublished(app, `Tulips ${number}`))
  await app.sql`update publications set created_on = now(), changed_on = null where id = any(${written}::text[])`
  const rounds = await withSession(app.databaseUrl, async (session) => {
    const done: number[] = []
    for (let round = 0; round < 4; round++) done.push(await correct(session, app.environment.id, 3))
    return done
  })
  assert.ok(
    rounds.every((count) => count <= 3),
    String(rounds),
  )
  const corrected = await app.sql<{ publication_id: string }[]>`select publication_id
    from recommendation_corrections where environment_id = ${app.environment.id}`
  const ids = new Set(corrected.map(({ publication_id }) => publication_id))
  assert.deepEqual(
    written.filter((id) => !ids.has(id)),
    [],
  )
})
