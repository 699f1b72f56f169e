import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { addPublication, text } from '../../../../test/harness/publications.ts'
import { startCalling, untilPlanned } from '../../../../test/harness/webhooks.ts'
import { chunksOf } from './chunks.ts'
import type { Due } from './claim.ts'

test('messages are made some at a time, by number and by what they hold', async () => {
  const app = await startCalling()
  const large = () => randomBytes(150_000).toString('base64')
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) {
    const items = { a: text(large()), b: text(large()), c: text(large()) }
    ids.push((await addPublication(app, { 'en-US': items })).id)
  }
  await untilPlanned(app)
  const events = await app.sql<
    { sequence: string; record_id: string }[]
  >`select sequence, record_id from events
    where environment_id = ${app.environment.id} and event = 'publication.created' order by sequence`
  const environment_id = app.environment.id
  const sizes = async (due: object[]) =>
    (await chunksOf(app.context.db, due as Due[])).map(({ length }) => length)
  const ofEvents = events.map((event) => ({ environment_id, ...event }))
  assert.deepEqual(await sizes(ofEvents), [2, 2, 1])
  const asked = ids.map((record_id) => ({ environment_id, sequence: null, record_id }))
  assert.deepEqual(await sizes(asked), [2, 2, 1])
  // One that goes to many is made once.
  assert.deepEqual(await sizes(Array(250).fill(ofEvents[0])), [100, 100, 50])
  assert.deepEqual(await sizes([]), [])
})
