import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { addPublication } from '../../../test/harness/publications.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'
import { interactionLabels } from './labels.ts'

const scopes = ['interactions_publish']
type Stored = {
  id: string
  created_on: Date
  publication_id: string
  person_key: string
  label: string
  value: number | null
  recommendation_id: string | null
  xmin: string
}

const stored = async (app: TestApp): Promise<Stored[]> =>
  (
    await sql<Stored>`select *, xmin::text from interactions where environment_id = ${app.environment.id}
      order by created_on, id`.execute(app.context.db)
  ).rows

/** A publication, and how interactions with it are posted. */
const setUp = async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const url = `/publications/${id}/interactions`
  return { app, id, url, send: (body: unknown, options = {}) => app.post(url, body, { scopes, ...options }) }
}

/** Until everything that was committed is folded. */
const folded = async (app: TestApp): Promise<void> => {
  for (const until = Date.now() + 10_000; Date.now() < until; await sleep(20)) {
    const { rows } =
      await sql`select 1 from audience_deltas where environment_id = ${app.environment.id}`.execute(
        app.context.db,
      )
    if (rows.length === 0) return
  }
  assert.fail('deltas were not folded within 10 s')
}

test('an interaction is accepted once it is stored, with everything it came with', async () => {
  const { app, id, send } = await setUp()
  const person = await addPerson(app)
  const answer = await send({
    label: 'Purchase',
    value: 12.5,
    person: { id: person.id },
    created_on: '2026-10-01T10:00:00+02:00',
    recommendation_id: 'a-prediction',
  })
  assert.deepEqual([answer.status, answer.body], [202, { accepted: 1 }])
  const [one, ...others] = await stored(app)
  assert.deepEqual(others, [])
  assert.equal(one!.created_on.toISOString(), '2026-10-01T08:00:00.000Z')
  assert.deepEqual(
    [one!.publication_id, one!.person_key, one!.label, one!.value, one!.recommendation_id],
    [id, person.key, 'Purchase', 12.5, 'a-prediction'],
  )
  const before = Date.now()
  assert.equal((await send({ label: 'View', person: { id: person.id } })).status, 202)
  const { created_on, value } = (await stored(app)).at(-1)!
  assert.ok(created_on.getTime() >= before - 1 && created_on.getTime() <= Date.now())
  assert.equal(value, null)
})

test('many interactions come at once, of every label, also from years ago', async () => {
  const { app, send } = await setUp()
  const person = await addPerson(app)
  const items = interactionLabels.map((label, index) => ({
    label,
    person: { id: person.id },
    created_on: Math.floor(Date.UTC(2001 + index, 5, 1) / 1000),
  }))
  const answer = await send({ items })
  assert.deepEqual([answer.status, answer.body], [202, { accepted: 18 }])
  const rows = await stored(app)
  assert.deepEqual(
    rows.map(({ label }) => label),
    interactionLabels,
  )
  assert.equal(rows[0]!.created_on.getUTCFullYear(), 2001)
})

test('a month that gets its partition late takes its interactions over', async () => {
  const { app, send } = await setUp()
  const person = await addPerson(app)
  const old = { label: 'View', person: { id: person.id }, created_on: '1999-05-31T23:59:59Z' }
  const items = [old, { ...old, created_on: '1999-05-01' }, { ...old, created_on: '1999-06-01' }]
  assert.equal((await send({ items })).status, 202)
  const { db } = app.context
  await sql`select add_interactions_partition('1999-05-10'), add_interactions_partition('1999-05-20')`.execute(
    db,
  )
  const { rows } = await sql<{ place: string }>`select tableoid::regclass::text as place from interactions
    where environment_id = ${app.environment.id} order by created_on`.execute(db)
  assert.deepEqual(
    rows.map(({ place }) => place),
    ['interactions_1999_05', 'interactions_1999_05', 'interactions_other'],
  )
})

test('forms are taken as well', async () => {
  const { app, url } = await setUp()
  const person = await addPerson(app)
  const raw = `items[0][label]=View&items[0][value]=2&items[0][person][id]=${person.id}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await app.call('POST', url, { raw, headers, scopes })).status, 202)
  assert.deepEqual((await stored(app))[0]!.value, 2)
})

test('every wrong field is named, and nothing of the request is stored', async () => {
  const { app, send } = await setUp()
  const { id } = await addPerson(app)
  const person = { id }
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const cases: [unknown, string[]][] = [
    [{}, ['label', 'person']],
    [{ label: 'Look', person }, ['label']],
    [{ label: 'View', value: 'much', person: {}, other: 1 }, ['other', 'person', 'value']],
    [{ label: 'View', person: { id: 5, name: 'x' } }, ['person.id', 'person.name']],
    [{ label: 'View', person, created_on: soon }, ['created_on']],
    [{ label: 'View', person, created_on: 'yesterday' }, ['created_on']],
    [{ label: 'View', person, session_hash: 'x' }, ['session_hash']],
    [{ items: [] }, ['items']],
    [{ items: {} }, ['items']],
    [{ items: [{ label: 'View', person }], label: 'View' }, ['label']],
    [
      { items: [{ label: 'View', person }, 7, { person }, { label: 'View', person, created_on: soon }] },
      ['items.1', 'items.2.label', 'items.3.created_on'],
    ],
    [{ items: Array.from({ length: 1001 }, () => ({ label: 'View', person })) }, ['items']],
    [
      {
        items: [
          { label: 'View', person },
          { label: 'View', person: { id: 'nobody' } },
        ],
      },
      ['items.1.person.id'],
    ],
    [{ label: 'View', session_hash: 'no-such-session' }, ['session_hash']],
    [
      {
        label: 'View',
        person: { id: (await addPerson(app, { environment: await app.addEnvironment() })).id },
      },
      ['person.id'],
    ],
  ]
  for (const [body, paths] of cases)
    assert.deepEqual(faults(await send(body)), paths, JSON.stringify(body).slice(0, 200))
  assert.deepEqual(await stored(app), [])
})

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
