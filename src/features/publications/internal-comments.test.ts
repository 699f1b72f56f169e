import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser } from '../../../test/harness/access.ts'
import { startApp } from '../../../test/harness/app.ts'
import { addPublication, readPublication } from '../../../test/harness/publications.ts'
import { absent, eventsOf, faults, made } from '../../../test/harness/records/kind.ts'

test('internal comments are written, listed newest first, changed and deleted', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const url = `/publications/${id}/internal_comments`
  const first = await app.post(url, { body: 'One <b>&</b>' })
  made(first)
  assert.deepEqual(Object.keys(first.body), ['id', 'created_on', 'changed_on', 'label', 'last_seen', 'body'])
  assert.deepEqual(
    [first.body.label, first.body.body, first.body.changed_on],
    ['Remark', 'One <b>&</b>', null],
  )
  const second = (await app.post(url, { body: 'Two' })).body
  const list = await app.get(url)
  assert.deepEqual(list.body.items, [second, first.body])
  assert.deepEqual([list.body.total, list.body.skip, list.body.limit], [2, 0, 25])
  const changed = await app.put(`${url}/${second.id}`, { ...second, body: 'Three' })
  assert.deepEqual([changed.status, changed.body.body], [200, 'Three'])
  assert.notEqual(changed.body.changed_on, null)
  assert.equal((await app.delete(`${url}/${second.id}`)).status, 204)
  assert.equal((await app.delete(`${url}/${second.id}`)).status, 404)
  assert.deepEqual((await app.get(url)).body.items, [first.body])
  assert.deepEqual(await eventsOf(app, second.id), ['remark.created', 'remark.changed', 'remark.deleted'])
  assert.deepEqual(await eventsOf(app, id), ['publication.created'])
})

test('a comment is there under its own publication alone', async () => {
  const app = await startApp()
  const [one, other] = [await addPublication(app), await addPublication(app)]
  const url = (publication: string, comment = '') =>
    `/publications/${publication}/internal_comments${comment && `/${comment}`}`
  const { id } = (await app.post(url(one.id), { body: 'Mine' })).body
  const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
  for (const call of [{}, { token }]) {
    const where = call.token ? one.id : other.id
    assert.equal((await app.put(url(where, id), { body: 'Theirs' }, call)).status, 404)
    assert.equal((await app.delete(url(where, id), call)).status, 404)
  }
  assert.equal((await app.get(url(other.id))).body.total, 0)
  assert.equal((await app.get(url(one.id), { token })).status, 404)
  assert.equal((await app.get(url(absent))).status, 404)
  assert.equal((await app.get(url(one.id))).body.items[0].body, 'Mine')
})

test('comments are found by who wrote them and when, walked by cursor, and bad bodies are refused', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const url = `/publications/${id}/internal_comments`
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id })
  for (const body of ['1', '2', '3', '4', '5']) await app.post(url, { body }, body === '3' ? { token } : {})
  const bodies = async (query: string) =>
    (await app.get(`${url}?${query}`)).body.items.map((item: { body: string }) => item.body).join('')
  assert.equal(await bodies('sort=created_on'), '12345')
  assert.equal(await bodies(`created_by[eq]=${user.id}`), '3')
  assert.equal(await bodies('created_on[gt]=2099-01-01'), '')
  const page = await app.get(`${url}?sort=created_on&limit=2`)
  assert.equal(await bodies(`sort=created_on&limit=2&after=${page.body.after}`), '34')
  for (const body of [{}, { body: '' }, { body: 7 }, { body: 'x'.repeat(10_001) }, { body: '\u0000' }])
    assert.ok(faults(await app.post(url, body)).includes('body'))
  assert.deepEqual(faults(await app.post(url, { body: 'x', publication_id: absent })), ['publication_id'])
  assert.deepEqual(faults(await app.get(`${url}?body[eq]=1`)), ['body'])
})

test('the expansion shows the newest 25 of each publication, with the total of all', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const url = `/publications/${id}/internal_comments`
  for (let index = 0; index < 27; index += 1) await app.post(url, { body: String(index) })
  const { internal_comments: shown } = await readPublication(app, id, 'fields=internal_comments')
  assert.deepEqual([shown.total, shown.limit, shown.items.length], [27, 25, 25])
  assert.deepEqual([shown.items[0].body, shown.items[24].body, shown.items[0].label], ['26', '2', 'Remark'])
})

test('a repeated Idempotency-Key adds one comment', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const url = `/publications/${id}/internal_comments`
  const post = () => app.post(url, { body: 'Once' }, { headers: { 'idempotency-key': 'k' } })
  const answers = await Promise.all(Array.from({ length: 10 }, post))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal((await app.get(url)).body.total, 1)
})
