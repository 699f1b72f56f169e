import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser, eventually, openStudio } from '../../../../test/harness/access.ts'
import { secretKey, startApp } from '../../../../test/harness/app.ts'
import { testCertificate } from '../../../../test/harness/certificate.ts'
import { listen } from '../../../http/server.ts'
import { createLog, runContext } from '../../../service.ts'

const paths = (answer: { body: { errors?: { path: string }[] } }) => answer.body.errors?.map((e) => e.path)

test('a token is shown once, works, and is never shown again', async () => {
  const app = await startApp()
  const made = await app.post('/tokens', { name: 'Website', scopes: ['channels'] })
  assert.equal(made.status, 201, made.text)
  assert.match(made.body.value, /^mq_[\w-]{43}$/)
  assert.equal(made.body.visibility, 'published')
  assert.equal((await app.get('/channels', { token: made.body.value })).status, 200)
  assert.equal((await app.get('/tokens', { token: made.body.value })).status, 403)
  const { value, ...rest } = made.body
  const read = await app.get(`/tokens/${made.body.id}`)
  assert.deepEqual({ ...read.body, last_used_on: null }, rest)
  const listed = await app.get('/tokens?name[eq]=Website')
  assert.equal(listed.body.total, 1)
  assert.ok(!listed.text.includes(value))
})

test('visibility follows the scopes unless it is chosen', async () => {
  const app = await startApp()
  const make = (body: object) => app.post('/tokens', { name: 'x', ...body }).then((a) => a.body.visibility)
  assert.equal(await make({ scopes: ['publications'] }), 'published')
  assert.equal(await make({ scopes: ['publications', 'publications_publish'] }), 'all')
  assert.equal(await make({ scopes: ['publications'], visibility: 'all' }), 'all')
  assert.equal(await make({ scopes: [] }), 'published')
})

test('a repeat by Idempotency-Key gives the record without its value', async () => {
  const app = await startApp()
  const headers = { 'idempotency-key': 'one' }
  const first = await app.post('/tokens', { name: 'Once', scopes: ['channels'] }, { headers })
  const again = await app.post('/tokens', { name: 'Once', scopes: ['channels'] }, { headers })
  assert.equal(again.status, 201)
  assert.equal(again.body.id, first.body.id)
  assert.equal(again.body.value, undefined)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
})

test('nobody gives more than they hold', async () => {
  const app = await startApp()
  const weak = await app.addToken({ scopes: ['tokens', 'channels'], visibility: 'published' })
  const { value: token } = weak
  const more = await app.post('/tokens', { name: 'x', scopes: ['channels', 'assets'] }, { token })
  assert.equal(more.status, 400)
  assert.deepEqual(paths(more), ['scopes.1'])
  const sees = await app.post('/tokens', { name: 'x', scopes: ['channels'], visibility: 'all' }, { token })
  assert.deepEqual(paths(sees), ['visibility'])
  const tame = await app.post('/tokens', { name: 'x', scopes: ['tokens'] }, { token })
  assert.equal(tame.body.visibility, 'published')
  const strong = await app.addToken()
  const renewed = await app.post(`/tokens/${strong.row.id}/renew`, {}, { token })
  assert.equal(renewed.status, 400, 'renewing would hand out the value of a stronger token')
  const organisation = await app.post('/tokens', { name: 'x', scopes: [], kind: 'organisation' }, { token })
  assert.equal(organisation.status, 403)
})

test('every fault of a new token is named at once', async () => {
  const app = await startApp()
  const stranger = await addUser(await startApp())
  const answer = await app.post(
    '/tokens',
    { name: 'x', scopes: ['tokens'], visibility: 'all', expires_on: 1000, user: { id: stranger.id } },
    { token: (await app.addToken({ scopes: ['tokens'], visibility: 'published' })).value },
  )
  assert.deepEqual(paths(answer), ['visibility', 'user.id', 'expires_on'])
  const form = await app.post('/tokens', { name: '', scopes: ['nonsense'], expires_on: true, foo: 1 })
  assert.deepEqual(new Set(paths(form)), new Set(['expires_on', 'foo', 'name', 'scopes.0']))
  for (const expires_on of ['soon', '', '2027-02-30', '2027-01-01T25:00', 253_402_300_799, -62_135_596_801]) {
    const dated = await app.post('/tokens', { name: 'x', scopes: ['nonsense'], expires_on })
    assert.deepEqual(paths(dated), ['scopes.0', 'expires_on'], String(expires_on))
    assert.equal(dated.body.errors[1].message, 'must be a date: epoch seconds or ISO 8601')
  }
})

test('content_items_publish needs a responsible user of the organisation', async () => {
  const app = await startApp()
  const body = { name: 'x', scopes: ['content_items', 'content_items_publish'] }
  assert.deepEqual(paths(await app.post('/tokens', body)), ['user'])
  const user = await addUser(app)
  const made = await app.post('/tokens', { ...body, user: { id: user.id } })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body.user, { id: user.id })
})

test('a change reaches name and expiry only', async () => {
  const app = await startApp()
  const made = (await app.post('/tokens', { name: 'x', scopes: ['channels', 'assets'] })).body
  const at = '2099-01-01T00:00:00+00:00'
  const changed = await app.put(`/tokens/${made.id}`, { name: 'y', expires_on: at })
  assert.equal(changed.status, 200, changed.text)
  assert.equal(changed.body.name, 'y')
  assert.equal(changed.body.expires_on, at)
  const back = await app.put(`/tokens/${made.id}`, changed.body)
  assert.equal(back.status, 200, back.text)
  const more = await app.put(`/tokens/${made.id}`, { scopes: ['channels', 'tokens'] })
  assert.deepEqual(paths(more), ['scopes.1'])
  assert.deepEqual(paths(await app.put(`/tokens/${made.id}`, { scopes: ['channels'] })), ['scopes'])
  assert.deepEqual(paths(await app.put(`/tokens/${made.id}`, { visibility: 'all' })), ['visibility'])
  const stale = await app.put(`/tokens/${made.id}`, { name: 'z' }, { headers: { 'if-match': '"1-x"' } })
  assert.equal(stale.status, 412)
})

test('a renewed token has a new value and the same scopes, and the old one goes on', async () => {
  const app = await startApp()
  const expires_on = Math.floor(Date.now() / 1000) + 3600
  const old = (await app.post('/tokens', { name: 'x', scopes: ['channels'], expires_on })).body
  assert.equal((await app.post(`/tokens/${old.id}/renew`, { scopes: ['channels', 'assets'] })).status, 400)
  const renewed = await app.call('POST', `/tokens/${old.id}/renew`)
  assert.equal(renewed.status, 201, renewed.text)
  assert.notEqual(renewed.body.value, old.value)
  assert.deepEqual(renewed.body.scopes, old.scopes)
  assert.equal(renewed.body.renewed_from, old.id)
  for (const token of [old.value, renewed.body.value])
    assert.equal((await app.get('/channels', { token })).status, 200)
  await app.delete(`/tokens/${old.id}`)
  assert.equal((await app.get('/channels', { token: old.value })).status, 401)
  assert.equal((await app.get('/channels', { token: renewed.body.value })).status, 200)
  assert.equal((await app.post(`/tokens/${old.id}/renew`, {})).status, 409)
})

test('an expired token stops', async () => {
  const app = await startApp()
  const { value } = await app.addToken({ expires_on: new Date(Date.now() + 300) })
  assert.equal((await app.get('/channels', { token: value })).status, 200)
  await eventually(async () => (await app.get('/channels', { token: value })).status === 401, 2000)
})

test('a revoked token stops at once, and within a second on another node', async (t) => {
  const app = await startApp()
  const urls = { url: app.databaseUrl, directUrl: app.databaseUrl }
  const other = await runContext(app.context.config, urls, secretKey, createLog('silent'), {
    background: false,
  })
  const listening = await listen(other.context, await testCertificate())
  t.after(async () => {
    await listening.close()
    await other.close()
  })
  const far = `https://127.0.0.1:${listening.port}/channels`
  const { row, value: token } = await app.addToken()
  assert.equal((await app.get('/channels', { token })).status, 200)
  assert.equal((await app.get(far, { token })).status, 200)
  const revoked = Date.now()
  assert.equal((await app.delete(`/tokens/${row.id}`)).status, 204)
  assert.equal((await app.get('/channels', { token })).status, 401)
  await eventually(async () => (await app.get(far, { token })).status === 401, 1000)
  assert.ok(Date.now() - revoked < 1000, `took ${Date.now() - revoked} ms`)
  assert.notEqual((await app.get(`/tokens/${row.id}`)).body.revoked_on, null)
  assert.equal((await app.delete(`/tokens/${row.id}`)).status, 204, 'revoking again changes nothing')
})

test('tokens of another environment are not there', async () => {
  const app = await startApp()
  const { row } = await app.addToken({ environment: await app.addEnvironment() })
  const absent = await app.get('/tokens/nope')
  for (const answer of [
    await app.get(`/tokens/${row.id}`),
    await app.put(`/tokens/${row.id}`, { name: 'mine' }),
    await app.post(`/tokens/${row.id}/renew`, {}),
    await app.delete(`/tokens/${row.id}`),
  ]) {
    assert.equal(answer.status, 404)
    assert.deepEqual({ ...answer.body, dbtrace: '' }, { ...absent.body, dbtrace: '' })
  }
  assert.equal((await app.get(`/tokens?id[eq]=${row.id}`)).body.total, 0)
})

test('an organisation token names its environment, and only one of its own organisation', async () => {
  const app = await startApp()
  const second = await app.addEnvironment()
  const { row, value: token } = await app.addToken({ kind: 'organisation' })
  const none = await app.get('/channels', { token })
  assert.equal(none.status, 400)
  assert.deepEqual(paths(none), ['Environment-Id'])
  for (const { id } of [app.environment, second]) {
    const answer = await app.get('/channels', { token, headers: { 'environment-id': id } })
    assert.equal(answer.status, 200)
  }
  const foreign = (await startApp()).environment.id
  for (const id of [foreign, 'nope'])
    assert.equal((await app.get('/channels', { token, headers: { 'environment-id': id } })).status, 404)
  assert.equal((await app.get(`/tokens/${row.id}`)).status, 404, 'an environment token does not see it')
  const headers = { 'environment-id': second.id }
  assert.equal((await app.get(`/tokens/${row.id}`, { token, headers })).status, 200)
  const made = await app.post(
    '/tokens',
    { name: 'o', scopes: ['channels'], kind: 'organisation' },
    { token, headers },
  )
  assert.equal(made.status, 201, made.text)
  assert.match(made.body.value, /^mqo_/)
})

test('owners and admins make organisation tokens from the Studio; its own tokens are in no list', async () => {
  const app = await startApp()
  const { token } = await openStudio(app, await addUser(app, 'admin'))
  const made = await app.post('/tokens', { name: 'o', scopes: ['channels'], kind: 'organisation' }, { token })
  assert.equal(made.status, 201, made.text)
  const listed = await app.get('/tokens', { token })
  assert.deepEqual(
    listed.body.items.map((item: { kind: string }) => item.kind),
    ['organisation'],
  )
})

test('a personal token is refused where any token of the environment would do', async () => {
  const app = await startApp()
  const { value: token } = await app.addToken({ kind: 'personal', scopes: ['publications', 'persons_me'] })
  assert.equal((await app.get('/environments', { token })).status, 403)
  assert.equal((await app.get('/users/me', { token })).status, 403)
  assert.equal((await app.get('/health', { token })).status, 403)
})

test('tokens are listed by kind, user, expiry and revocation', async () => {
  const app = await startApp()
  const user = await addUser(app)
  const kept = await app.addToken({ scopes: ['channels'], user_id: user.id, name: 'Bound' })
  const gone = await app.addToken({ scopes: ['channels'], expires_on: new Date('2099-01-01') })
  await app.delete(`/tokens/${gone.row.id}`)
  const ids = async (query: string) =>
    (await app.get(`/tokens?${query}`)).body.items.map((item: { id: string }) => item.id)
  assert.deepEqual(await ids(`user[eq]=${user.id}`), [kept.row.id])
  assert.deepEqual(await ids('revoked[has]=true'), [gone.row.id])
  assert.deepEqual(await ids('expires_on[gt]=2098-01-01'), [gone.row.id])
  assert.ok(!(await ids('revoked[has]=false&kind[eq]=environment')).includes(gone.row.id))
  assert.equal((await app.get('/tokens?hash[eq]=x')).status, 400)
})

test('what was looked up is forgotten when something ends or changes, not when something is made', async (t) => {
  const app = await startApp()
  const forget = t.mock.method(app.context.tokens, 'forget')
  const made = await app.post('/tokens', { name: 'x', scopes: [] })
  await app.post(`/tokens/${made.body.id}/renew`, {})
  await app.post('/channels', { name: 'x' })
  assert.equal(forget.mock.callCount(), 0)
  await app.put(`/environments/${app.environment.id}`, { name: 'Other' })
  assert.equal(forget.mock.callCount(), 1)
  await app.delete(`/tokens/${made.body.id}`)
  assert.equal(forget.mock.callCount(), 2)
  assert.equal((await app.get('/environments', { token: made.body.value })).status, 401)
})
