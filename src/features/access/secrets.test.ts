import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { addUser, eventually, openStudio } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { createLog } from '../../service.ts'
import { bootstrap } from './bootstrap.ts'

/** Every row of every table as text. */
const dump = async ({ context: { db } }: TestApp): Promise<string> => {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname in ('public', 'graphile_worker')`.execute(db)
  assert.ok(tables.length > 20)
  const parts = tables.map(async ({ schema, name }) => {
    const { rows } = await sql<{ text: string }>`select row_to_json(row)::text as text
      from ${sql.id(schema, name)} as row`.execute(db)
    return rows.map((row) => row.text).join('\n')
  })
  return (await Promise.all(parts)).join('\n')
}

/** Bytes are written as hex in such a dump. */
const forms = (secret: string) => [secret, Buffer.from(secret).toString('hex'), encodeURIComponent(secret)]

test('no secret stands in any table or in the log', async () => {
  let log = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const app = await startApp({}, { log: createLog('trace', stream) })
  const secrets: Record<string, string> = {}

  const user = await addUser(app, 'admin')
  secrets.password = user.password
  const studio = await openStudio(app, user)
  secrets.session = studio.session.hash
  secrets.studio = studio.token
  const { token } = studio
  const key = { 'idempotency-key': 'canary' }
  const made = await app.post('/tokens', { name: 'x', scopes: ['channels'] }, { token, headers: key })
  secrets.token = made.body.value
  secrets.renewed = (await app.post(`/tokens/${made.body.id}/renew`, {}, { token })).body.value
  const query = await app.get(`/channels?access_token=${secrets.token}&limit=x`, { token: null })
  assert.equal(query.status, 400)
  const { body: application } = await app.post(
    '/applications',
    { name: 'x', scopes: ['channels'] },
    { token },
  )
  secrets.client = application.client_secret
  const { client_id, client_secret } = application
  const grant = { grant_type: 'client_credentials', client_id, client_secret }
  const oauth = await app.post('/oauth/access_token', grant, { token: null })
  secrets.access = oauth.body.access_token
  secrets.refresh = oauth.body.refresh_token
  const enrolment = await app.call('POST', '/users/me/two_factor', { token })
  secrets.totp = enrolment.body.secret
  const two_factor_code = new TOTP({ secret: Secret.fromBase32(secrets.totp!) }).generate()
  assert.equal((await app.put('/users/me/two_factor', { two_factor_code }, { token })).status, 200)
  secrets.made = 'canary-of-a-new-user'
  const newUser = { email: 'canary@example.org', name: 'x', role: 'viewer', password: secrets.made }
  assert.equal(
    (await app.post('/users', newUser, { token, headers: { 'idempotency-key': 'u' } })).status,
    201,
  )
  secrets.wrong = 'canary-of-a-wrong-password'
  await app.post('/sessions', { email: user.email, password: secrets.wrong }, { token: null })
  secrets.bad = 'mq_canary-of-a-token-that-is-not-known'
  assert.equal((await app.get('/channels', { token: secrets.bad })).status, 401)

  await eventually(async () => {
    const { rows } = await sql`select 1 from outbox limit 1`.execute(app.context.db)
    return rows.length === 0
  })
  const stored = await dump(app)
  assert.ok(stored.includes(user.email) && stored.includes('token.renewed'), 'the dump holds what happened')
  assert.ok(log.includes('/oauth/access_token'), 'the log holds what was asked')
  for (const [name, secret] of Object.entries(secrets)) {
    assert.ok(secret?.length > 10, name)
    for (const form of forms(secret)) {
      assert.ok(!stored.includes(form), `${name} is stored`)
      assert.ok(!log.includes(form), `${name} is logged`)
    }
  }
  assert.ok(!log.includes(user.email), 'an address is logged')
})

test('the first access is made once, and its secrets are not kept', async () => {
  const settings = {
    MARQUEE_BOOTSTRAP_TOKEN: 'canary-first-token-0123456789_x',
    MARQUEE_ADMIN_PASSWORD: 'canary-first',
  }
  const app = await startApp(settings)
  const { context } = app
  assert.equal(await bootstrap(context), undefined, 'there is an organisation already')
  await sql`truncate organisations cascade`.execute(context.db)
  const [one, two] = await Promise.all([bootstrap(context), bootstrap(context)])
  const made = one ?? two
  assert.ok(made && !(one && two))
  context.tokens.forget()
  assert.equal((await app.get('/channels', { token: made.token })).status, 200)
  assert.equal((await app.post('/sessions', made, { token: null })).status, 400)
  const { email, password } = made
  assert.equal((await app.post('/sessions', { email, password }, { token: null })).status, 201)
  const stored = await dump(app)
  for (const secret of Object.values(settings)) assert.ok(!stored.includes(secret))
  const { body } = await app.get('/tokens?name[eq]=First token', { token: made.token })
  assert.equal(body.items[0].hint, 'canary-f…', 'no more than eight characters')
})
