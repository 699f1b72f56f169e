import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addUser, eventually, ownPage } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventsOf } from '../../../../test/harness/records/kind.ts'
import {
  addReader,
  enrolReader,
  fromSomewhere,
  signInSettings as settings,
  signIn,
} from '../../../../test/harness/sign-in.ts'

const whoIs = (app: TestApp, hash: string, call = {}) =>
  app.get(`/v5/persons/session?session_hash=${hash}`, call)

test('a person signs in with a token of the environment and is known by the secret', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const scopes: string[] = []
  const headers = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Reader/1.0' }
  const made = await signIn(
    app,
    { ...reader, email: ` ${reader.email.toUpperCase()}` },
    {},
    { scopes, headers },
  )
  assert.equal(made.status, 201, made.text)
  assert.match(made.body.hash, /^mqk_[\w-]{43}$/)
  assert.equal(made.body.ip_address, '203.0.113.9')
  const found = await whoIs(app, made.body.hash, { scopes })
  assert.deepEqual([found.status, found.body.id, found.body.firstname], [200, reader.id, 'Robin'])
  const read = await app.get(`/sessions/${made.body.id}`, { scopes: ['persons'] })
  assert.match(read.body.hash, /^[0-9a-f]{12}$/)
  assert.deepEqual([read.body.ttl, read.body.ip_address], [made.body.ttl, '203.0.113.9'])
  const blind = await app.get(`/sessions/${made.body.id}`, { scopes })
  assert.equal(blind.body.ip_address, null, 'where persons sign in from is for who may read persons')
})

test('the person shows its sessions, where it signed in from last, and that it was seen', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  await app.context.db
    .updateTable('persons')
    .set({
      logged_in_from: sql`(select jsonb_agg(jsonb_build_object('id', n::text, 'created_on', 'x', 'changed_on',
      null, 'ip_address', n::text, 'user_agent', null)) from generate_series(1, 20) n)` as never,
    })
    .where('id', '=', reader.id)
    .execute()
  const before = Date.now()
  const made = await signIn(app, reader, {}, { headers: { 'x-forwarded-for': '203.0.113.10' } })
  const { body } = await app.get(`/persons/${reader.id}?fields=sessions,logged_in_from`)
  assert.equal(body.sessions.total, 1)
  assert.equal(body.sessions.items[0].id, made.body.id)
  assert.doesNotMatch(JSON.stringify(body), /mqk_/)
  assert.equal(body.logged_in_from.total, 20)
  assert.equal(body.logged_in_from.items.at(-1).ip_address, '203.0.113.10')
  assert.equal(body.logged_in_from.items[0].ip_address, '2', 'the oldest is gone')
  assert.ok(Date.parse(body.last_seen) >= Math.floor(before / 1000) * 1000)
})

test('a person is nobody without a token, and in another environment', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  assert.equal((await signIn(app, reader, {}, { token: null, headers: fromSomewhere() })).status, 401)
  const elsewhere = await app.addToken({ environment: await app.addEnvironment() })
  const call = { token: elsewhere.value }
  assert.equal((await signIn(app, reader, {}, { ...call, headers: fromSomewhere() })).status, 401)
  const made = await signIn(app, reader)
  const { id, hash } = made.body
  assert.equal((await whoIs(app, hash, call)).status, 404)
  assert.equal((await app.get(`/sessions/${id}`, call)).status, 404)
  assert.equal((await app.delete(`/sessions/${id}`, call)).status, 404)
  assert.equal((await whoIs(app, hash)).status, 200)
  assert.equal((await whoIs(app, 'mqk_nonsense')).status, 404)
  assert.equal((await app.get('/v5/persons/session')).status, 400)
})

test('of a user and a person with one address the password decides, and the user comes first', async () => {
  const app = await startApp(settings)
  const user = await addUser(app)
  const person = await addReader(app, { emails: [user.email] })
  const asPerson = await signIn(app, { email: user.email, password: person.password })
  assert.equal((await whoIs(app, asPerson.body.hash)).body.id, person.id)
  const asUser = await signIn(app, user)
  assert.equal(asUser.status, 201)
  assert.equal((await whoIs(app, asUser.body.hash)).status, 404)
  await app.put(`/persons/${person.id}`, { password: user.password })
  const both = await signIn(app, user, {}, { headers: { ...fromSomewhere(), ...ownPage } })
  assert.equal((await whoIs(app, both.body.hash)).status, 404)
  assert.ok(both.headers.get('set-cookie'))
})

test('of persons with one address the one that has proved it signs in, then the older one', async () => {
  const app = await startApp(settings)
  const [older, younger] = [await addReader(app), await addReader(app)]
  const email = `${randomUUID()}@example.org`
  await app.put(`/persons/${older.id}`, { emails: [email] })
  await app.put(`/persons/${younger.id}`, { emails: [email] })
  assert.equal((await signIn(app, { ...younger, email })).status, 401)
  assert.equal((await signIn(app, { ...older, email })).status, 201)
  await app.put(`/persons/${younger.id}`, { emails: [{ email, verified: true }] })
  assert.equal((await signIn(app, { ...younger, email })).status, 201)
  assert.equal((await signIn(app, { ...older, email })).status, 401)
})

test('an unknown address, one without a password and a wrong password are answered alike', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const silent = await addReader(app, { password: null })
  const answers = []
  for (const email of [`${randomUUID()}@example.org`, silent.email, reader.email]) {
    const { status, headers, body } = await signIn(app, { email, password: 'not the password' })
    const { dbtrace: _, ...rest } = body
    const names = [...headers.keys()].filter((name) => name !== 'date')
    answers.push(JSON.stringify({ status, rest, names, told: headers.get('www-authenticate') }))
  }
  assert.equal(new Set(answers).size, 1, answers.join('\n'))
  assert.match(answers[0]!, /"status":401/)
})

test('a person with an authenticator app needs its code, which works once among many that come together', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const totp = await enrolReader(app, reader)
  const asked = await signIn(app, reader)
  assert.deepEqual([asked.status, asked.body.type], [401, 'TwoFactorRequired'])
  assert.equal((await signIn(app, { ...reader, password: 'wrong' })).body.type, undefined)
  assert.equal((await signIn(app, reader, { two_factor_code: '000000' })).body.type, undefined)
  const two_factor_code = totp.generate()
  const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(app, reader, { two_factor_code })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401, 401, 401, 401])
})

test('attempts at one account are limited whatever address they come from, and however it is spelt', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const spelt = [reader.email, reader.email.toUpperCase(), ` ${reader.email} `]
  const attempts = Array.from({ length: 10 }, (_, n) => ({ email: spelt[n % 3]!, password: 'wrong' }))
  const answers = await Promise.all(attempts.map((attempt) => signIn(app, attempt)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]))
  const refused = await signIn(app, reader)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 200)
  const unknown = `${randomUUID()}@example.org`
  for (let n = 0; n < 10; n += 1) await signIn(app, { email: unknown, password: 'wrong' })
  assert.equal(
    (await signIn(app, { email: unknown, password: 'wrong' })).status,
    429,
    'no less for an unknown one',
  )
})

test('a session ends by its secret, or by a token that may write persons', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const [own, other, third] = [
    await signIn(app, reader),
    await signIn(app, reader),
    await signIn(app, reader),
  ]
  const out = (id: string, hash: string, call: object) =>
    app.delete(`/sessions/${id}?session_hash=${hash}`, call)
  assert.equal((await out(other.body.id, own.body.hash, { token: null })).status, 404)
  assert.equal((await out(own.body.id, own.body.hash, { token: null })).status, 204)
  assert.equal((await whoIs(app, own.body.hash)).status, 404)
  assert.equal((await out(third.body.id, third.body.hash, { scopes: [] })).status, 204)
  assert.equal((await app.delete(`/sessions/${other.body.id}`, { scopes: ['persons'] })).status, 403)
  assert.equal((await app.delete(`/sessions/${other.body.id}`, { token: null })).status, 401)
  assert.equal((await app.delete(`/sessions/${other.body.id}`, { scopes: ['person_publish'] })).status, 204)
  assert.equal((await whoIs(app, other.body.hash)).status, 404)
})

test('a new password, and the end of the person, end every session', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const first = await signIn(app, reader)
  await app.put(`/persons/${reader.id}`, { nickname: 'Rob' })
  assert.equal((await whoIs(app, first.body.hash)).status, 200)
  await app.put(`/persons/${reader.id}`, { password: 'another password' })
  assert.equal((await whoIs(app, first.body.hash)).status, 404)
  assert.equal((await signIn(app, reader)).status, 401)
  const second = await signIn(app, { ...reader, password: 'another password' })
  assert.equal(second.status, 201)
  await app.context.db.deleteFrom('persons').where('id', '=', reader.id).execute()
  assert.equal((await whoIs(app, second.body.hash)).status, 404)
  assert.equal((await app.get(`/sessions/${second.body.id}`)).status, 404)
})

test('an expired session is none', async () => {
  const app = await startApp(settings)
  const made = await signIn(app, await addReader(app))
  await app.sql`update person_sessions set expires_on = now() where id = ${made.body.id}`
  assert.equal((await whoIs(app, made.body.hash)).status, 404)
  assert.equal((await app.get(`/sessions/${made.body.id}`)).status, 404)
})

test('the audit log tells of sessions of persons, and nothing of whose they are', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const { body } = await signIn(app, reader, {}, { headers: { 'x-forwarded-for': '203.0.113.77' } })
  await app.delete(`/sessions/${body.id}?session_hash=${body.hash}`, { token: null })
  assert.deepEqual(await eventsOf(app, body.id), ['session.created', 'session.deleted'])
  const log = await eventually(async () => {
    const found = await app.get(`/audit_log?record[eq]=${body.id}`)
    return found.body.total === 2 ? found.text : undefined
  }, 20_000)
  const { rows } = await sql`select snapshot, performed_by from events where record_id = ${body.id}`.execute(
    app.context.db,
  )
  for (const trace of [reader.id, reader.email, '203.0.113.77', body.hash, 'Robin'])
    assert.ok(!`${log}${JSON.stringify(rows)}`.includes(trace), trace)
})

test('what persons may see of themselves can be asked for, and nothing else', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app, {
    bank_accounts: [{ iban: 'NL91ABNA0417164300' }],
    biography: 'Born once',
  })
  const { hash } = (await signIn(app, reader)).body
  const seen = await whoIs(app, `${hash}&fields=email,biography`, { scopes: [] })
  assert.equal(seen.body.email.items[0].email, reader.email)
  assert.equal(seen.body.biography, 'Born once')
  for (const field of [
    'bank_accounts',
    'sessions',
    'logged_in_from',
    'password',
    'created_by',
    'reference_id',
  ])
    assert.equal((await whoIs(app, `${hash}&fields=${field}`, { scopes: [] })).status, 400, field)
  const etag = (await whoIs(app, hash)).headers.get('etag')!
  assert.equal((await whoIs(app, hash, { headers: { 'if-none-match': etag } })).status, 304)
})
