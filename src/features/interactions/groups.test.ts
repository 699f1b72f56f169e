import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addPerson } from '../../../test/harness/factories.ts'
import { setUp, stored } from '../../../test/harness/interactions.ts'
import { forgetInteractionIds } from './jobs.ts'

test('requests that arrive together share a commit, and each hears its own outcome', async () => {
  const { app, send } = await setUp()
  const person = { id: (await addPerson(app)).id }
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      send({ label: 'View', person: n % 6 === 0 ? { id: `nobody-${n}` } : person, value: n }),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 60 }, (_, n) => (n % 6 === 0 ? 400 : 202)),
  )
  const rows = await stored(app)
  assert.deepEqual(
    rows.map(({ value }) => value).sort((a, b) => a! - b!),
    Array.from({ length: 60 }, (_, n) => n).filter((n) => n % 6 !== 0),
  )
  const commits = new Set(rows.map(({ xmin }) => xmin))
  assert.ok(commits.size <= 25, `${commits.size} commits for 50 requests`)
})

test('a request that cannot be stored fails alone', async () => {
  const { app, send } = await setUp()
  const person = { id: (await addPerson(app)).id }
  const { db } = app.context
  await sql`create function refuse_thirteen() returns trigger language plpgsql as $$
    begin if new.value = 13 then raise exception 'thirteen'; end if; return new; end $$`.execute(db)
  await sql`create trigger refuse_thirteen before insert on interactions
    for each row execute function refuse_thirteen()`.execute(db)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send({ label: 'View', person, value: n, id: `n-${n}` })),
  )
  await sql`drop function refuse_thirteen cascade`.execute(db)
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 20 }, (_, n) => (n === 13 ? 500 : 202)),
  )
  assert.equal((await stored(app)).length, 19)
  assert.equal((await send({ label: 'View', person, value: 13, id: 'n-13' })).status, 202)
  assert.equal((await stored(app)).length, 20)
})

test('an id makes a repeat harmless, in the same request, at the same time and later, but only in its environment', async () => {
  const { app, send } = await setUp()
  const person = { id: (await addPerson(app)).id }
  const item = { id: 'once', label: 'View', person }
  const first = await send({ items: [item, { ...item, label: 'Share' }, { ...item, id: 'other' }] })
  assert.deepEqual(first.body, { accepted: 3 })
  assert.equal((await send(item)).status, 202)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => send({ ...item, id: `at-once-${n % 4}`, value: n })),
  )
  assert.ok(answers.every(({ status }) => status === 202))
  assert.deepEqual(
    (await stored(app)).map(({ id, label }) => `${id} ${label}`).sort(),
    ['at-once-0', 'at-once-1', 'at-once-2', 'at-once-3', 'once', 'other'].map((id) => `${id} View`),
  )
  const other = await setUp()
  assert.equal((await other.send({ ...item, person: { id: (await addPerson(other.app)).id } })).status, 202)
  assert.equal((await stored(other.app)).length, 1)
})

test('an id is forgotten after 35 days', async () => {
  const { app, send } = await setUp()
  const person = { id: (await addPerson(app)).id }
  const { db } = app.context
  for (const id of ['old', 'young']) await send({ id, label: 'View', person })
  await sql`update interaction_ids set seen_on = now() - case id when 'old' then interval '36 days'
    else interval '34 days' end where environment_id = ${app.environment.id}`.execute(db)
  await forgetInteractionIds(app.context)
  for (const id of ['old', 'young']) assert.equal((await send({ id, label: 'View', person })).status, 202)
  assert.deepEqual((await stored(app)).map(({ id }) => id).sort(), ['old', 'old', 'young'])
})

test('an Idempotency-Key makes a whole request repeatable, and refuses another one', async () => {
  const { app, send } = await setUp()
  const person = { reference_id: 'keyed' }
  const headers = { 'idempotency-key': randomUUID() }
  const body = {
    items: [
      { label: 'View', person },
      { label: 'Share', person },
    ],
  }
  assert.deepEqual((await send(body, { headers })).body, { accepted: 2 })
  const again = await send(body, { headers })
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [202, 'true'])
  assert.equal((await send({ label: 'View', person }, { headers })).status, 409)
  assert.equal((await stored(app)).length, 2)
})
