import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addInteraction, addPerson, addTag } from '../../../test/harness/factories.ts'
import { folded } from '../../../test/harness/interactions.ts'
import type { Loose } from '../../../test/harness/publications.ts'
import { absent, eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { scopes as allScopes } from '../access/scopes.ts'
import type { PersonRow } from './table.ts'

const lists = 'emails,phones,addresses,terms,accounts,bank_accounts,tags'
const merge = (app: TestApp, id: string, other: string, query = '') =>
  app.post(`/persons/${id}/merge${query}`, { person: { id: other } })

const rowOf = (app: TestApp, id: string): Promise<PersonRow> =>
  app.context.db
    .selectFrom('persons')
    .selectAll()
    .where('environment_id', '=', app.environment.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('what the kept person says stands; what it does not say is taken from the other, lists from both', async () => {
  const app = await startApp()
  const [one, two] = [await addTag(app), await addTag(app)]
  const kept = made(
    await app.post('/persons', {
      ...{ first_name: 'Robin', custom: ['a'], created_on: '2024-01-01', exclude_until: '2030-01-01' },
      ...{
        emails: ['same@example.org', 'one@example.org'],
        phones: ['1'],
        terms: [{ id: 'a', source: 'x' }],
      },
      ...{ tags: [{ id: one.id }], bank_accounts: ['NL91ABNA0417164300'] },
    }),
  )
  const other = made(
    await app.post('/persons', {
      ...{
        first_name: 'Rowan',
        last_name: 'Quayside',
        reference_id: 'crm',
        gender: 'female',
        custom: ['a', 'b'],
      },
      ...{ created_on: '2023-01-01', exclude_until: '2031-01-01', tracking: false, last_seen: '2025-01-01' },
      emails: [{ email: 'SAME@example.org', verified: true }, 'two@example.org'],
      ...{ phones: ['1', '2'], terms: [{ id: 'a', source: 'y' }, { id: 'b' }], addresses: ['Quay 1'] },
      ...{ accounts: [{ provider: 'search', id: '7' }], tags: [{ id: one.id }, { id: two.id }] },
      bank_accounts: ['NL91ABNA0417164300', 'DE89370400440532013000'],
    }),
  )
  const answer = await merge(app, kept.id, other.id, `?fields=${lists},gender,tracking,reference_id`)
  assert.equal(answer.status, 200, answer.text)
  const { body } = answer
  const said = [body.first_name, body.last_name, body.reference_id, body.gender, body.tracking, body.custom]
  assert.deepEqual(said, ['Robin', 'Quayside', 'crm', 'female', false, ['a', 'b']])
  assert.equal(body.created_on, '2023-01-01T00:00:00+00:00')
  assert.equal(body.exclude_until, '2031-01-01T00:00:00+00:00')
  assert.equal(body.last_seen, '2025-01-01T00:00:00+00:00')
  const values = (name: string, of: string) => body[name].items.map((item: Loose) => item[of])
  assert.deepEqual(values('emails', 'email'), ['same@example.org', 'one@example.org', 'two@example.org'])
  assert.deepEqual(values('emails', 'verified'), [true, false, false])
  assert.deepEqual(values('phones', 'phone'), ['1', '2'])
  assert.deepEqual(values('terms', 'source'), ['x', null])
  assert.deepEqual(values('bank_accounts', 'iban'), ['NL************4300', 'DE****************3000'])
  assert.deepEqual([body.addresses.total, body.accounts.total, body.tags.total], [1, 1, 2])
  const { body: read } = await app.get(`/persons/${kept.id}?fields=${lists},gender,tracking,reference_id`)
  assert.deepEqual(read, body)
  assert.equal((await app.get(`/persons/${other.id}`)).status, 404)
  assert.equal((await app.get('/persons')).body.total, 1)
  assert.deepEqual(await eventsOf(app, kept.id), ['person.created', 'person.changed'])
  assert.deepEqual((await eventsOf(app, other.id)).slice(-1), ['person.deleted'])
})

test('interactions, likes, remarks, facts and ways in move; a receipt tells that it happened and not of whom', async () => {
  const app = await startApp()
  const [kept, other] = [await addPerson(app), await addPerson(app, { first_name: 'canary-name' })]
  const both = randomUUID()
  for (const person of [kept, other, other]) await addInteraction(app, { person })
  const links = [
    { person_key: kept.key, publication_id: both },
    { person_key: other.key, publication_id: both },
    { person_key: other.key, publication_id: randomUUID() },
  ]
  await app.context.db
    .insertInto('person_links')
    .values(links.map((link) => ({ ...link, environment_id: app.environment.id, kind: 'Like' as const })))
    .execute()
  made(await app.post(`/v5/persons/${other.id}/remark`, { body: 'Called twice' }))
  await app.put(`/persons/${other.id}`, { emails: ['robin@example.org'], password: 'correct horse' })
  const signed = await app.post('/sessions', { email: 'robin@example.org', password: 'correct horse' })
  assert.equal(signed.status, 201, signed.text)
  await sql`update person_facts set labels = case person_key when ${kept.key} then 1 else 6 end
    where environment_id = ${app.environment.id}`.execute(app.context.db)

  assert.equal((await merge(app, kept.id, other.id)).status, 200)
  const count = async (table: string) => {
    const { rows } = await sql<{ all: number; moved: number }>`select count(*)::int as all,
      count(*) filter (where person_key = ${kept.key})::int as moved from ${sql.table(table)}
      where environment_id = ${app.environment.id}`.execute(app.context.db)
    return [rows[0]!.all, rows[0]!.moved]
  }
  await folded(app)
  assert.deepEqual(await count('interactions'), [3, 3])
  assert.deepEqual(await count('person_links'), [2, 2])
  assert.deepEqual(await count('person_facts'), [1, 1])
  const facts = await app.sql<
    { labels: number }[]
  >`select labels from person_facts where person_key = ${kept.key}`
  assert.equal(facts[0]!.labels, 7)
  assert.equal((await app.get(`/v5/persons/${kept.id}/remarks`)).body.items[0].body, 'Called twice')
  assert.equal((await app.get(`/v5/persons/session?session_hash=${signed.body.hash}`)).body.id, kept.id)
  const again = await app.post('/sessions', { email: 'robin@example.org', password: 'correct horse' })
  assert.equal(again.status, 201, again.text)
  const [receipt] = await app.sql<Loose[]>`select * from erasure_receipts
    where environment_id = ${app.environment.id}`
  assert.equal(receipt!.kind, 'merged')
  assert.equal(receipt!.counts.kept.interactions, 2)
  for (const gone of [other.id, 'canary-name', 'robin@example.org'])
    assert.ok(!JSON.stringify(receipt).includes(gone), gone)
})

test('the other must be another person of this environment', async () => {
  const app = await startApp()
  const [kept, other] = [await addPerson(app), await addPerson(app)]
  const foreign = await addPerson(app, { environment: await app.addEnvironment() })
  for (const id of [kept.id, foreign.id, absent])
    assert.deepEqual(faults(await merge(app, kept.id, id)), ['person.id'])
  for (const id of [foreign.id, absent]) assert.equal((await merge(app, id, other.id)).status, 404)
  for (const body of [{}, { person: other.id }, { person: { id: 7 } }, { person: null }])
    assert.equal((await app.post(`/persons/${kept.id}/merge`, body)).status, 400)
  const stale = { headers: { 'if-match': '"7-x"' } }
  assert.equal((await app.post(`/persons/${kept.id}/merge`, { person: { id: other.id } }, stale)).status, 412)
  for (const missing of ['persons', 'persons_publish']) {
    const scopes = allScopes.filter((scope) => scope !== missing && scope !== 'person_publish')
    assert.equal((await app.post(`/persons/${kept.id}/merge`, {}, { scopes })).status, 403)
  }
  assert.equal((await app.get('/persons')).body.total, 2)
})

test('two merges of the same two persons at once, either way round, leave one person', async () => {
  const app = await startApp()
  const [one, two] = [await addPerson(app), await addPerson(app)]
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => merge(app, one.id, two.id)),
    ...Array.from({ length: 5 }, () => merge(app, two.id, one.id)),
  ])
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.ok(
    statuses.every((status) => [200, 400, 404].includes(status)),
    String(statuses),
  )
  assert.equal((await app.get('/persons')).body.total, 1)
})

test('a repeated merge with its Idempotency-Key has the same answer', async () => {
  const app = await startApp()
  const [kept, other] = [await addPerson(app), await addPerson(app)]
  const headers = { 'idempotency-key': 'm' }
  const post = () => app.post(`/persons/${kept.id}/merge`, { person: { id: other.id } }, { headers })
  const [first, second] = [await post(), await post()]
  assert.deepEqual([first.status, second.status, second.text], [200, 200, first.text])
})

test('a password of the other is taken only where there is none, with its second factor', async () => {
  const app = await startApp()
  const add = async (password?: string) => made(await app.post('/persons', password ? { password } : {})).id
  const [without, first, second] = [await add(), await add('correct horse'), await add('battery staple')]
  await app.post(`/persons/${first}/two_factor`)
  const before = await rowOf(app, first)
  await merge(app, without, first)
  const taken = await rowOf(app, without)
  assert.deepEqual([taken.password_hash, taken.totp_secret], [before.password_hash, before.totp_secret])
  await merge(app, without, second)
  assert.equal((await rowOf(app, without)).password_hash, before.password_hash)
})

test('lists that come together hold no more than a write takes back', async () => {
  const app = await startApp()
  const many = (start: string, most: number) => Array.from({ length: most }, (_, n) => `${start}${n}`)
  const add = async (start: string) =>
    made(
      await app.post('/persons', {
        emails: many(start, 60).map((name) => `${name}@example.org`),
        phones: many(start === 'a' ? '1' : '2', 60),
        addresses: many(start, 60),
        terms: many(start, 60).map((id) => ({ id })),
        accounts: many(start, 60).map((id) => ({ provider: 'search', id })),
        tags: many(start, 60).map((body) => ({ body })),
        custom: many(start, 150),
      }),
    ).id
  const [kept, other] = [await add('a'), await add('b')]
  assert.equal((await merge(app, kept, other)).status, 200)
  const names = 'emails,phones,addresses,terms,accounts,tags'
  const { body } = await app.get(`/persons/${kept}?fields=${names}`)
  for (const name of names.split(',')) assert.equal(body[name].total, 100, name)
  assert.deepEqual(body.custom, [...many('a', 150), ...many('b', 50)])
  assert.equal(body.emails.items[59].email, 'a59@example.org')
  const back = Object.fromEntries(['custom', ...names.split(',')].map((name) => [name, body[name]]))
  const answer = await app.put(`/persons/${kept}`, back)
  assert.equal(answer.status, 200, answer.text)
})
