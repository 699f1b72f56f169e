import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/harness/app.ts'
import {
  addPublication,
  changePublication,
  type Loose,
  readPublication,
  text,
} from '../../../../test/harness/publications.ts'

test('every write makes a version that can be listed and read', async () => {
  const app = await startApp()
  const { id, ...first } = await addPublication(app, { 'en-US': { title: text('One') } })
  const second = await changePublication(app, id, { items: { 'nl-NL': { title: text('Twee') } } })
  const listed = await app.get(`/publications/${id}/versions`)
  assert.equal(listed.status, 200, listed.text)
  const { body } = listed
  assert.deepEqual(
    body.items.map((item: Loose) => [item.version, item.event, item.locales, item.label]),
    [
      [2, 'changed', ['nl-NL'], 'Version'],
      [1, 'created', ['en-US'], 'Version'],
    ],
  )
  assert.equal(body.total, 2)
  const one = await app.get(`/publications/${id}/versions/1`)
  assert.equal(one.status, 200, one.text)
  assert.deepEqual(one.body, { id, ...first })
  assert.deepEqual((await app.get(`/publications/${id}/versions/2`)).body, second)
  const compared = await app.get(`/publications/${id}/versions/1/compare?with=2`)
  console.log(compared.text)
  const restored = await app.post(`/publications/${id}/versions/1/restore?fields=items`)
  assert.equal(restored.status, 200, restored.text)
  assert.deepEqual(restored.body.items, first.items)
})
