import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { faults } from '../../../test/harness/records/kind.ts'
import {
  addReader,
  askForLink,
  enrolReader,
  fromSomewhere,
  lettersTo,
  linkFor,
  openLink,
  redirect_url,
  signInSettings as settings,
  useMagic,
} from '../../../test/harness/sign-in.ts'

const unknown = () => `${randomUUID()}@example.org`

/** Until no job is left that might still write a letter. */
const allMailed = (app: TestApp) =>
  eventually(async () => {
    const { rows } = await sql<{ done: boolean }>`select not exists (select 1 from outbox)
      and not exists (select 1 from graphile_worker._private_jobs job join graphile_worker._private_tasks task
        on task.id = task_id where identifier = 'customers:mail-link') as done`.execute(app.context.db)
    return rows[0]!.done
  }, 20_000)

test('a link is mailed, leads to the redirect address with a temporary token, and signs in once', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app, { last_name: 'Reader' })
  const asked = await askForLink(
    app,
    reader.email.toUpperCase(),
    {},
    { scopes: [], headers: fromSomewhere() },
  )
  assert.deepEqual([asked.status, asked.body], [202, { message: 'Accepted' }])
  assert.match(asked.headers.get('deprecation') ?? '', /^@\d+$/)
  const link = await linkFor(app, reader)
  assert.match(link, /^https:\/\/marquee\.test\/customers\/sign_in\/mqt_[\w-]{43}$/)
  const opened = await openLink(app, link)
  assert.equal(opened.status, 302)
  assert.equal(opened.location, `${redirect_url}?access_token=${opened.token}`)
  assert.equal(opened.headers.get('cache-control'), 'private, no-store')
  assert.equal(opened.headers.get('referrer-policy'), 'no-referrer')
  const signedIn = await useMagic(app, opened.token, '?ttl=0')
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.match(signedIn.headers.get('deprecation') ?? '', /^@\d+$/)
  const { access_token, last_seen, ...rest } = signedIn.body
  assert.deepEqual(rest, { id: reader.id, first_name: 'Robin', last_name: 'Reader' })
  assert.ok(Math.abs(Date.parse(last_seen) - Date.now()) < 60_000)
  assert.match(access_token.access_token, /^mqp_[\w-]{43}$/)
  assert.deepEqual([access_token.token_type, access_token.expires_in], ['Bearer', null])
  const again = await useMagic(app, opened.token)
  assert.equal(again.status, 401)
  const dead = await openLink(app, link)
  assert.deepEqual([dead.status, dead.location], [404, null])
  assert.match(dead.headers.get('content-type') ?? '', /^text\/html/)
  const person = await app.get('/v5/persons/session', { token: access_token.access_token })
  assert.equal(person.body.id, reader.id)
})

test('of 100 that use one temporary token together one signs in', async () => {
  const app = await startApp(settings)
  const { token } = await openLink(app, await linkFor(app, await addReader(app)))
  const answers = await Promise.all(Array.from({ length: 100 }, () => useMagic(app, token)))
  const statuses = Object.groupBy(answers, ({ status }) => status)
  assert.deepEqual([statuses[200]?.length, statuses[401]?.length], [1, 99])
  const { rows } = await sql<{ count: number }>`select count(*)::int from tokens
    where kind = 'personal' and environment_id = ${app.environment.id}`.execute(app.context.db)
  assert.equal(rows[0]!.count, 1)
})

test('whatever opens the link beforehand uses nothing up', async () => {
  const app = await startApp(settings)
  const link = await linkFor(app, await addReader(app))
  for (const method of ['GET', 'HEAD', 'GET', 'HEAD'])
    assert.equal((await openLink(app, link, method)).status, 302)
  const { token } = await openLink(app, link)
  assert.equal((await useMagic(app, token)).status, 200)
})

test('the personal token lives as long as was asked', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const lifeOf = async (query: string) => {
    const { token } = await openLink(app, await linkFor(app, reader))
    const { body } = await useMagic(app, token, query)
    const { rows } = await sql<{
      seconds: number | null
    }>`select extract(epoch from expires_on - now())::int as seconds
      from tokens where kind = 'personal' and environment_id = ${app.environment.id}
      order by created_on desc limit 1`.execute(app.context.db)
    return [body.access_token.expires_in, rows[0]!.seconds]
  }
  const [told, real] = await lifeOf('?ttl=3600')
  assert.equal(told, 3600)
  assert.ok(real > 3500 && real <= 3600)
  assert.deepEqual(await lifeOf('?ttl=0'), [null, null])
  assert.equal((await lifeOf(''))[0], 14 * 86_400)
  const { token } = await openLink(app, await linkFor(app, reader))
  for (const bad of ['-1', '1.5', 'x', '', '99999999999', '0x1'])
    assert.deepEqual(faults(await useMagic(app, token, `?ttl=${bad}`)), ['ttl'], bad)
  assert.equal((await useMagic(app, token)).status, 200, 'a bad ttl uses nothing up')
})

test('known and unknown addresses get the same answer, and of unknown ones nothing is kept', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const stranger = unknown()
  const shown = async (email: string) => {
    const { status, headers, body } = await askForLink(app, email)
    return { status, body, names: [...headers.keys()].sort(), deprecation: headers.get('deprecation') }
  }
  assert.deepEqual(await shown(reader.email), await shown(stranger))
  await eventually(async () => (await lettersTo(app, reader.email)).length === 1, 20_000)
  await allMailed(app)
  assert.deepEqual(await lettersTo(app, stranger), [])
  const { rows } = await sql<{
    email: string | null
    mine: boolean
  }>`select email, person_key is not null as mine
    from sign_in_requests where environment_id = ${app.environment.id}`.execute(app.context.db)
  assert.deepEqual(rows, [{ email: null, mine: true }], 'and of the known one no address')
  const { rows: told } =
    await sql`select snapshot from events where event = 'sign_in_request.created'`.execute(app.context.db)
  assert.ok(!JSON.stringify(told).includes('@'))
})

test('the temporary token ends after 15 minutes and is no token for anything else', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const link = await linkFor(app, reader)
  const { token } = await openLink(app, link)
  const { rows } = await sql<{
    seconds: number
  }>`select extract(epoch from expires_on - created_on)::int as seconds
    from sign_in_requests where environment_id = ${app.environment.id}`.execute(app.context.db)
  assert.equal(rows[0]!.seconds, 900)
  for (const path of ['/publications', '/v5/persons/session', '/persons'])
    assert.equal((await app.get(path, { token })).status, 401)
  await sql`update sign_in_requests set expires_on = now() where environment_id = ${app.environment.id}`.execute(
    app.context.db,
  )
  assert.equal((await useMagic(app, token)).status, 401)
  assert.equal((await openLink(app, link)).status, 404)
  for (const wrong of ['mqt_nonsense', await app.tokenFor(['publications'])])
    assert.equal((await useMagic(app, wrong)).status, 401)
  assert.equal((await app.call('POST', '/customers/sign_in_with_magic', { token: null })).status, 401)
})

test('links lead only to listed addresses', async () => {
  const app = await startApp(settings)
  const listed = ['https://site.example.org/app', 'http://localhost:3000/']
  await app.put(`/environments/${app.environment.id}`, { settings: { redirect_urls: listed } })
  const allowed = [
    redirect_url,
    `${redirect_url}?from=news&access_token=mine#top`,
    'https://app.example.org/members/area/1',
    'https://APP.example.org:443/members/',
    'https://site.example.org/app',
    'http://localhost:3000/anything',
  ]
  const refused = [
    'https://www.example.org/signed-in/deeper',
    'https://www.example.org/other',
    'https://www.example.org/signed-in/../other',
    'https://www.example.org:8443/signed-in',
    'http://www.example.org/signed-in',
    'https://www.example.org.evil.example/signed-in',
    'https://www.example.org@evil.example/signed-in',
    'https://evil.example/https://www.example.org/signed-in',
    'https://app.example.org/members',
    'https://app.example.org/members/../admin',
    'https://app.example.org/members/..%2fadmin',
    'https://app.example.org/members/%2e%2e/admin',
    'https://app.example.org\\@evil.example/members/',
    'https://site.example.org/application',
    'javascript:alert(1)//https://www.example.org/signed-in',
    '//www.example.org/signed-in',
    'not an address',
  ]
  for (const redirect_url of allowed)
    assert.equal((await askForLink(app, unknown(), { redirect_url })).status, 202, redirect_url)
  for (const redirect_url of refused)
    assert.deepEqual(
      faults(await askForLink(app, unknown(), { redirect_url })),
      ['redirect_url'],
      redirect_url,
    )
  const other = await app.addToken({ environment: await app.addEnvironment() })
  const foreign = { redirect_url: 'https://site.example.org/app' }
  const call = { token: other.value, headers: fromSomewhere() }
  assert.deepEqual(faults(await askForLink(app, unknown(), foreign, call)), ['redirect_url'])
})

test('an address that is no longer listed is not gone to, and what claimed to be the token is replaced', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const change = (redirect_urls: string[]) =>
    app.put(`/environments/${app.environment.id}`, { settings: { redirect_urls } })
  await change(['https://site.example.org/app'])
  const asked = { redirect_url: 'https://site.example.org/app?a=1&access_token=x&access_token=y#z' }
  const link = await linkFor(app, reader, asked)
  const { location, token } = await openLink(app, link)
  assert.equal(location, `https://site.example.org/app?a=1&access_token=${token}#z`)
  assert.match(token, /^mqt_/)
  await change([])
  assert.equal((await openLink(app, link)).status, 404)
})

test('a bad request names all that is wrong with it', async () => {
  const app = await startApp(settings)
  const ask = (body: unknown) => app.post('/customers/request_sign_in', body, { headers: fromSomewhere() })
  const bad = {
    email: 'no address',
    email_template: { id: 'none' },
    redirect_url: 'https://evil.example/',
    more: 1,
  }
  assert.deepEqual(faults(await ask(bad)), ['email', 'email_template.id', 'more', 'redirect_url'])
  assert.deepEqual(faults(await ask({})), ['email', 'redirect_url'])
  assert.deepEqual(faults(await ask({ email: 1, email_template: 'x', redirect_url: {} })), [
    'email',
    'email_template',
    'redirect_url',
  ])
  assert.deepEqual(faults(await ask({ email: 'a@b.c\r\nBcc: d@e.f', redirect_url })), ['email'])
  const elsewhere = await app.addToken({ environment: await app.addEnvironment() })
  const template = { name: 'x', subject: 'x', html: '{{link}}' }
  const foreign = await app.post('/email_templates', template, { token: elsewhere.value })
  assert.equal(foreign.status, 201, foreign.text)
  const email_template = { id: foreign.body.id }
  assert.deepEqual(faults(await askForLink(app, unknown(), { email_template })), ['email_template.id'])
  assert.equal((await askForLink(app, unknown(), {}, { token: null })).status, 401)
})

test('the link is made from the configuration, never from what a caller sends', async () => {
  const reached = { ...settings, MARQUEE_CUSTOMERS_HOST: 'customers.marquee.test' }
  const app = await startApp(reached)
  const reader = await addReader(app)
  const headers = { ...fromSomewhere(), 'x-forwarded-host': 'evil.example', host: 'evil.example' }
  await askForLink(app, reader.email, {}, { headers })
  const [letter] = await eventually(async () => {
    const letters = await lettersTo(app, reader.email)
    return letters.length > 0 ? letters : undefined
  }, 20_000)
  assert.match(letter!.text, /https:\/\/customers\.marquee\.test\/customers\/sign_in\/mqt_/)
  assert.ok(!letter!.text.includes('evil'))
})

test('one Idempotency-Key is one letter', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const ask = () =>
    askForLink(app, reader.email, {}, { headers: { ...fromSomewhere(), 'idempotency-key': 'once' } })
  const answers = [await ask(), await ask(), await ask()]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202],
  )
  await eventually(async () => (await lettersTo(app, reader.email)).length > 0, 20_000)
  await allMailed(app)
  assert.equal((await lettersTo(app, reader.email)).length, 1)
})

test('links are limited per account whatever address they are asked from, and per address', async () => {
  const app = await startApp(settings)
  for (const email of [(await addReader(app)).email, unknown()]) {
    const statuses = []
    for (let n = 0; n < 6; n += 1)
      statuses.push((await askForLink(app, n % 2 === 0 ? email : email.toUpperCase())).status)
    assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429])
  }
  const headers = { 'x-forwarded-for': '203.0.113.200' }
  const flood = await Promise.all(
    Array.from({ length: 101 }, () => askForLink(app, unknown(), {}, { headers })),
  )
  assert.equal(flood.filter(({ status }) => status === 429).length, 1)
})

test('who has enrolled an authenticator app needs its code with a link, too', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const totp = await enrolReader(app, reader)
  const { token } = await openLink(app, await linkFor(app, reader))
  const asked = await useMagic(app, token)
  assert.deepEqual([asked.status, asked.body.type], [401, 'TwoFactorRequired'])
  assert.equal((await useMagic(app, token, '?ttl=0', { two_factor_code: '000000' })).status, 401)
  assert.equal((await useMagic(app, token, '?ttl=0', { two_factor_code: totp.generate() })).status, 200)
  assert.equal((await useMagic(app, token, '?ttl=0', { two_factor_code: totp.generate() })).status, 401)
  const next = await openLink(app, await linkFor(app, reader))
  const tried = []
  for (let n = 0; n < 11; n += 1)
    tried.push((await useMagic(app, next.token, '?ttl=0', { two_factor_code: '000000' })).status)
  assert.deepEqual(tried, [...Array(10).fill(401), 429])
})

test('a letter goes to the address as the person has it', async () => {
  const app = await startApp(settings)
  const name = randomUUID()
  const stored = `Kim.${name}@Example.org`
  await addReader(app, { emails: [stored] })
  // The Kelvin sign is a k in lower case, but another address.
  const alike = stored.replace('K', '\u212a')
  assert.equal((await askForLink(app, alike)).status, 202)
  await eventually(async () => (await lettersTo(app, stored)).length === 1, 20_000)
  assert.deepEqual(await lettersTo(app, alike), [])
})
