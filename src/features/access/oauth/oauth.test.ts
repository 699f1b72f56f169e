import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser, byOrganisation } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { transaction } from '../../../database/transaction.ts'
import { addMember } from '../users/commands.ts'

const settings = { MARQUEE_TRUST_PROXY: '127.0.0.1' }

const addApplication = async (app: TestApp, body: object = {}) => {
  const made = await app.post('/applications', { name: 'App', scopes: ['channels', 'assets'], ...body })
  assert.equal(made.status, 201, made.text)
  return made.body as { id: string; client_id: string; client_secret: string }
}
type Client = Awaited<ReturnType<typeof addApplication>>

const ask = (app: TestApp, body: object, headers: Record<string, string> = {}) =>
  app.post('/oauth/access_token', body, { token: null, headers })
const basic = ({ client_id, client_secret }: Client) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
})
const grant = (app: TestApp, { client_id, client_secret }: Client, body: object = {}) =>
  ask(app, { grant_type: 'client_credentials', client_id, client_secret, ...body })

test('an application gets a token by body, by Basic, as JSON and as a form', async () => {
  const app = await startApp(settings)
  const client = await addApplication(app)
  const byBody = await grant(app, client)
  assert.equal(byBody.status, 200, byBody.text)
  assert.equal(byBody.headers.get('cache-control'), 'no-store')
  const { access_token, refresh_token, ...rest } = byBody.body
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'channels assets' })
  assert.match(access_token, /^mqa_/)
  assert.match(refresh_token, /^mqr_/)
  assert.equal((await app.get('/channels', { token: access_token })).status, 200)
  assert.equal((await app.get('/tokens', { token: access_token })).status, 403)
  const form = await app.call('POST', '/oauth/access_token', {
    token: null,
    headers: { ...basic(client), 'content-type': 'application/x-www-form-urlencoded' },
    raw: 'grant_type=client_credentials&scope=channels',
  })
  assert.equal(form.status, 200, form.text)
  assert.equal(form.body.scope, 'channels')
})

test('errors are those of RFC 6749', async () => {
  const app = await startApp(settings)
  const client = await addApplication(app)
  const { client_id, client_secret } = client
  const cases: [number, string, Promise<{ status: number; body: { error: string } }>][] = [
    [401, 'invalid_client', ask(app, { grant_type: 'client_credentials' })],
    [401, 'invalid_client', ask(app, { grant_type: 'client_credentials', client_id, client_secret: 'x' })],
    [401, 'invalid_client', ask(app, { grant_type: 'client_credentials', client_id: 'x', client_secret })],
    [401, 'invalid_client', ask(app, { grant_type: 'client_credentials' }, { authorization: 'Basic !!' })],
    [400, 'invalid_request', ask(app, {})],
    [400, 'invalid_request', ask(app, { grant_type: ['a', 'b'] })],
    [400, 'invalid_request', ask(app, [])],
    [400, 'invalid_request', ask(app, { grant_type: 'client_credentials', client_secret }, basic(client))],
    [400, 'invalid_request', grant(app, client, { grant_type: 'refresh_token' })],
    [400, 'unsupported_grant_type', ask(app, { grant_type: 'password' })],
    [400, 'invalid_scope', grant(app, client, { scope: 'channels tokens' })],
    [400, 'invalid_grant', grant(app, client, { grant_type: 'refresh_token', refresh_token: 'mqr_x' })],
  ]
  for (const [status, error, answer] of cases) {
    const { status: actual, body } = await answer
    assert.deepEqual([actual, body.error], [status, error])
  }
  const refused = await ask(app, { grant_type: 'client_credentials' })
  assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic/)
  const broken = await app.call('POST', '/oauth/access_token', {
    token: null,
    headers: { 'content-type': 'application/json' },
    raw: '{"grant_type":',
  })
  assert.deepEqual([broken.status, broken.body.error], [400, 'invalid_request'])
})

test('a refresh token rotates, keeps within its scopes, and one that comes again ends the chain', async () => {
  const app = await startApp(settings)
  const client = await addApplication(app)
  const first = (await grant(app, client, { scope: 'channels' })).body
  const refresh = (refresh_token: string, body: object = {}) =>
    grant(app, client, { grant_type: 'refresh_token', refresh_token, ...body })
  assert.equal((await refresh(first.refresh_token, { scope: 'channels assets' })).body.error, 'invalid_scope')
  const second = (await refresh(first.refresh_token)).body
  assert.equal(second.scope, 'channels')
  const third = (await refresh(second.refresh_token)).body
  for (const { access_token: token } of [first, second, third])
    assert.equal((await app.get('/channels', { token })).status, 200)
  const other = await addApplication(app)
  const stolen = await grant(app, other, { grant_type: 'refresh_token', refresh_token: third.refresh_token })
  assert.equal(stolen.body.error, 'invalid_grant', 'another client cannot use it')
  assert.equal((await refresh(first.refresh_token)).body.error, 'invalid_grant')
  for (const { access_token: token } of [first, second, third])
    assert.equal((await app.get('/channels', { token })).status, 401)
  assert.equal((await refresh(third.refresh_token)).body.error, 'invalid_grant')
})

test('of 100 refreshes that come together one succeeds', async () => {
  const app = await startApp(settings)
  const client = await addApplication(app)
  const { refresh_token } = (await grant(app, client)).body
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => grant(app, client, { grant_type: 'refresh_token', refresh_token })),
  )
  const statuses = answers.map((answer) => answer.status)
  assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join())
  assert.deepEqual(new Set(statuses), new Set([200, 400]))
})

test('a new secret replaces the old one, and only for who holds all that it opens', async () => {
  const app = await startApp(settings)
  const client = await addApplication(app)
  const weak = await app.call('POST', `/applications/${client.id}/secret`, { scopes: ['tokens'] })
  assert.equal(weak.status, 400)
  const rotated = await app.call('POST', `/applications/${client.id}/secret`)
  assert.equal(rotated.status, 201, rotated.text)
  assert.equal((await grant(app, client)).status, 401)
  assert.equal((await grant(app, rotated.body)).status, 200)
  assert.equal((await app.get(`/applications/${client.id}`)).body.client_secret, undefined)
})

test('taking scopes away, or the application, stops its tokens', async () => {
  const app = await startApp(settings)
  const client = await addApplication(app)
  const { access_token, refresh_token } = (await grant(app, client)).body
  await app.put(`/applications/${client.id}`, { name: 'Renamed' })
  assert.equal((await app.get('/channels', { token: access_token })).status, 200)
  const beyond = await app.put(`/applications/${client.id}`, { scopes: ['persons'] }, { scopes: ['tokens'] })
  assert.equal(beyond.status, 400)
  await app.put(`/applications/${client.id}`, { scopes: ['channels'] })
  assert.equal((await app.get('/channels', { token: access_token })).status, 401)
  const again = await grant(app, client, { grant_type: 'refresh_token', refresh_token })
  assert.equal(again.body.error, 'invalid_grant')
  const last = (await grant(app, client)).body
  assert.equal((await app.delete(`/applications/${client.id}`)).status, 204)
  assert.equal((await app.get('/channels', { token: last.access_token })).status, 401)
  assert.equal((await grant(app, client)).status, 401)
})

test('who leaves the organisation leaves its applications, which then publish in nobody’s name', async () => {
  const app = await startApp(settings)
  const other = await startApp(settings)
  const by = await byOrganisation(app)
  const shared = await addUser(other)
  await transaction(app.context, (tx) => addMember(tx, app.organisation, shared.id, 'editor'))
  for (const user of [await addUser(app), shared]) {
    const scopes = ['content_items', 'content_items_publish']
    const client = await addApplication(app, { scopes, user: { id: user.id } })
    const before = (await grant(app, client)).body
    assert.equal(before.scope, 'content_items content_items_publish')
    assert.equal((await app.get('/users/me', { token: before.access_token })).body.id, user.id)
    assert.equal((await app.delete(`/users/${user.id}`, by)).status, 204)
    const { refresh_token } = before
    const again = await grant(app, client, { grant_type: 'refresh_token', refresh_token })
    assert.equal(again.body.error, 'invalid_grant')
    const after = (await grant(app, client)).body
    assert.equal(after.scope, 'content_items')
    assert.equal((await app.get('/users/me', { token: after.access_token })).status, 404)
    assert.equal((await grant(app, client, { scope: 'content_items_publish' })).body.error, 'invalid_scope')
    assert.equal((await app.get(`/applications/${client.id}`)).body.user, null)
  }
})

test('tokens asked for a user who is being removed are refused or end with the user', async () => {
  const app = await startApp(settings)
  const by = await byOrganisation(app)
  for (let round = 0; round < 5; round += 1) {
    const user = await addUser(app)
    const client = await addApplication(app, { user: { id: user.id } })
    const body = { name: 'x', scopes: ['channels'], user: { id: user.id } }
    const [removed, ...answers] = await Promise.all([
      app.delete(`/users/${user.id}`, by),
      ...Array.from({ length: 6 }, () => app.post('/tokens', body)),
      ...Array.from({ length: 6 }, () => grant(app, client)),
    ])
    assert.equal(removed.status, 204, removed.text)
    for (const { status, text } of answers) assert.ok([200, 201, 400].includes(status), text)
    const rows = await app.sql<{ id: string }[]>`select id from tokens
      where user_id = ${user.id} and revoked_on is null`
    assert.deepEqual(rows, [])
  }
})

test('applications of another environment are not there, and scopes beyond the own are refused', async () => {
  const app = await startApp(settings)
  const client = await addApplication(await startApp(settings))
  for (const answer of [
    await app.get(`/applications/${client.id}`),
    await app.put(`/applications/${client.id}`, { name: 'x' }),
    await app.call('POST', `/applications/${client.id}/secret`),
    await app.delete(`/applications/${client.id}`),
  ])
    assert.equal(answer.status, 404)
  const more = await app.post('/applications', { name: 'x', scopes: ['assets'] }, { scopes: ['tokens'] })
  assert.deepEqual(more.body.errors[0].path, 'scopes.0')
})
