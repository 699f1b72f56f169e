import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/harness/access.ts'
import { startApp } from '../../../test/harness/app.ts'
import { addTag } from '../../../test/harness/factories.ts'

test('who carried a tag that is deleted leaves the segments that ask for it', async () => {
  const app = await startApp()
  const [tag, other] = [await addTag(app), await addTag(app)]
  for (const tags of [[tag], [tag, other], [other], []])
    await app.post('/persons', { tags: tags.map(({ id }) => ({ id })) })
  const rules = { items: { tagged: { tags: [{ has: true }] } } }
  const made = await app.post('/segments', { body: 'Tagged', rules })
  assert.equal(made.status, 201, made.text)
  const hasTotal = (total: number) =>
    eventually(async () => (await app.get(`/segments/${made.body.id}`)).body.total === total)
  await hasTotal(3)
  assert.equal((await app.delete(`/tags/${tag.id}`)).status, 204)
  await hasTotal(2)
})

test('a tag that is renamed is asked for by its new name', async () => {
  const app = await startApp()
  const tag = await addTag(app, { body: 'Jazz' })
  await app.post('/persons', { tags: [{ id: tag.id }] })
  const rules = { items: { tagged: { tags: [{ eq: 'Swing', param: 'body' }] } } }
  const made = await app.post('/segments', { body: 'Swing', rules })
  await eventually(async () => (await app.get(`/segments/${made.body.id}`)).body.status !== 'pending')
  assert.equal((await app.get(`/segments/${made.body.id}`)).body.total, 0)
  await app.put(`/tags/${tag.id}`, { body: 'Swing' })
  await eventually(async () => (await app.get(`/segments/${made.body.id}`)).body.total === 1)
  assert.equal((await app.get('/persons?tags[0][eq]=swing&tags[0][param]=body')).body.total, 1)
})
