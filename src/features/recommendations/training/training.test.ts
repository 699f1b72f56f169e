import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  addPublished,
  eventuallyPredicted,
  interact,
  learn,
} from '../../../../test/harness/recommendations.ts'

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
