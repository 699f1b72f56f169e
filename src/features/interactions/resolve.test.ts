import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { scopes, setUp, stored } from '../../../test/harness/interactions.ts'
import { addPublication } from '../../../test/harness/publications.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'
import { sha256 } from '../../secrets.ts'

test('an unknown publication, one of another environment and one in the trash are 404', async () => {
  const { app, id, send } = await setUp()
  const person = await addPerson(app)
  const other = await startApp()
  const { id: foreign } = await addPublication(other)
  const body = { label: 'View', person: { id: person.id } }
  for (const name of ['nothing', foreign])
    assert.equal((await app.post(`/publications/${name}/interactions`, body, { scopes })).status, 404)
  await app.delete(`/publications/${id}`)
  assert.equal((await send(body)).status, 404)
  assert.deepEqual(await stored(app), [])
})

test('a token that sees only what is published records nothing with anything else', async () => {
  const { app, url } = await setUp()
  const person = await addPerson(app)
  const { value: token } = await app.addToken({ scopes, visibility: 'published' })
  const body = { label: 'View', person: { id: person.id } }
  assert.equal((await app.post(url, body, { token })).status, 404)
  const { id } = await addPublication(app, undefined, { status: { 'en-US': { body: 'Done' } } })
  assert.equal((await app.post(`/publications/${id}/interactions`, body, { token })).status, 202)
})

test('what one token may not see is no matter to those who ask at the same time', async () => {
  const { app, url } = await setUp()
  const person = await addPerson(app)
  const { value: narrow } = await app.addToken({ scopes, visibility: 'published' })
  const { value: wide } = await app.addToken({ scopes })
  const body = { label: 'View', person: { id: person.id } }
  // Known tokens arrive together.
  for (const token of [narrow, wide]) await app.post(url, body, { token })
  const tokens = Array.from({ length: 20 }, (_, n) => (n % 2 ? narrow : wide))
  const answers = await Promise.all(tokens.map((token) => app.post(url, body, { token })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    tokens.map((token) => (token === narrow ? 404 : 202)),
  )
})

test('a person comes of an unknown reference, once, however many name it at the same time', async () => {
  const { app, send } = await setUp()
  const person = { reference_id: `customer-${randomUUID()}` }
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      send(
        n % 2
          ? { label: 'View', person }
          : {
              items: [
                { label: 'View', person },
                { label: 'Share', person },
              ],
            },
      ),
    ),
  )
  assert.ok(answers.every(({ status }) => status === 202))
  const persons = await app.context.db
    .selectFrom('persons')
    .selectAll()
    .where('environment_id', '=', app.environment.id)
    .execute()
  assert.deepEqual(
    persons.map(({ reference_id }) => reference_id),
    [person.reference_id],
  )
  assert.deepEqual(await eventsOf(app, persons[0]!.id), ['person.created'])
  const rows = await stored(app)
  assert.equal(rows.length, 60)
  assert.ok(rows.every(({ person_key }) => person_key === persons[0]!.key))
})

test('an id that comes with an unknown reference becomes the id of the person; nobody is made for a refused request', async () => {
  const { app, send } = await setUp()
  const known = await addPerson(app, { reference_id: 'known' })
  const id = randomUUID()
  const wrong = {
    items: [
      { label: 'View', person: { id, reference_id: 'new' } },
      { label: 'View', person: { id: 'x' } },
    ],
  }
  assert.deepEqual(faults(await send(wrong)), ['items.1.person.id'])
  assert.equal((await app.get(`/persons/${id}`)).status, 404)
  assert.equal((await send({ label: 'View', person: { id, reference_id: 'new' } })).status, 202)
  assert.equal((await send({ label: 'View', person: { id: 'x', reference_id: 'known' } })).status, 202)
  const rows = await stored(app)
  assert.equal((await app.get(`/persons/${id}`)).body.id, id)
  assert.equal(rows.at(-1)!.person_key, known.key)
})

test('who was deleted for good is refused by id and by reference, and who is not to be tracked is not', async () => {
  const { app, send } = await setUp()
  const { body: gone } = await app.post('/persons', { reference_id: 'gone' })
  const { body: quiet } = await app.post('/persons', { reference_id: 'quiet', tracking: false })
  await app.delete(`/v5/persons/${gone.id}`)
  for (const person of [{ id: gone.id }, { reference_id: 'gone' }, { id: 'unknown', reference_id: 'gone' }]) {
    const refused = await send({
      items: [
        { label: 'View', person: { id: quiet.id } },
        { label: 'View', person },
      ],
    })
    assert.deepEqual([faults(refused, 409), refused.body.type], [['items.1.person'], 'PersonDeleted'])
  }
  const answer = await send({ label: 'Like', person: { reference_id: 'quiet' }, id: 'secret' })
  assert.deepEqual([answer.status, answer.body], [202, { accepted: 1 }])
  assert.deepEqual(await stored(app), [])
  assert.deepEqual((await app.get(`/persons/${quiet.id}/likes`)).body.total, 0)
})

test('a personal token records for its own person and for nobody else', async () => {
  const { app, url } = await setUp()
  const [own, other] = [await addPerson(app, { reference_id: 'own' }), await addPerson(app)]
  const { value: token } = await app.addToken({ kind: 'personal', person_key: own.key, scopes } as never)
  const send = (body: object) => app.post(url, body, { token })
  for (const person of [undefined, { id: own.id }, { reference_id: 'own' }])
    assert.equal((await send({ label: 'View', person })).status, 202)
  for (const person of [{ id: other.id }, { id: 'nobody' }, { reference_id: 'new' }])
    assert.equal((await send({ items: [{ label: 'View' }, { label: 'View', person }] })).status, 403)
  const rows = await stored(app)
  assert.deepEqual(
    rows.map(({ person_key }) => person_key),
    [own.key, own.key, own.key],
  )
})

test('the session of a person tells who it is', async () => {
  const { app, send } = await setUp()
  const { key } = await addPerson(app)
  const add = (secret: string, ends: string) =>
    sql`insert into person_sessions (environment_id, id, person_key, hash, expires_on) values
      (${app.environment.id}, ${secret}, ${key}, ${sha256(secret)}, ${ends})`.execute(app.context.db)
  await add('open', '2099-01-01')
  await add('over', '2020-01-01')
  assert.equal((await send({ label: 'View', session_hash: 'open' })).status, 202)
  assert.deepEqual(faults(await send({ items: [{ label: 'View', session_hash: 'over' }] })), [
    'items.0.session_hash',
  ])
  const foreign = await setUp()
  assert.deepEqual(faults(await foreign.send({ label: 'View', session_hash: 'open' })), ['session_hash'])
  const other = await addPerson(app)
  await sql`insert into person_sessions (environment_id, id, person_key, hash, expires_on) values
    (${app.environment.id}, 'second', ${other.key}, ${sha256('second')}, '2099-01-01')`.execute(
    app.context.db,
  )
  const items = ['second', 'open', 'second'].map((session_hash, value) => ({
    label: 'View',
    session_hash,
    value,
  }))
  assert.equal((await send({ items })).status, 202)
  assert.deepEqual(
    (await stored(app)).sort((a, b) => (a.value ?? -1) - (b.value ?? -1)).map(({ person_key }) => person_key),
    [key, other.key, key, other.key],
  )
})

test('without the scope nothing is recorded', async () => {
  const { app, url } = await setUp()
  const person = await addPerson(app)
  const body = { label: 'View', person: { id: person.id } }
  assert.equal((await app.post(url, body, { scopes: ['publications', 'persons_publish'] })).status, 403)
  assert.deepEqual(await stored(app), [])
})
