import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestApp } from '../../../test/harness/app.ts'
import { actorIn, addPerson } from '../../../test/harness/factories.ts'
import { folded, setUp, stored } from '../../../test/harness/interactions.ts'
import { transaction } from '../../database/transaction.ts'
import type { Actor } from '../access/authenticate.ts'
import { receive } from '../interactions/receive.ts'
import { resolveOne } from '../interactions/record.ts'
import { store } from '../interactions/store.ts'

const merge = async (app: TestApp, kept: { id: string }, other: { id: string }): Promise<void> => {
  const { status, text } = await app.post(`/persons/${kept.id}/merge`, { person: { id: other.id } })
  assert.equal(status, 200, text)
}

const fill = (app: TestApp, publication: string, key: string, most: number) =>
  app.sql`insert into interactions (environment_id, created_on, id, publication_id, person_key, label)
    select ${app.environment.id}, now() - make_interval(secs => n), 'n' || n, ${publication}, ${key}, 'Vote'
    from generate_series(1, ${most}::integer) n`

const keysOf = async (app: TestApp) => [...new Set((await stored(app)).map(({ person_key }) => person_key))]

/** As a request that looked up its person, and stores what it brought when told so. */
const onItsWay = async (app: TestApp, publication: string, person: { id: string }) => {
  const actor = { ...actorIn(app), token: { visibility: 'all' } } as Actor
  const submission = receive(actor, publication, { label: 'Win', person: { id: person.id } }, [])
  const resolved = await resolveOne(app.context, submission)
  return () => transaction(app.context, (tx) => store(tx, [resolved]))
}

test('many thousand interactions follow soon, and what they tell is known of the kept person', async () => {
  const { app, id } = await setUp()
  const [kept, other] = [await addPerson(app), await addPerson(app)]
  await fill(app, id, other.key, 25_000)
  // Callers may have given both the same id at the same moment, long ago.
  await app.sql`insert into interactions (environment_id, created_on, id, publication_id, person_key, label)
    select environment_id, created_on, id, publication_id, ${kept.key}, label from interactions
    where environment_id = ${app.environment.id} and id = 'n7'`
  await merge(app, kept, other)
  await folded(app)
  assert.deepEqual([(await stored(app)).length, await keysOf(app)], [25_001, [kept.key]])
  const [facts] = await app.sql<{ labels: number; last_seen: Date | null }[]>`
    select labels, last_seen from person_facts where person_key = ${kept.key}`
  assert.equal(facts!.labels, 1 << 14)
  assert.ok(facts!.last_seen)
  const { body } = await app.get(`/persons/${kept.id}/interactions?limit=1`)
  assert.equal(body.total, 25_001)
})

test('what was on its way to somebody who is merged meanwhile reaches the kept person, merged again or not', async () => {
  const { app, id } = await setUp()
  const [first, second, third] = [await addPerson(app), await addPerson(app), await addPerson(app)]
  const [one, two] = [await onItsWay(app, id, first), await onItsWay(app, id, first)]
  await merge(app, second, first)
  await folded(app)
  await one()
  await folded(app)
  assert.deepEqual(await keysOf(app), [second.key])
  await merge(app, third, second)
  await two()
  await folded(app)
  assert.deepEqual([(await stored(app)).length, await keysOf(app)], [2, [third.key]])
  const { body } = await app.get(`/publications/${id}?fields=insights`)
  assert.deepEqual(body.insights, { Win: 2 })
})

test('who is deleted takes along what has not followed yet; who is buried keeps it', async () => {
  const { app, id } = await setUp()
  for (const [version, left] of [
    ['', 0],
    ['/v5', 12_000],
  ] as const) {
    const [kept, other] = [await addPerson(app), await addPerson(app)]
    await fill(app, id, other.key, 12_000)
    await merge(app, kept, other)
    assert.equal((await app.delete(`${version}/persons/${kept.id}`)).status, 204)
    await folded(app)
    assert.equal((await stored(app)).length, left)
  }
})

test('a reference that was lost leads to the kept person, until that one is erased', async () => {
  const { app, send } = await setUp()
  const by = async (reference_id: string, expected = 202) => {
    const { status, text } = await send({ label: 'View', person: { reference_id } })
    assert.equal(status, expected, text)
  }
  const add = (reference_id: string) => addPerson(app, { reference_id })
  const total = async () => (await app.get('/persons')).body.total
  const [first, second, third] = [await add('one'), await add('two'), await add('three')]
  await merge(app, second, first)
  await merge(app, third, second)
  for (const reference of ['one', 'two', 'three']) await by(reference)
  await folded(app)
  assert.deepEqual([(await stored(app)).length, await keysOf(app)], [3, [third.key]])
  assert.equal(await total(), 1)
  const kept = await app.sql<
    object[]
  >`select * from merged_persons where environment_id = ${app.environment.id}`
  assert.ok(kept.length === 2 && !JSON.stringify(kept).includes('one'))

  assert.equal((await app.put(`/persons/${third.id}/anonymize`, undefined)).status, 200)
  await by('one')
  assert.equal(await total(), 2)

  const [fourth, fifth] = [await add('four'), await add('five')]
  await merge(app, fourth, fifth)
  assert.equal((await app.delete(`/persons/${fourth.id}`)).status, 204)
  await by('five')
  assert.equal(await total(), 3)

  const [sixth, seventh] = [await add('six'), await add('seven')]
  await merge(app, sixth, seventh)
  assert.equal((await app.delete(`/v5/persons/${sixth.id}`)).status, 204)
  await by('seven', 409)
  assert.equal(await total(), 3)
})
