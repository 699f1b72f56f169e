import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addStatus } from '../../../test/harness/factories.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'
import { checkRecords } from '../../../test/harness/records.ts'
import { builtInStatuses } from './commands.ts'

checkRecords({
  path: '/statuses',
  label: 'Status',
  table: 'statuses',
  text: 'body',
  slug: false,
  read: [],
  write: ['statuses_publish'],
  remove: ['statuses_publish'],
  whole: { json: { body: 'In translation' }, form: [['body', 'In translation']] },
  wrong: { body: { body: false, slug: 'x', built_in: true }, paths: ['body', 'built_in', 'slug'] },
})

test('every environment begins with the statuses of the workflow, listed in its order before later ones', async () => {
  const app = await startApp()
  await addStatus(app, { body: 'In translation' })
  for (const url of ['/statuses', '/v5/statuses']) {
    const { body } = await app.get(url)
    assert.deepEqual(
      body.items.map((item: { body: string }) => item.body),
      [...builtInStatuses, 'In translation'],
    )
  }
})

test('a built-in status is neither renamed nor deleted, and sending it back unchanged is fine', async () => {
  const app = await startApp()
  const { body } = await app.get('/statuses')
  for (const { id, body: name } of body.items) {
    const renamed = await app.put(`/statuses/${id}`, { body: name.toUpperCase() })
    assert.deepEqual(faults(renamed, 409), ['body'])
    assert.equal(renamed.body.type, 'Conflict')
    assert.deepEqual(faults(await app.delete(`/v5/statuses/${id}`), 409), ['body'])
    assert.equal((await app.put(`/statuses/${id}`, { body: name })).body.changed_on, null)
    assert.deepEqual(await eventsOf(app, id), [])
  }
  assert.deepEqual((await app.get('/statuses')).body, body)
})

test('a status body is taken whatever its case, also by a built-in one', async () => {
  const app = await startApp()
  const { id } = await addStatus(app, { body: 'In translation' })
  assert.deepEqual(faults(await app.post('/statuses', { body: 'IN Translation' }), 409), ['body'])
  assert.deepEqual(faults(await app.post('/v5/statuses', { body: 'dOnE' }), 409), ['body'])
  assert.deepEqual(faults(await app.put(`/statuses/${id}`, { body: 'done' }), 409), ['body'])
  assert.equal((await app.put(`/statuses/${id}`, { body: 'IN TRANSLATION' })).status, 200)
})

test('of 20 parallel creations of one status one succeeds and the others are refused', async () => {
  const app = await startApp()
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.post('/statuses', { body: 'Same' })))
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, ...Array(19).fill(409)])
})
