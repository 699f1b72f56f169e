import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { absent, eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { createLog } from '../../service.ts'

const lines: string[] = []
const log = createLog(
  'trace',
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  }),
)

const iban = 'NL91ABNA0417164300'
const shown = 'NL************4300'

/** Every row of every table of this test's database that holds a text, bytes in hexadecimal included. */
const rowsWith = async (app: TestApp, text: string): Promise<string[]> => {
  const tables = await app.sql<{ name: string }[]>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`
  const found = []
  for (const { name } of tables) {
    const rows = await app.sql.run<object[]>(
      `select 1 from "${name}" as row where strpos(row::text, '${text}') > 0 limit 1`,
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('passwords, accounts and tokens of providers are in no answer, event, log line or table', async () => {
  const app = await startApp({}, { log })
  const secrets = {
    password: 'canary horse battery',
    facebook_access_token: 'canary-facebook',
    spotify_access_token: 'canary-spotify',
    bank_accounts: [{ iban, holder: 'canary-holder' }],
  }
  const { password, bank_accounts, ...tokens } = secrets
  const headers = { 'idempotency-key': 'secret' }
  const created = await app.post('/v5/persons?fields=bank_accounts', { password, bank_accounts }, { headers })
  const { id } = made(created)
  await app.post('/v5/persons?fields=bank_accounts', { password, bank_accounts }, { headers })
  const changed = await app.put(`/v5/persons/${id}`, tokens)
  assert.equal(changed.status, 200, changed.text)
  await app.post('/v5/persons', { ...secrets, firstname: 7 })
  assert.ok(lines.length > 5)
  const stored = await app.context.db.selectFrom('persons').selectAll().where('id', '=', id).execute()
  assert.ok(stored[0]!.provider_tokens && stored[0]!.password_hash?.startsWith('$argon2id$'))
  const { fields } = { fields: 'bank_accounts,sessions,emails,two_factor' }
  const answers = [
    created,
    changed,
    await app.get(`/persons/${id}?fields=${fields}`),
    await app.get('/v5/persons'),
  ]
  const seen = answers
    .map(({ text }) => text)
    .join('')
    .replaceAll('canary-holder', '')
  for (const secret of ['canary', iban, 'argon2id']) {
    assert.ok(!seen.includes(secret), secret)
    assert.ok(!lines.join('').includes(secret), secret)
  }
  for (const secret of ['canary', iban]) assert.deepEqual(await rowsWith(app, secret), [], secret)
  assert.deepEqual(await rowsWith(app, 'argon2id'), ['persons'])
  for (const name of [
    'password',
    'password_hash',
    'provider_tokens',
    'totp_secret',
    'facebook_access_token',
    'key',
  ])
    for (const url of ['/persons', '/v5/persons', `/persons/${id}`])
      assert.deepEqual(faults(await app.get(`${url}?fields=${name}`)), ['fields'], name)
})

test('an account is shown masked; the mask comes back for what it stands for and for nothing else', async () => {
  const app = await startApp()
  const url = (id: string) => `/persons/${id}?fields=bank_accounts`
  const created = await app.post('/persons?fields=bank_accounts', {
    bank_accounts: ['nl91 abna 0417 1643 00'],
  })
  const { id } = created.body
  const [account] = created.body.bank_accounts.items
  assert.deepEqual([account.iban, account.holder], [shown, null])
  const held = await app.put(url(id), { bank_accounts: [{ ...account, holder: 'R. Quayside' }] })
  assert.deepEqual(
    held.body.bank_accounts.items.map((one: Record<string, string>) => [one.id, one.iban, one.holder]),
    [[account.id, shown, 'R. Quayside']],
  )
  const again = await app.put(url(id), held.body)
  assert.equal(again.headers.get('etag'), held.headers.get('etag'))
  assert.equal(
    (await app.put(url(id), { bank_accounts: [shown] })).body.bank_accounts.items[0].id,
    account.id,
  )
  const wrong = { bank_accounts: [shown, { iban: 'DE******************4300' }], gender: 'x' }
  assert.deepEqual(faults(await app.put(url(id), wrong)), ['bank_accounts.1.iban', 'gender'])
  assert.deepEqual(faults(await app.post('/persons', { bank_accounts: [shown] })), ['bank_accounts.0.iban'])
  for (const bad of ['NL91ABNA0417164301', 'NL91', '91ABNA0417164300NL', 'NL9*ABNA0417164300', ''])
    assert.deepEqual(faults(await app.post('/persons', { bank_accounts: [bad] })), ['bank_accounts.0'], bad)
  assert.deepEqual((await app.put(url(id), { bank_accounts: [] })).body.bank_accounts.items, [])

  const alike = ['GB33BUKB20201555555555', 'GB36BARC20201530095555']
  const both = await app.put(url(id), { bank_accounts: alike })
  assert.equal(both.status, 200, both.text)
  assert.equal((await app.put(url(id), both.body)).headers.get('etag'), both.headers.get('etag'))
  const masks = both.body.bank_accounts.items.map((one: Record<string, string>) => one.iban)
  assert.equal(masks[0], masks[1])
  assert.deepEqual(faults(await app.put(url(id), { bank_accounts: masks })), [
    'bank_accounts.0.iban',
    'bank_accounts.1.iban',
  ])
})

test('a token of a provider cannot make a person while no connector is configured; a person may keep one', async () => {
  const app = await startApp()
  const body = { firstname: 'Robin', google_access_token: 'x', instagram_access_token: 'y' }
  const refused = await app.post('/v5/persons', body)
  assert.deepEqual(faults(refused, 409), ['google_access_token', 'instagram_access_token'])
  assert.equal(refused.body.type, 'ProviderNotConfigured')
  assert.deepEqual(faults(await app.post('/persons', { google_access_token: 'x' })), ['google_access_token'])
  assert.equal((await app.get('/persons')).body.total, 0)
  const { id } = made(await app.post('/v5/persons', { google_access_token: null }))
  const put = async (tokens: object) => (await app.put(`/v5/persons/${id}`, tokens)).headers.get('etag')!
  assert.match(await put({ google_access_token: 'x' }), /^"2-/)
  assert.match(await put({ google_access_token: 'x' }), /^"2-/)
  assert.match(await put({ spotify_access_token: 'z' }), /^"3-/)
  assert.match(await put({ google_access_token: null, spotify_access_token: null }), /^"4-/)
  const { rows } = await sql<{ provider_tokens: string | null }>`select provider_tokens from persons
    where id = ${id}`.execute(app.context.db)
  assert.equal(rows[0]!.provider_tokens, null)
})

test('a new password ends the sessions of the old one, and null takes it away', async () => {
  const app = await startApp()
  const email = 'robin@example.org'
  const { id } = made(await app.post('/persons', { emails: [email], password: 'correct horse' }))
  const enter = async (password: string) => (await app.post('/sessions', { email, password })).status
  const session = await app.post('/sessions', { email, password: 'correct horse' })
  assert.equal(session.status, 201, session.text)
  const person = () => app.get(`/v5/persons/session?session_hash=${session.body.hash}`)
  assert.equal((await person()).body.id, id)
  assert.equal((await app.put(`/v5/persons/${id}`, { password: 'battery staple' })).status, 200)
  assert.equal((await person()).status, 404)
  assert.deepEqual([await enter('correct horse'), await enter('battery staple')], [401, 201])
  assert.equal((await app.put(`/persons/${id}`, { password: null })).status, 200)
  assert.equal(await enter('battery staple'), 401)
  for (const password of ['short', 'x'.repeat(201), 7, ['a']])
    assert.deepEqual(faults(await app.put(`/persons/${id}`, { password })), ['password'])
})

const codeOf = (secret: string, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 1000 })

test('a first code completes the enrolment of an authenticator app', async () => {
  const app = await startApp()
  const email = 'robin@example.org'
  const { id } = made(await app.post('/persons', { emails: [email], password: 'correct horse' }))
  const one = `/persons/${id}`
  assert.deepEqual(faults(await app.put(one, { two_factor_code: '123456' }), 409), ['two_factor_code'])
  assert.deepEqual(faults(await app.post('/persons', { two_factor_code: '123456' }), 409), [
    'two_factor_code',
  ])
  const started = await app.post(`${one}/two_factor`)
  assert.equal(started.status, 201, started.text)
  const { secret, uri } = (await app.post(`${one}/two_factor`)).body
  assert.match(uri, /^otpauth:\/\/totp\/.*robin/)
  assert.notEqual(secret, started.body.secret)
  assert.equal((await app.post('/sessions', { email, password: 'correct horse' })).status, 201)
  const wrong = { two_factor_code: codeOf(started.body.secret), gender: 'x' }
  assert.deepEqual(faults(await app.put(one, wrong)), ['gender', 'two_factor_code'])
  const done = await app.put(`/v5${one}?fields=two_factor`, { two_factor_code: codeOf(secret) })
  assert.deepEqual([done.status, done.body.two_factor], [200, true])
  assert.equal((await app.post('/sessions', { email, password: 'correct horse' })).status, 401)
  const next = { email, password: 'correct horse', two_factor_code: codeOf(secret, 30) }
  assert.equal((await app.post('/sessions', next)).status, 201)
  assert.deepEqual(faults(await app.put(one, { two_factor_code: codeOf(secret) }), 409), ['two_factor_code'])
  assert.deepEqual(faults(await app.post(`${one}/two_factor`), 409), ['two_factor'])
  assert.equal((await app.delete(`${one}/two_factor`)).status, 204)
  assert.deepEqual(faults(await app.delete(`${one}/two_factor`), 409), ['two_factor'])
  assert.equal((await app.post('/sessions', { email, password: 'correct horse' })).status, 201)
  for (const method of ['POST', 'DELETE'])
    assert.equal((await app.call(method, `/persons/${absent}/two_factor`)).status, 404)
  assert.deepEqual(new Set(await eventsOf(app, id)), new Set(['person.created', 'person.changed']))
})
