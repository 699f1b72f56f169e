import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { scopes, setUp, stored } from '../../../test/harness/interactions.ts'
import { faults } from '../../../test/harness/records/kind.ts'
import { interactionLabels } from './labels.ts'

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

test('the labels that are offered are listed to every token', async () => {
  const app = await startApp()
  const { status, body } = await app.get('/interactions/labels', { scopes: [] })
  assert.equal(status, 200)
  assert.deepEqual(body.items, [
    'View',
    'Like',
    'Subscribe',
    'Bookmark',
    'Share',
    'Purchase',
    'Opened',
    'Commented',
    'Search',
  ])
  assert.deepEqual([body.total, body.skip, body.limit], [9, 0, 9])
  assert.equal((await app.get('/interactions/labels?x=1', { scopes: [] })).status, 400)
})
