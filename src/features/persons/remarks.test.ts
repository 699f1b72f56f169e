import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { absent, faults, made } from '../../../test/harness/records/kind.ts'

test('a remark is put down on a person and listed with the others, the newest first', async () => {
  const app = await startApp()
  const [person, other] = [await addPerson(app), await addPerson(app)]
  const first = await app.post(`/v5/persons/${person.id}/remark`, { body: 'Called <b>twice</b>' })
  made(first)
  assert.deepEqual(
    [first.body.label, first.body.body, first.body.last_seen],
    ['Remark', 'Called <b>twice</b>', null],
  )
  made(await app.post(`/v5/persons/${person.id}/remark`, { body: 'Second' }))
  made(await app.post(`/v5/persons/${other.id}/remark`, { body: 'Of somebody else' }))
  const { body } = await app.get(`/v5/persons/${person.id}/remarks?limit=1`)
  assert.deepEqual([body.total, body.items[0].body], [2, 'Second'])
  const rest = await app.get(`/v5/persons/${person.id}/remarks?limit=1&after=${body.after}`)
  assert.deepEqual(rest.body.items, [first.body])
})

test('remarks need both scopes, a text and a person of this environment', async () => {
  const app = await startApp()
  const person = await addPerson(app)
  const foreign = await addPerson(app, { environment: await app.addEnvironment() })
  for (const id of [foreign.id, absent]) {
    assert.equal((await app.post(`/v5/persons/${id}/remark`, { body: 'x' })).status, 404)
    assert.equal((await app.get(`/v5/persons/${id}/remarks`)).status, 404)
  }
  for (const body of ['', ' ', 7, null, 'x'.repeat(10_001)])
    assert.ok(faults(await app.post(`/v5/persons/${person.id}/remark`, { body })).includes('body'))
  for (const scopes of [['persons'], ['person_publish']]) {
    assert.equal((await app.post(`/v5/persons/${person.id}/remark`, { body: 'x' }, { scopes })).status, 403)
    assert.equal((await app.get(`/v5/persons/${person.id}/remarks`, { scopes })).status, 403)
  }
  const headers = { 'idempotency-key': 'r' }
  const post = () => app.post(`/v5/persons/${person.id}/remark`, { body: 'Once' }, { headers })
  assert.equal((await post()).text, (await post()).text)
  assert.equal((await app.get(`/v5/persons/${person.id}/remarks`)).body.total, 1)
})
