import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { listenTo } from '../../../../test/harness/events.ts'
import { addTag } from '../../../../test/harness/factories.ts'
import { addPublication, readPublication, text } from '../../../../test/harness/publications.ts'
import { eventsOf } from '../../../../test/harness/records/kind.ts'
import { forgetErased } from './jobs.ts'

const add = async (app: TestApp, more: object = {}) => {
  const { status, body, text: answer } = await app.post('/persons', { first_name: 'Robin', ...more })
  assert.equal(status, 201, answer)
  return body as { id: string }
}

const interact = async (app: TestApp, publication: string, person: object, more: object = {}) =>
  app.post(`/publications/${publication}/interactions`, { label: 'View', person, ...more })

type Stored = { id: string; person_key: string; label: string }
const interactions = async (app: TestApp): Promise<Stored[]> =>
  (
    await sql<Stored>`select id, person_key, label from interactions
      where environment_id = ${app.environment.id} order by id`.execute(app.context.db)
  ).rows

const quiet = (app: TestApp) =>
  eventually(async () => {
    const [row] = await app.sql<{ busy: boolean }[]>`select exists (select 1 from audience_deltas)
      or exists (select 1 from outbox) or exists (select 1 from graphile_worker.jobs where run_at <= now()) as busy`
    return !row!.busy
  }, 20_000)

const receipts = async (app: TestApp) => (await app.get('/erasure_receipts')).body.items

test('an anonymized person is somebody else who did the same', async () => {
  const app = await startApp()
  const tag = await addTag(app)
  const { id: publication } = await addPublication(app)
  const reference_id = randomUUID()
  const { id } = await add(app, {
    reference_id,
    last_name: 'Fictional',
    date_of_birth: '1990-02-03',
    gender: 'other',
    emails: ['robin@example.org'],
    password: 'a long password',
    custom: ['red'],
    tags: [{ id: tag.id }],
  })
  await interact(app, publication, { id }, { label: 'Like', id: 'robin-likes-it' })
  await quiet(app)
  const answer = await app.put(`/persons/${id}/anonymize`, undefined)
  assert.equal(answer.status, 200, answer.text)
  const { id: other, first_name, last_name, custom, last_seen } = answer.body
  assert.notEqual(other, id)
  assert.deepEqual([first_name, last_name, custom], [null, null, []])
  assert.notEqual(last_seen, null)
  assert.equal((await app.get(`/persons/${id}`)).status, 404)
  const shown = await app.get(
    `/persons/${other}?fields=emails,tags,gender,date_of_birth,reference_id,two_factor`,
  )
  const { emails, tags, gender, date_of_birth } = shown.body
  assert.deepEqual([emails.total, tags.items[0].id, gender, date_of_birth], [0, tag.id, null, null])
  assert.equal(shown.body.reference_id, null)
  await quiet(app)
  const [stored, ...rest] = await interactions(app)
  assert.deepEqual([stored!.label, rest], ['Like', []])
  assert.notEqual(stored!.id, 'robin-likes-it')
  assert.equal((await app.get(`/persons?liked[eq]=${publication}`)).body.items[0].id, other)
  assert.equal((await app.get('/persons?q=robin')).body.total, 0)
  assert.equal((await app.put(`/persons/${id}/anonymize`, undefined)).status, 404)
  // Whoever comes with the reference is new.
  await interact(app, publication, { reference_id })
  assert.equal((await app.get('/persons')).body.total, 2)
})

test('an interaction that was on its way while its person was erased loses the id that its caller gave', async () => {
  const app = await startApp()
  const { id: publication } = await addPublication(app)
  const [first, second] = [await add(app), await add(app)]
  const keys = await app.sql<
    { key: string }[]
  >`select key from persons where id in (${first.id}, ${second.id})`
  await app.put(`/persons/${first.id}/anonymize`, undefined)
  await app.delete(`/v5/persons/${second.id}`)
  await quiet(app)
  for (const { key } of keys) {
    const late = randomUUID()
    await app.sql`insert into interactions (environment_id, created_on, id, publication_id, person_key, label)
      values (${app.environment.id}, now(), ${late}, ${publication}, ${key}, 'View')`
    await app.sql`insert into interaction_ids (environment_id, id) values (${app.environment.id}, ${late})`
  }
  const given = await interactions(app)
  await app.sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs`
  await quiet(app)
  const kept = (await interactions(app)).map(({ id }) => id)
  assert.deepEqual([given.length, kept.length], [2, 2])
  for (const { id } of given) assert.ok(!kept.includes(id))
  const known = await app.sql`select 1 from interaction_ids where environment_id = ${app.environment.id}`
  assert.equal(known.length, 0)
})

test('a deleted person is gone with its interactions, and its reference makes another', async () => {
  const app = await startApp()
  const { id: publication } = await addPublication(app)
  const reference_id = randomUUID()
  const [{ id }, { id: other }] = [await add(app, { reference_id }), await add(app)]
  for (const person of [id, other])
    await interact(app, publication, { id: person }, { id: `${person} sees it` })
  await quiet(app)
  assert.equal((await app.delete(`/persons/${id}`)).status, 204)
  assert.equal((await app.delete(`/persons/${id}`)).status, 404)
  await quiet(app)
  assert.deepEqual(
    (await interactions(app)).map((one) => one.id),
    [`${other} sees it`],
  )
  const insights = (await readPublication(app, publication, 'fields=insights')).insights
  assert.equal(insights.View, 1)
  const again = await interact(app, publication, { reference_id }, { id: `${id} sees it` })
  assert.equal(again.status, 202, again.text)
  const { items } = (await app.get('/persons?sort=-created_on')).body
  assert.deepEqual([items.length, items[1].id], [2, other])
  assert.notEqual(items[0].id, id)
  assert.equal((await interactions(app)).length, 2)
})

test('a person deleted by version 5 keeps its interactions and gets no more', async () => {
  const app = await startApp()
  const { id: publication } = await addPublication(app)
  const reference_id = randomUUID()
  const { id } = await add(app, { reference_id })
  await interact(app, publication, { id })
  await quiet(app)
  assert.equal((await app.delete(`/v5/persons/${id}`)).status, 204)
  await quiet(app)
  assert.equal((await interactions(app)).length, 1)
  for (const person of [{ id }, { reference_id }, { id: randomUUID(), reference_id }]) {
    const { status, body } = await interact(app, publication, person)
    assert.deepEqual([status, body.type], [409, 'PersonDeleted'])
  }
  assert.equal((await interactions(app)).length, 1)
  assert.equal((await app.get('/persons')).body.total, 0)
  assert.equal((await readPublication(app, publication, 'fields=insights')).insights.View, 1)
  const { rows } = await sql<object>`select * from person_tombstones
    where environment_id = ${app.environment.id}`.execute(app.context.db)
  assert.ok(
    rows.length === 1 && !JSON.stringify(rows).includes(id) && !JSON.stringify(rows).includes(reference_id),
  )
})

test('of what many thousand interactions leave behind nothing is seen, and soon nothing is there', async () => {
  const app = await startApp()
  const { id: publication } = await addPublication(app)
  const { id } = await add(app)
  const { key } = (await app.sql<{ key: string }[]>`select key from persons where id = ${id}`)[0]!
  await app.sql`insert into interactions (environment_id, created_on, id, publication_id, person_key, label)
    select ${app.environment.id}, now() - make_interval(secs => n), 'n' || n, ${publication}, ${key}, 'View'
    from generate_series(1, 25000) n`
  await app.sql`insert into publication_counters (environment_id, publication_id, label, count)
    values (${app.environment.id}, ${publication}, 'View', 25000)`
  assert.equal((await app.delete(`/persons/${id}`)).status, 204)
  await quiet(app)
  assert.deepEqual(await interactions(app), [])
  assert.deepEqual((await readPublication(app, publication, 'fields=insights')).insights, {})
  assert.equal((await receipts(app))[0].erased.interactions, 25_000)
})

test('each erasure leaves a receipt that tells who did it and how much went, and nothing else', async () => {
  const app = await startApp()
  const { value, row } = await app.addToken({})
  const persons = [await add(app), await add(app), await add(app), await add(app)]
  const [a, b, c, d] = persons.map(({ id }) => id)
  await app.call('PUT', `/persons/${a}/anonymize`, { token: value })
  await app.call('DELETE', `/persons/${b}`, { token: value })
  await app.call('DELETE', `/v5/persons/${c}`, { token: value })
  const { body: anonymous } = await app.get('/persons?sort=created_on')
  await app.call('POST', `/persons/${d}/merge`, {
    token: value,
    body: { person: { id: anonymous.items[0].id } },
  })
  const { body, text: shown } = await app.get('/erasure_receipts?sort=created_on')
  assert.deepEqual(
    body.items.map(({ kind }: { kind: string }) => kind),
    ['anonymized', 'deleted', 'tombstone', 'merged'],
  )
  for (const receipt of body.items) {
    assert.deepEqual(receipt.performed_by, { user: null, token: { id: row.id } })
    assert.equal(typeof receipt.erased.events, 'number')
    const single = await app.get(`/erasure_receipts/${receipt.id}`)
    assert.deepEqual(single.body, receipt)
  }
  for (const { id } of persons) assert.ok(!shown.includes(id))
  assert.equal((await app.get('/erasure_receipts?kind[eq]=deleted')).body.total, 1)
  const other = await startApp()
  assert.equal((await other.get(`/erasure_receipts/${body.items[0].id}`)).status, 404)
})

test('erasing needs the scope, the right environment and, where asked, the version that was read', async () => {
  const [app, other] = [await startApp(), await startApp()]
  const { id } = await add(app)
  const calls = [
    ['PUT', `/persons/${id}/anonymize`],
    ['DELETE', `/persons/${id}`],
    ['DELETE', `/v5/persons/${id}`],
  ] as const
  for (const [method, path] of calls) {
    assert.equal((await app.call(method, path, { scopes: ['persons', 'persons_publish'] })).status, 403)
    assert.equal((await other.call(method, path)).status, 404)
    assert.equal((await app.call(method, path, { headers: { 'if-match': '"9-x"' } })).status, 412)
  }
  const { headers } = await app.get(`/persons/${id}`)
  const current = { 'if-match': headers.get('etag')! }
  assert.equal((await app.call('PUT', `/persons/${id}/anonymize`, { headers: current })).status, 200)
  assert.equal((await app.get('/erasure_receipts')).body.total, 1)
})

test('events tell that a person is gone by its id alone, and what they told before is told no more', async () => {
  const app = await startApp()
  const persons = [await add(app), await add(app), await add(app)]
  const [a, b, c] = persons.map(({ id }) => id)
  await app.put(`/persons/${a}/anonymize`, undefined)
  await app.delete(`/persons/${b}`)
  await app.delete(`/v5/persons/${c}`)
  await quiet(app)
  const told = await app.sql<{ event: string; record_id: string; snapshot: object | null }[]>`
    select event, record_id, snapshot from events
    where environment_id = ${app.environment.id} and label = 'Person' order by sequence`
  const [first, second, third, ...erasures] = told
  for (const { record_id, snapshot } of [first!, second!, third!])
    assert.deepEqual([record_id, snapshot], ['erased', null])
  assert.deepEqual(
    erasures.map(({ event, record_id }) => [event, record_id]),
    [
      ['person.anonymized', a],
      ['person.deleted', b],
      ['person.deleted', c],
    ],
  )
  for (const { snapshot } of erasures) assert.deepEqual(Object.keys(snapshot!).sort(), ['id', 'label'])
  assert.equal((await eventsOf(app, a!)).length, 1)
})

test('fields that refer to somebody who was erased lose the reference, without a version', async () => {
  const app = await startApp()
  const [gone, kept] = [await add(app), await add(app)]
  const authors = { label: 'Person', items: [{ id: gone.id }, { id: kept.id }] }
  const { id } = await addPublication(app, { 'en-US': { title: text('By two'), authors } })
  await app.delete(`/persons/${gone.id}`)
  await quiet(app)
  const { items, changed_on } = await readPublication(app, id)
  const left = Object.values(items['en-US'].authors.items) as { id: string }[]
  assert.deepEqual([left.map((one) => one.id), changed_on], [[kept.id], null])
  const { rows } = await sql<{ items: string }>`select items::text from publication_locales
    where id = ${id}`.execute(app.context.db)
  assert.ok(!rows[0]!.items.includes(gone.id))
})

test('letters are those of an address however its signs are folded, also where no event tells of it', async () => {
  const app = await startApp()
  // The database folds the first sign to one, the service to two.
  const email = 'İris@example.org'
  const { id } = await add(app, { emails: [email] })
  await quiet(app)
  const { organisation_id, id: environment_id } = app.environment
  await app.sql`insert into mailbox (id, organisation_id, environment_id, recipient, subject, text)
    values (${randomUUID()}, ${organisation_id}, ${environment_id}, ${email}, 'Hello', 'Hello')`
  await app.sql`update events set snapshot = null where record_id = ${id}`
  assert.equal((await app.get(`/persons/${id}/export`)).body.letters.length, 1)
  await app.delete(`/persons/${id}`)
  assert.equal((await receipts(app))[0].erased.letters, 1)
  const left = await app.sql`select 1 from mailbox where environment_id = ${environment_id}`
  assert.equal(left.length, 0)
})

test('who is merged into another leaves no events of its own', async () => {
  const app = await startApp()
  const [kept, other] = [await add(app), await add(app, { last_name: 'Quayside' })]
  const merged = await app.post(`/persons/${kept.id}/merge`, { person: { id: other.id } })
  assert.equal(merged.status, 200, merged.text)
  await quiet(app)
  const told = await app.sql<{ event: string; snapshot: object }[]>`select event, snapshot from events
    where environment_id = ${app.environment.id} and record_id in (${kept.id}, ${other.id}) order by sequence`
  assert.deepEqual(
    told.map(({ event, snapshot }) => [event, JSON.stringify(snapshot).includes('Quayside')]),
    [
      ['person.created', false],
      ['person.deleted', false],
      ['person.changed', true],
    ],
  )
})

test('a stream that goes on behind an erasure hears nothing of what was told before', async () => {
  const app = await startApp()
  const scopes = ['persons']
  const listening = await listenTo(app, '', { scopes })
  const { id } = await add(app, { last_name: 'Quayside' })
  const other = await add(app)
  await eventually(async () => listening.events.length === 2)
  await app.delete(`/persons/${id}`)
  await eventually(async () => listening.events.length === 3)
  // What both streams may hear is kept in memory.
  const again = await listenTo(app, '', { scopes, after: Number(listening.events[0]!.id) - 1 })
  await eventually(async () => again.events.length === 2)
  assert.deepEqual(
    again.events.map(({ event, data }) => [event, data.payload.id]),
    [
      ['person.created', other.id],
      ['person.deleted', id],
    ],
  )
  listening.close()
  again.close()
})

test('the id of somebody who was erased is forgotten a week later', async () => {
  const app = await startApp()
  const [early, late] = [await add(app), await add(app)]
  for (const { id } of [early, late]) await app.delete(`/persons/${id}`)
  await quiet(app)
  await app.sql`update events set created_on = now() - interval '8 days' where record_id = ${early.id}`
  await forgetErased(app.context)
  const known = await app.sql<{ record_id: string }[]>`select record_id from events
    where environment_id = ${app.environment.id} and event = 'person.deleted' order by sequence`
  assert.deepEqual(
    known.map(({ record_id }) => record_id),
    ['erased', late.id],
  )
})

test('the ids of very many who were erased are forgotten some thousand at a time', async () => {
  const app = await startApp()
  // Numbers that nobody else gets.
  await app.sql`insert into events (sequence, id, organisation_id, environment_id, event, label, record_id, performed_by,
      created_on)
    select -n, 'gone' || n, organisation_id, id, 'person.deleted', 'Person', 'gone' || n, '{}', now() - interval '8 days'
    from environments, generate_series(1, 11000) n where id = ${app.environment.id}`
  await forgetErased(app.context)
  const [left] = await app.sql<{ known: number; transactions: number }[]>`
    select count(*) filter (where record_id <> 'erased')::integer as known,
      count(distinct xmin::text)::integer as transactions from events where id like 'gone%'`
  assert.deepEqual({ ...left }, { known: 0, transactions: 3 })
})
