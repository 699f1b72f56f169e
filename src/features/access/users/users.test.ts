import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { addUser, openStudio } from '../../../../test/harness/access.ts'
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
  const body = { ...newUser('editor'), password: 'correct horse' }
  const made = await app.post('/users', body)
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.password, undefined)
  const signIn = (password: string) => app.post('/sessions', { email: body.email, password }, { token: null })
  assert.equal((await signIn('correct horse')).status, 201)
  const changed = await app.put(`/users/${made.body.id}`, { name: 'Other', password: 'battery staple' })
  assert.equal(changed.body.name, 'Other')
  assert.equal((await signIn('correct horse')).status, 401)
  const session = await signIn('battery staple')
  assert.equal(session.status, 201)
  assert.equal((await app.post('/users', body)).status, 409)
  const taken = await app.post('/users', { ...body, email: body.email.toUpperCase() })
  assert.equal(taken.body.errors[0].path, 'email')
  assert.equal((await app.delete(`/users/${made.body.id}`)).status, 204)
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
  const { value: token } = await app.addToken({ scopes: ['users', 'users_publish'] })
  assert.equal((await app.post('/users', newUser('admin'), { token })).status, 403)
  assert.equal((await app.post('/users', newUser('viewer'), { token })).status, 403)
  assert.equal((await app.put(`/users/${admin.id}`, { password: 'taken over' }, { token })).status, 403)
  assert.equal((await app.delete(`/users/${admin.id}`, { token })).status, 403)
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
