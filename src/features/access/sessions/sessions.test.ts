import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import {
  addUser,
  byOrganisation,
  eventually,
  exchange,
  openStudio,
  ownPage,
  type TestUser,
} from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'

/** Each test signs in from an address of its own, so that the limit per address does not join them. */
const settings = { MARQUEE_TRUST_PROXY: '127.0.0.1' }
let addresses = 0
const from = () => ({ 'x-forwarded-for': `192.0.2.${++addresses}` })

const signIn = (app: TestApp, body: object, headers: Record<string, string> = from()) =>
  app.post('/sessions', body, { token: null, headers })

test('signing in gives a secret once and afterwards a fingerprint', async () => {
  const app = await startApp(settings)
  const { email, password } = await addUser(app)
  const made = await signIn(
    app,
    { email: email.toUpperCase(), password },
    { 'x-forwarded-for': '198.51.100.7' },
  )
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.label, 'Session')
  assert.equal(made.body.ip_address, '198.51.100.7')
  assert.ok(made.body.ttl > Date.now() / 1000 + 86_400)
  assert.match(made.body.hash, /^mqk_[\w-]{43}$/)
  assert.equal(made.headers.get('set-cookie'), null)
  const read = await app.get(`/sessions/${made.body.id}`, { scopes: [] })
  assert.equal(read.status, 200)
  assert.match(read.body.hash, /^[0-9a-f]{12}$/)
  const elsewhere = await startApp(settings)
  assert.equal((await elsewhere.get(`/sessions/${made.body.id}`)).status, 404)
})

test('an unknown account, a wrong password and a wrong code look the same and cost as much', async () => {
  const app = await startApp(settings)
  const user = await addUser(app)
  await enrol(app, user)
  const { email, password } = user
  const time = async (body: object) => {
    // Of the processor, hashing included: the clock also measures who else is at work. bench/sign-in.ts has the times.
    const started = process.cpuUsage()
    const answer = await signIn(app, body)
    const ms = process.cpuUsage(started).user / 1000
    assert.equal(answer.status, 401, answer.text)
    const { dbtrace: _, ...rest } = answer.body
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    return { ms, rest, header: answer.headers.get('www-authenticate') }
  }
  await time({ email: 'warm@example.org', password })
  const unknown = await time({ email: `${randomUUID()}@example.org`, password })
  const wrong = await time({ email, password: 'not the password' })
  const badCode = await time({ email, password, two_factor_code: '000000' })
  for (const other of [wrong, badCode]) {
    assert.deepEqual([other.rest, other.header], [unknown.rest, unknown.header])
    assert.ok(unknown.ms * 3 > other.ms, `${unknown.ms} ${other.ms}`)
  }
})

const enrol = async (app: TestApp, user: TestUser) => {
  const { value: token } = await app.addToken({ user_id: user.id, scopes: [] })
  const started = await app.post('/users/me/two_factor', { current_password: user.password }, { token })
  assert.equal(started.status, 201, started.text)
  const totp = new TOTP({ secret: Secret.fromBase32(started.body.secret) })
  const code = totp.generate({ timestamp: Date.now() - 30_000 })
  const confirmed = await app.put('/users/me/two_factor', { two_factor_code: code }, { token })
  assert.equal(confirmed.status, 200, confirmed.text)
  assert.equal(confirmed.body.two_factor, true)
  return { totp, token, uri: started.body.uri as string }
}

test('with a second factor its code is needed, and works once among many that come together', async () => {
  const app = await startApp(settings)
  const user = await addUser(app)
  const { totp, token, uri } = await enrol(app, user)
  assert.match(uri, /^otpauth:\/\/totp\/Marquee:/)
  const { email, password } = user
  const asked = await signIn(app, { email, password })
  assert.deepEqual([asked.status, asked.body.type], [401, 'TwoFactorRequired'])
  const two_factor_code = totp.generate()
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => signIn(app, { email, password, two_factor_code })),
  )
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 401, 401, 401, 401, 401])
  const again = await app.call('DELETE', '/users/me/two_factor', { body: { two_factor_code }, token })
  assert.equal(again.status, 400, 'a code that was used is spent here, too')
})

test('a bound token enrols nothing without the password of its user', async () => {
  const app = await startApp(settings)
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id })
  assert.equal((await app.call('POST', '/users/me/two_factor', { token })).status, 400)
  const wrong = await app.post('/users/me/two_factor', { current_password: 'wrong' }, { token })
  assert.equal(wrong.status, 400)
  const { token: studio } = await openStudio(app, user)
  assert.equal((await app.call('POST', '/users/me/two_factor', { token: studio })).status, 201)
  const by = await byOrganisation(app)
  const log = `/audit_log?event[eq]=user.changed&record[eq]=${user.id}`
  await eventually(async () => (await app.get(log, by)).body.total === 1)
})

test('attempts are limited per account, and no account stands in the table', async () => {
  const app = await startApp(settings)
  const { email, password } = await addUser(app)
  const statuses: number[] = []
  for (let attempt = 0; attempt < 10; attempt += 1)
    statuses.push((await signIn(app, { email, password: 'wrong' })).status)
  assert.deepEqual(new Set(statuses), new Set([401]))
  const refused = await signIn(app, { email, password })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 200)
  assert.equal(refused.headers.get('ratelimit-policy'), '"sign-in";q=10;w=300')
  assert.match(refused.headers.get('ratelimit') ?? '', /^"sign-in";r=0;t=\d+$/)
  const rows = await app.context.db.selectFrom('rate_limits').select('key').execute()
  assert.ok(!JSON.stringify(rows).includes('@'))
})

test('attempts are limited per address, and one /64 is one address', async () => {
  const app = await startApp(settings)
  const attempt = (host: number) =>
    signIn(
      app,
      { email: `${randomUUID()}@example.org`, password: 'wrong' },
      { 'x-forwarded-for': `2001:db8:7::${host.toString(16)}` },
    )
  const first = await Promise.all(Array.from({ length: 50 }, (_, host) => attempt(host + 1)))
  assert.deepEqual(new Set(first.map((answer) => answer.status)), new Set([401]))
  assert.equal((await attempt(4711)).status, 429)
  const neighbour = await signIn(
    app,
    { email: 'x@example.org', password: 'wrong' },
    { 'x-forwarded-for': '2001:db8:7:1::1' },
  )
  assert.equal(neighbour.status, 401)
})

test('with a token only users of its organisation can sign in', async () => {
  const app = await startApp(settings)
  const stranger = await addUser(await startApp(settings))
  const { email, password } = stranger
  assert.equal((await app.post('/sessions', { email, password }, { headers: from() })).status, 401)
  assert.equal((await signIn(app, { email, password })).status, 201)
  const bad = await app.post('/sessions', { email, password }, { token: 'mq_nonsense', headers: from() })
  assert.equal(bad.status, 401)
})

test('the cookie is set and counts only for our own pages', async () => {
  const app = await startApp(settings)
  const user = await addUser(app)
  const { email, password } = user
  const made = await signIn(app, { email, password }, { ...from(), ...ownPage })
  const cookie = made.headers.get('set-cookie') ?? ''
  assert.match(
    cookie,
    /^__Host-marquee=mqk_[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
  )
  const [pair = ''] = cookie.split(';')
  const { id } = app.environment
  assert.equal((await exchange(app, pair, id)).status, 200)
  assert.equal((await exchange(app, pair, id, { origin: app.origin })).status, 200)
  assert.equal((await exchange(app, pair, id, { origin: 'https://evil.example' })).status, 403)
  assert.equal((await exchange(app, pair, id, { 'x-marquee-csrf': '' })).status, 403)
  const elsewhere = await signIn(
    app,
    { email, password },
    { ...from(), ...ownPage, origin: 'https://evil.example' },
  )
  assert.equal(elsewhere.headers.get('set-cookie'), null)
  const absent = await exchange(app, '__Host-marquee=mqk_nonsense', id)
  assert.equal(absent.status, 400)
  assert.equal(absent.body.error, 'invalid_grant')
  const foreign = (await startApp(settings)).environment.id
  assert.equal((await exchange(app, pair, foreign)).body.error, 'invalid_request')
})

test('a role gives its scopes, and signing out stops its tokens at once', async () => {
  const app = await startApp(settings)
  const viewer = await openStudio(app, await addUser(app, 'viewer'))
  const { token } = viewer
  assert.equal((await app.get('/channels', { token })).status, 200)
  assert.equal((await app.post('/channels', { name: 'x' }, { token })).status, 403)
  assert.equal((await app.get('/tokens', { token })).status, 403)
  assert.equal((await app.post('/invitations', { email: 'a@b.c', role: 'owner' }, { token })).status, 403)
  const other = await openStudio(app, await addUser(app, 'editor'))
  const foreign = await app.delete(`/sessions/${viewer.session.id}`, { token: other.token })
  assert.equal(foreign.status, 403, 'an editor cannot sign out somebody else')
  const headers = { ...ownPage, cookie: viewer.cookie }
  assert.equal((await app.delete(`/sessions/${other.session.id}`, { token: null, headers })).status, 404)
  const gone = await app.delete(`/sessions/${viewer.session.id}`, { token: null, headers })
  assert.equal(gone.status, 204)
  assert.match(gone.headers.get('set-cookie') ?? '', /^__Host-marquee=; .*Max-Age=0$/)
  assert.equal((await app.get('/channels', { token })).status, 401)
  assert.equal((await exchange(app, viewer.cookie, app.environment.id)).body.error, 'invalid_grant')
  assert.equal((await app.delete(`/sessions/${other.session.id}`, { token: null })).status, 401)
  assert.equal((await app.delete(`/sessions/${other.session.id}`, { scopes: ['tokens'] })).status, 204)
})

test('a new password ends the other sessions of its user and keeps the own', async () => {
  const app = await startApp(settings)
  const user = await addUser(app)
  const here = await openStudio(app, user)
  const there = await openStudio(app, user)
  const change = (body: object, token: string) => app.put('/users/me', body, { token })
  assert.equal((await change({ password: 'a new password' }, here.token)).status, 400)
  const changed = await change({ password: 'a new password', current_password: user.password }, here.token)
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await app.get('/users/me', { token: here.token })).status, 200)
  assert.equal((await app.get('/users/me', { token: there.token })).status, 401)
  assert.equal((await exchange(app, there.cookie, app.environment.id)).status, 400)
  assert.equal((await signIn(app, { email: user.email, password: user.password })).status, 401)
  assert.equal((await signIn(app, { email: user.email, password: 'a new password' })).status, 201)
})

test('whoever holds the secret of a session can end it, and no other', async () => {
  const app = await startApp(settings)
  const { email, password } = await addUser(app)
  const [own, other] = [await signIn(app, { email, password }), await signIn(app, { email, password })]
  const signOut = (id: string, hash: string) =>
    app.delete(`/sessions/${id}?session_hash=${hash}`, { token: null })
  assert.equal((await signOut(other.body.id, own.body.hash)).status, 404)
  assert.equal((await signOut(own.body.id, own.body.hash)).status, 204)
  assert.equal((await signOut(own.body.id, own.body.hash)).status, 404)
  assert.equal((await app.get(`/sessions/${other.body.id}`)).status, 200)
})
