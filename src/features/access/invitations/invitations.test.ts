import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { addUser, byOrganisation, eventually, openStudio } from '../../../../test/harness/access.ts'
import { type Call, startApp, type TestApp } from '../../../../test/harness/app.ts'

const settings = { MARQUEE_TRUST_PROXY: '127.0.0.1' }
const address = () => `${randomUUID()}@example.org`
const linkIn = (text: string) => {
  const [, id, token] =
    /https:\/\/marquee\.test\/studio\/invitations\/([\w-]+)\?token=([\w-]+)/.exec(text) ?? []
  return { id: id!, token: token! }
}

const letterTo = (app: TestApp, email: string, by: Call) =>
  eventually(async () => {
    const { body } = await app.get(`/mailbox?to[eq]=${encodeURIComponent(email)}`, by)
    return body.items.at(0) as { id: string; text: string } | undefined
  })

const invited = async (app: TestApp, email = address(), role = 'editor') => {
  const by = await byOrganisation(app)
  const made = await app.post('/invitations', { email, role }, by)
  assert.equal(made.status, 201, made.text)
  const letter = await letterTo(app, email, by)
  return { by, email, made: made.body, letter, ...linkIn(letter.text) }
}
let addresses = 0
const accept = (app: TestApp, id: string, body: object) =>
  app.post(`/invitations/${id}/accept`, body, {
    token: null,
    headers: { 'x-forwarded-for': `192.0.2.${++addresses}` },
  })
const self = { name: 'New', password: 'correct horse' }

test('an invitation is mailed, kept in the mailbox without a mail server, and makes a user', async () => {
  const app = await startApp(settings)
  const { by, email, made, id, token, letter } = await invited(app)
  assert.equal(id, made.id)
  assert.equal(made.token, undefined)
  assert.equal((await app.get(`/mailbox/${letter.id}`, by)).body.text, letter.text)
  assert.equal((await app.get('/mailbox')).body.total, 0, 'its link makes a user')
  assert.equal((await app.get(`/mailbox/${letter.id}`)).status, 404)
  const reader = await app.addToken({ kind: 'organisation', scopes: ['tokens'] })
  const headers = { 'environment-id': app.environment.id }
  assert.equal((await app.get(`/mailbox/${letter.id}`, { token: reader.value, headers })).status, 404)
  const elsewhere = await startApp(settings)
  assert.equal((await elsewhere.get(`/mailbox/${letter.id}`, await byOrganisation(elsewhere))).status, 404)
  const accepted = await accept(app, id, { token, ...self })
  assert.equal(accepted.status, 201, accepted.text)
  assert.deepEqual([accepted.body.email, accepted.body.role], [email, 'editor'])
  const signedIn = await app.post('/sessions', { email, password: self.password }, { token: null })
  assert.equal(signedIn.status, 201)
  assert.equal((await accept(app, id, { token, ...self })).status, 409)
  assert.equal((await app.get('/invitations?accepted[has]=true')).body.total, 1)
})

test('a wrong link is as good as none', async () => {
  const app = await startApp(settings)
  const { id, token } = await invited(app)
  const other = await invited(app)
  const absent = await accept(app, randomUUID(), { token, ...self })
  assert.equal(absent.status, 404)
  for (const wrong of [other.token, '', 'x'.repeat(200)]) {
    const answer = await accept(app, id, { token: wrong, ...self })
    assert.deepEqual({ ...answer.body, dbtrace: '' }, { ...absent.body, dbtrace: '' })
  }
  assert.equal((await accept(app, id, { token, password: self.password })).status, 400)
  assert.equal((await accept(app, id, { token, ...self, role: 'owner' })).status, 400)
})

test('of 50 that accept one invitation together one becomes a user', async () => {
  const app = await startApp(settings)
  const { id, token, email } = await invited(app)
  const answers = await Promise.all(Array.from({ length: 50 }, () => accept(app, id, { token, ...self })))
  const statuses = answers.map((answer) => answer.status)
  assert.equal(statuses.filter((status) => status === 201).length, 1, statuses.join())
  assert.equal(statuses.filter((status) => status === 409).length, 49, statuses.join())
  assert.equal((await app.get(`/users?email[eq]=${email}`)).body.total, 1)
})

test('an invitation ends after its time, by withdrawal and by a newer one', async () => {
  const app = await startApp(settings)
  const late = await invited(app)
  const { db } = app.context
  await db.updateTable('invitations').set({ expires_on: new Date() }).where('id', '=', late.id).execute()
  assert.equal((await accept(app, late.id, { token: late.token, ...self })).status, 404, 'the date is signed')
  const gone = await invited(app)
  assert.equal((await app.delete(`/invitations/${gone.id}`)).status, 403)
  assert.equal((await app.delete(`/invitations/${gone.id}`, gone.by)).status, 204)
  assert.equal((await accept(app, gone.id, { token: gone.token, ...self })).status, 404)
  const first = await invited(app)
  const second = await app.post(
    '/invitations',
    { email: first.email.toUpperCase(), role: 'viewer' },
    first.by,
  )
  assert.equal(second.status, 201, second.text)
  assert.equal((await accept(app, first.id, { token: first.token, ...self })).status, 404)
  assert.equal((await app.get(`/invitations?email[eq]=${first.email}`)).body.total, 1)
})

test('a member is not invited again, and nobody invites above the own role', async () => {
  const app = await startApp(settings)
  const { email } = await addUser(app)
  const by = await byOrganisation(app)
  assert.equal((await app.post('/invitations', { email, role: 'viewer' }, by)).status, 409)
  assert.equal((await app.post('/invitations', { email: address(), role: 'owner' }, by)).status, 403)
  const weak = await byOrganisation(app, { scopes: ['users_publish'] })
  assert.equal((await app.post('/invitations', { email: address(), role: 'admin' }, weak)).status, 403)
  const owner = await openStudio(app, await addUser(app, 'owner'))
  const answer = await app.post('/invitations', { email: address(), role: 'owner' }, { token: owner.token })
  assert.equal(answer.status, 201)
  const elsewhere = await startApp(settings)
  assert.equal((await elsewhere.get(`/invitations/${answer.body.id}`)).status, 404)
  assert.equal(
    (await elsewhere.delete(`/invitations/${answer.body.id}`, await byOrganisation(elsewhere))).status,
    404,
  )
})

test('who has an account joins with its password', async () => {
  const app = await startApp(settings)
  const known = await addUser(await startApp(settings))
  const { id, token } = await invited(app, known.email, 'viewer')
  assert.equal((await accept(app, id, { token, ...self })).status, 401)
  const joined = await accept(app, id, { token, password: known.password })
  assert.equal(joined.status, 201, joined.text)
  assert.equal(joined.body.id, known.id)
  assert.equal((await app.get(`/users/${known.id}`)).body.role, 'viewer')
})

test('with a mail server the letter goes there and is not kept', async (t) => {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        received.push(text)
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  const app = await startApp({ ...settings, SMTP_URL: `smtp://127.0.0.1:${port}` })
  const email = address()
  const by = await byOrganisation(app)
  const made = await app.post('/invitations', { email, role: 'viewer' }, by)
  const letter = await eventually(async () => received[0])
  const plain = letter.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  assert.match(plain, new RegExp(`To: ${email}`))
  const { id, token } = linkIn(plain)
  assert.equal(id, made.body.id)
  assert.equal((await accept(app, id, { token, ...self })).status, 201)
  assert.equal((await app.get('/mailbox', by)).body.total, 0)
})
