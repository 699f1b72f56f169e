import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { listenTo } from '../../../test/harness/events.ts'
import { addTag } from '../../../test/harness/factories.ts'

test('a stream begins now and tells of each change in its order, with the body that webhooks get', async () => {
  const app = await startApp()
  await app.post('/channels', { name: 'Before' })
  const stream = await listenTo(app)
  assert.equal(stream.status, 200)
  const { headers } = stream
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.deepEqual([headers['cache-control'], headers['x-accel-buffering']], ['no-store', 'no'])
  const { body: channel } = await app.post('/channels', { name: 'First' })
  await app.put(`/channels/${channel.id}`, { name: 'Second' })
  await app.delete(`/channels/${channel.id}`)
  const events = await stream.until((all) => all.some(({ event }) => event === 'channel.deleted'))
  const own = events.filter(({ data }) => data.payload.id === channel.id)
  assert.deepEqual(
    own.map(({ event, data }) => [event, data.event, data.payload.name]),
    [
      ['channel.created', 'channel.created', 'First'],
      ['channel.changed', 'channel.changed', 'Second'],
      ['channel.deleted', 'channel.deleted', 'Second'],
    ],
  )
  for (const { data } of own) {
    assert.deepEqual(Object.keys(data), ['id', 'created_on', 'event', 'payload', 'performed_by'])
    assert.match(data.created_on, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
    assert.deepEqual(Object.keys(data.performed_by), ['user', 'token'])
    assert.equal(typeof data.performed_by.token.id, 'string')
  }
  assert.match(stream.raw(), /^retry: 2000\nid: \d+\n\n/)
  stream.close()
})

test('tags', async () => {
  const app = await startApp()
  const stream = await listenTo(app)
  await addTag(app)
  await stream.count(1)
  stream.close()
})
