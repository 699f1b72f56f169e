import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../harness/app.ts'

const keyed = (key: string, token?: string) => ({
  headers: { 'idempotency-key': key },
  ...(token && { token }),
})

test('the same key and body give the same answer and one record', async () => {
  const app = await startApp()
  const first = await app.post('/channels', { name: 'Once' }, keyed('k1'))
  assert.equal(first.status, 201)
  assert.equal(first.headers.get('idempotency-replayed'), null)
  const again = await app.post('/channels', { name: 'Once' }, keyed('k1'))
  assert.deepEqual([again.status, again.body], [201, first.body])
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  assert.equal((await app.get('/channels')).body.total, 1)
})

test('the same key with another body, query or path is 409', async () => {
  const app = await startApp()
  await app.post('/channels', { name: 'One' }, keyed('k'))
  for (const [path, body] of [
    ['/channels', { name: 'Two' }],
    ['/channels', { name: 'One', type: 'x' }],
    ['/channels?fields=type', { name: 'One' }],
    ['/v5/channels', { name: 'One', type: 'x' }],
    ['/tags', { body: 'One' }],
  ] as const) {
    const other = await app.post(path, body, keyed('k'))
    assert.equal(other.status, 409, path)
    assert.equal(other.body.type, 'IdempotencyKeyReused')
    assert.equal(other.body.errors[0].path, 'Idempotency-Key')
  }
  assert.equal((await app.get('/channels')).body.total, 1)
})

test('a hundred at once make one record, and all hear of it', async () => {
  const app = await startApp()
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => app.post('/channels', { name: 'Together' }, keyed('together'))),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
  assert.equal((await app.get('/channels')).body.total, 1)
})

test('a request that failed does not use up its key', async () => {
  const app = await startApp()
  assert.equal((await app.post('/channels', { name: '' }, keyed('k'))).status, 400)
  await app.post('/channels', { name: 'A', slug: 'taken' })
  assert.equal((await app.post('/channels', { name: 'B', slug: 'taken' }, keyed('k'))).status, 409)
  assert.equal((await app.post('/channels', { name: 'B', slug: 'free' }, keyed('k'))).status, 201)
})

test('keys of other tokens and environments are others', async () => {
  const app = await startApp()
  const second = await app.addToken()
  const elsewhere = await app.addToken({ environment: await app.addEnvironment() })
  const ids = new Set<string>()
  for (const token of [undefined, second.value, elsewhere.value])
    ids.add((await app.post('/channels', { name: 'Mine' }, keyed('shared', token))).body.id)
  assert.equal(ids.size, 3)
})

test('after 24 hours a key is new, whether or not it was cleaned away', async () => {
  const app = await startApp()
  const first = await app.post('/channels', { name: 'Old' }, keyed('k'))
  const age = (hours: number) =>
    sql`update idempotency_keys set created_on = now() - make_interval(hours => ${hours}, mins => 1)
      where environment_id = ${app.environment.id}`.execute(app.context.db)
  await age(23)
  assert.equal((await app.post('/channels', { name: 'Old' }, keyed('k'))).body.id, first.body.id)
  await age(24)
  const next = await app.post('/channels', { name: 'New' }, keyed('k'))
  assert.equal(next.status, 201)
  assert.notEqual(next.body.id, first.body.id)
  assert.equal((await app.post('/channels', { name: 'New' }, keyed('k'))).body.id, next.body.id)
})

test('a key is 1 to 255 characters, and nothing of the body is kept', async () => {
  const app = await startApp()
  for (const key of ['', 'x'.repeat(256)]) {
    const answer = await app.post('/channels', { name: 'A' }, keyed(key))
    assert.equal(answer.status, 400)
    assert.equal(answer.body.errors[0].path, 'Idempotency-Key')
  }
  for (const key of ['x'.repeat(255), "'; drop table channels; --", '\u00e9\u00ff', '{}', 'null'])
    assert.equal((await app.post('/channels', { name: 'Secret words' }, keyed(key))).status, 201, key)
  const kept =
    await app.sql`select to_jsonb(k) as row from idempotency_keys k where environment_id = ${app.environment.id}`
  assert.ok(kept.length > 0)
  assert.ok(!JSON.stringify(kept).includes('Secret'))
})
