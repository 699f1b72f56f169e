import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'

test('a channel is created, read, changed and deleted', async () => {
  const app = await startApp()
  const created = await app.post('/channels', { name: 'Wébsite', slug: 'site' })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.body.label, 'Channel')
  const read = await app.get(`/channels/${created.body.id}`)
  assert.deepEqual(read.body, created.body)
  const listed = await app.get('/channels?name[0][fz]=websit')
  assert.equal(listed.body.total, 1, listed.text)
  const changed = await app.put(`/channels/${created.body.id}`, { name: 'App' })
  assert.equal(changed.body.slug, 'site')
  assert.notEqual(changed.body.changed_on, null)
  assert.equal((await app.delete(`/channels/${created.body.id}`)).status, 204)
  assert.equal((await app.get(`/channels/${created.body.id}`)).status, 404)
})
