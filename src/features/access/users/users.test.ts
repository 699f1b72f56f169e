import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { addUser, byOrganisation, openStudio } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { transaction } from '../../../database/transaction.ts'
import { addMember } from './commands.ts'

const settings = { MARQUEE_TRUST_PROXY: '127.0.0.1' }
const studio = async (app: TestApp, role: 'owner' | 'admin' | 'editor' | 'viewer') => {
  const user = await addUser(app, role)
  return { ...user, ...(await openStudio(app, user)) }
}
const newUser = (role: string) => ({ email: `${randomUUID()}@example.org`, name: 'New', role })

test('users are listed, found and read in both generations', async () => {
  const app = await startApp(settings)
  const editor = await addUser(app, 'editor')
  const owner = await addUser(app, 'owner')
  await addUser(await startApp(settings))
  for (const path of ['/users', '/v5/users']) {
    const all = await app.get(path, { scopes: ['users'] })
    assert.equal(all.body.total, 2, all.text)
    const found = await app.get(`${path}?role[eq]=owner&email[eq]=${owner.email}`, { scopes: ['users'] })
    assert.equal(found.body.items[0].id, owner.id)
    assert.equal((await app.get(`${path}/${editor.id}`)).body.email, editor.email)
    assert.equal((await app.get(`${path}?q=edtor`)).body.total, 1)
  }
  assert.equal((await app.get('/users', { scopes: ['channels'] })).status, 403)
  for (const name of ['password', 'password_hash', 'totp_secret'])
    assert.equal((await app.get(`/users?${name}[has]=true`)).status, 400)
})

test('a user is made, changed and removed, and can sign in meanwhile', async () => {
  const app = await startApp(settings)
  const by = await byOrganisation(app)
  const body = { ...newUser('editor'), password: 'correct horse' }
  const made = await app.post('/users', body, by)
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.password, undefined)
  const signIn = (password: string) => app.post('/sessions', { email: body.email, password }, { token: null })
  assert.equal((await signIn('correct horse')).status, 201)
  const changed = await app.put(`/users/${made.body.id}`, { name: 'Other', password: 'battery staple' }, by)
  assert.equal(changed.body.name, 'Other')
  assert.equal((await signIn('correct horse')).status, 401)
  const session = await signIn('battery staple')
  assert.equal(session.status, 201)
  assert.equal((await app.post('/users', body, by)).status, 409)
  const taken = await app.post('/users', { ...body, email: body.email.toUpperCase() }, by)
  assert.equal(taken.body.errors[0].path, 'email')
  assert.equal((await app.delete(`/users/${made.body.id}`, by)).status, 204)
  assert.equal((await app.get(`/users/${made.body.id}`)).status, 404)
  assert.equal((await signIn('battery staple')).status, 401)
  assert.equal((await app.get(`/sessions/${session.body.id}`)).status, 404)
})

test('bad fields are all named', async () => {
  const app = await startApp(settings)
  const answer = await app.post('/users', { email: 'a@b,c@d', name: ' ', role: 'king', password: 'short' })
  assert.deepEqual(
    new Set(answer.body.errors.map((error: { path: string }) => error.path)),
    new Set(['email', 'name', 'role', 'password']),
  )
  const mass = await app.post('/users', { ...newUser('viewer'), totp_confirmed: true, password_hash: 'x' })
  assert.equal(mass.status, 400)
})

test('only an owner makes, changes or removes owners', async () => {
  const app = await startApp(settings)
  const owner = await studio(app, 'owner')
  const admin = await studio(app, 'admin')
  const editor = await studio(app, 'editor')
  const attempts = (token: string | undefined) => [
    app.post('/users', newUser('owner'), { token }),
    app.put(`/users/${admin.id}`, { role: 'owner' }, { token }),
    app.put(`/users/${owner.id}`, { password: 'taken over' }, { token }),
    app.put(`/users/${owner.id}`, { role: 'viewer' }, { token }),
    app.delete(`/users/${owner.id}`, { token }),
  ]
  const bound = await app.addToken({ user_id: owner.id })
  for (const token of [admin.token, editor.token, undefined, bound.value])
    for (const answer of await Promise.all(attempts(token))) assert.equal(answer.status, 403, answer.text)
  const made = await app.post('/users', newUser('owner'), { token: owner.token })
  assert.equal(made.status, 201, made.text)
  assert.equal((await app.post('/users', newUser('admin'), { token: admin.token })).status, 201)
})

test('a token makes only users who can do no more than it can', async () => {
  const app = await startApp(settings)
  const admin = await addUser(app, 'admin')
  const by = await byOrganisation(app, { scopes: ['users', 'users_publish'] })
  for (const answer of [
    await app.post('/users', newUser('admin'), by),
    await app.post('/users', newUser('viewer'), by),
    await app.put(`/users/${admin.id}`, { password: 'taken over' }, by),
    await app.delete(`/users/${admin.id}`, by),
  ])
    assert.deepEqual([answer.status, answer.body.type], [403, 'RoleNotAllowed'])
})

test('a token of one environment manages no users, who reach every environment', async () => {
  const app = await startApp(settings)
  const viewer = await addUser(app, 'viewer')
  const owner = await addUser(app, 'owner')
  const { value: token } = await app.addToken({ user_id: owner.id })
  for (const answer of [
    await app.post('/users', { ...newUser('admin'), password: 'taken over' }, { token }),
    await app.put(`/users/${viewer.id}`, { role: 'admin' }, { token }),
    await app.put(`/users/${viewer.id}`, { email: 'mine@example.org' }, { token }),
    await app.put(`/users/${viewer.id}`, { password: 'taken over' }, { token }),
    await app.delete(`/users/${viewer.id}`, { token }),
    await app.post('/invitations', { email: 'mine@example.org', role: 'admin' }, { token }),
  ])
    assert.deepEqual([answer.status, answer.body.type], [403, 'OrganisationTokenRequired'])
  assert.equal((await app.get('/users', { token })).body.total, 2)
  assert.equal((await app.get(`/users/${viewer.id}`, { token })).body.role, 'viewer')
})

test('a new role is a new version, so that who saw the old one does not write over it', async () => {
  const app = await startApp(settings)
  const by = await byOrganisation(app)
  const path = `/users/${(await addUser(app, 'viewer')).id}`
  const seen = (await app.get(path)).headers.get('etag')!
  const changed = await app.put(path, { role: 'editor' }, by)
  assert.equal(changed.status, 200, changed.text)
  assert.ok(changed.body.changed_on)
  const late = { ...by, headers: { ...by.headers, 'if-match': seen } }
  assert.equal((await app.put(path, { role: 'admin' }, late)).status, 412)
  const fresh = { ...by, headers: { ...by.headers, 'if-match': changed.headers.get('etag')! } }
  const both = await app.put(path, { role: 'admin', name: 'Both' }, fresh)
  assert.deepEqual([both.status, both.body.role, both.body.name], [200, 'admin', 'Both'])
  assert.deepEqual((await app.get(path)).body, both.body)
  const same = await app.put(path, { role: 'admin' }, by)
  assert.equal(same.headers.get('etag'), both.headers.get('etag'), 'the same role is no change')
})

test('what the own account shows decides its ETag', async () => {
  const app = await startApp(settings)
  const user = await addUser(app, 'viewer')
  const { value: token } = await app.addToken({ user_id: user.id, scopes: [] })
  const read = (etag: string) => app.get('/users/me', { token, headers: { 'if-none-match': etag } })
  const etag = (await read('"0-x"')).headers.get('etag')!
  assert.equal((await read(etag)).status, 304)
  await openStudio(app, user)
  assert.equal((await read(etag)).status, 200, 'last_seen is another')
})

test('who wrote a record is named to all, with the address only to who may read users', async () => {
  const app = await startApp(settings)
  const editor = await addUser(app, 'editor')
  const { value: token } = await app.addToken({ user_id: editor.id })
  const { id } = (await app.post('/channels', { name: 'x' }, { token })).body
  for (const path of [`/channels/${id}?fields=created_by`, '/channels?fields=created_by{name,email}']) {
    const author = async (scopes: string[]) => {
      const { body } = await app.get(path, { scopes })
      return (body.items?.[0] ?? body).created_by
    }
    const named = await author(['channels'])
    assert.deepEqual([named.name, named.email], ['The editor', undefined])
    assert.equal((await author(['channels', 'users'])).email, editor.email)
  }
})

test('an organisation never loses its last owner, even to many at once', async () => {
  const app = await startApp(settings)
  const owners = await Promise.all([studio(app, 'owner'), studio(app, 'owner'), studio(app, 'owner')])
  const answers = await Promise.all(
    owners.map((owner, index) =>
      index % 2 === 0
        ? app.delete(`/users/${owner.id}`, { token: owner.token })
        : app.put(`/users/${owner.id}`, { role: 'editor' }, { token: owner.token }),
    ),
  )
  assert.deepEqual(
    answers.filter((answer) => answer.status === 409).length,
    1,
    answers.map((a) => a.status).join(),
  )
  const left = await app.get('/users?role[eq]=owner')
  assert.equal(left.body.total, 1)
})

test('who loses a role loses the tokens that carry it', async () => {
  const app = await startApp(settings)
  const owner = await studio(app, 'owner')
  const admin = await studio(app, 'admin')
  assert.equal((await app.get('/tokens', { token: admin.token })).status, 200)
  await app.put(`/users/${admin.id}`, { role: 'viewer' }, { token: owner.token })
  assert.equal((await app.get('/tokens', { token: admin.token })).status, 401)
  const bound = await app.addToken({ user_id: admin.id })
  await app.delete(`/users/${admin.id}`, { token: owner.token })
  assert.equal((await app.get('/channels', { token: bound.value })).status, 401)
})

test('an organisation does not reach another through a user that both have', async () => {
  const app = await startApp(settings)
  const other = await startApp(settings)
  const shared = await addUser(other, 'owner')
  await transaction(app.context, (tx) => addMember(tx, app.organisation, shared.id, 'viewer'))
  const owner = await studio(app, 'owner')
  const { token } = owner
  for (const body of [{ password: 'taken over' }, { email: 'mine@example.org' }])
    assert.equal((await app.put(`/users/${shared.id}`, body, { token })).status, 409)
  assert.equal((await app.delete(`/users/${shared.id}`, { token })).status, 204)
  assert.equal((await other.get(`/users/${shared.id}`)).status, 200)
  assert.equal((await app.get(`/users/${shared.id}`)).status, 404)
  assert.equal((await app.put(`/users/${shared.id}`, { name: 'x' }, { token })).status, 404)
})

test('the own account is read and changed by bound tokens; a role cannot be taken', async () => {
  const app = await startApp(settings)
  const user = await addUser(app, 'viewer')
  const { token } = await openStudio(app, user)
  const renamed = await app.put('/users/me', { name: 'Me', role: 'owner' }, { token })
  assert.equal(renamed.status, 200, renamed.text)
  assert.deepEqual([renamed.body.name, renamed.body.role], ['Me', 'viewer'])
  const { value: bound } = await app.addToken({ user_id: user.id, scopes: [] })
  assert.equal((await app.get('/users/me', { token: bound })).body.id, user.id)
  assert.equal((await app.put('/users/me', { name: 'Them' }, { token: bound })).status, 400)
  const proven = { name: 'Them', current_password: user.password }
  assert.equal((await app.put('/users/me', proven, { token: bound })).status, 200)
  assert.equal((await app.get('/users/me')).status, 404)
})
