import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { addPublication } from '../../../test/harness/publications.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'
import { sha256 } from '../../secrets.ts'
import { forgetInteractionIds } from './jobs.ts'
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

test('a like or a subscription becomes the state of the person and is told once', async () => {
  const { app, id, send } = await setUp()
  const { body: person } = await app.post('/persons', { first_name: 'Robin' })
  const items = ['Like', 'Like', 'Subscribe', 'View'].map((label) => ({ label, person: { id: person.id } }))
  for (let round = 0; round < 2; round += 1) assert.equal((await send({ items })).status, 202)
  for (const path of ['likes', 'subscriptions'])
    assert.deepEqual(
      (await app.get(`/persons/${person.id}/${path}`)).body.items.map((one: { id: string }) => one.id),
      [id],
    )
  assert.deepEqual((await eventsOf(app, person.id)).sort(), [
    'person.created',
    'person.liked',
    'person.subscribed',
  ])
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
  assert.deepEqual(
    (await stored(app)).map(({ person_key }) => person_key),
    [key],
  )
})

test('what is recorded is soon counted with the publication and known of the person', async () => {
  const { app, id, send } = await setUp()
  const person = await addPerson(app)
  const at = (moment: string) => ({ person: { id: person.id }, created_on: moment })
  const items = [
    { label: 'View', ...at('2026-11-02T10:00:00Z') },
    { label: 'View', ...at('2026-11-01T10:00:00Z') },
    { label: 'Win', ...at('2020-01-01') },
  ]
  await send({ items })
  await send({ id: 'x', label: 'View', ...at('2026-11-01T11:00:00Z') })
  await send({ id: 'x', label: 'View', ...at('2026-11-01T11:00:00Z') })
  await folded(app)
  const insights = async () => (await app.get(`/publications/${id}?fields=insights`)).body.insights
  assert.deepEqual(await insights(), { View: 3, Win: 1 })
  const { labels, last_seen } = await app.context.db
    .selectFrom('person_facts')
    .selectAll()
    .where('person_key', '=', person.key)
    .executeTakeFirstOrThrow()
  assert.deepEqual([labels, last_seen], [1 | (1 << 15), new Date('2026-11-02T10:00:00Z')])
  await app.delete(`/persons/${person.id}`)
  await folded(app)
  assert.deepEqual([await stored(app), await insights()], [[], {}])
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

test('without the scope nothing is recorded', async () => {
  const { app, url } = await setUp()
  const person = await addPerson(app)
  const body = { label: 'View', person: { id: person.id } }
  assert.equal((await app.post(url, body, { scopes: ['publications', 'persons_publish'] })).status, 403)
  assert.deepEqual(await stored(app), [])
})
