import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser, eventually, openStudio } from '../../../../test/harness/access.ts'
import { startApp } from '../../../../test/harness/app.ts'

type Entry = { id: string; event: string; record: { id: string }; performed_by: unknown }

test('every write stands in the audit log with who, token, when and what', async () => {
  const app = await startApp()
  const user = await addUser(app, 'admin')
  const { row, value: token } = await app.addToken({ user_id: user.id })
  const channel = (await app.post('/channels', { name: 'x' }, { token })).body
  await app.put(`/channels/${channel.id}`, { name: 'y' }, { token })
  await app.delete(`/channels/${channel.id}`, { token })
  const made = (await app.post('/tokens', { name: 'x', scopes: [] }, { token })).body
  await app.post(`/tokens/${made.id}/renew`, {}, { token })
  await app.delete(`/tokens/${made.id}`, { token })
  const query = `/audit_log?token[eq]=${row.id}`
  const log = await eventually(async () => {
    const { body } = await app.get(query)
    return body.items.length === 6 ? (body.items as Entry[]) : undefined
  })
  assert.deepEqual(
    log.map((entry) => entry.event),
    [
      'token.revoked',
      'token.renewed',
      'token.created',
      'channel.deleted',
      'channel.changed',
      'channel.created',
    ],
  )
  const { id, created_on, ...rest } = log.at(-1) as Entry & { created_on: string }
  assert.ok(id && created_on)
  assert.deepEqual(rest, {
    changed_on: null,
    label: 'AuditEntry',
    event: 'channel.created',
    record: { id: channel.id, label: 'Channel' },
    performed_by: { user: { id: user.id }, token: { id: row.id } },
  })
  const found = await app.get(`${query}&event[sw]=channel.&record[eq]=${channel.id}&sort=created_on&limit=2`)
  assert.deepEqual(
    found.body.items.map((entry: Entry) => entry.event),
    ['channel.created', 'channel.changed'],
  )
})

test('the audit log is walked by cursor to and fro without repeats', async () => {
  const app = await startApp()
  for (let index = 0; index < 7; index += 1) await app.post('/channels', { name: `Channel ${index}` })
  const path = '/audit_log?event[eq]=channel.created&limit=3'
  await eventually(async () => (await app.get(path)).body.total === 7)
  const seen: string[] = []
  let page = (await app.get(path)).body
  for (; page.items.length > 0; page = (await app.get(`${path}&after=${page.after}`)).body)
    seen.push(...page.items.map((entry: Entry) => entry.id))
  assert.equal(new Set(seen).size, 7)
  const back = (await app.get(`${path}&before=${page.before}`)).body
  assert.deepEqual(
    back.items.map((entry: Entry) => entry.id),
    seen.slice(-3),
  )
  for (const bad of ['after=x', 'sort=event', 'event[fz]=x', `label[eq]=x&after=${page.after}`])
    assert.equal((await app.get(`${path.replace('&limit=3', '')}&${bad}`)).status, 400, bad)
})

test('totals stay exact while the log grows, and skipping past the end leads back', async () => {
  const app = await startApp()
  const path = '/audit_log?event[eq]=channel.created&limit=2'
  for (let count = 1; count <= 5; count += 1) {
    await app.post('/channels', { name: `Channel ${count}` })
    await eventually(async () => (await app.get(path)).body.total === count)
  }
  assert.equal((await app.get(`${path}&label[eq]=Tag`)).body.total, 0)
  const moment = encodeURIComponent(new Date(Date.now() - 60_000).toISOString())
  assert.equal((await app.get(`${path}&created_on[gt]=${moment}`)).body.total, 5)
  const past = await app.get(`${path}&skip=100`)
  assert.deepEqual([past.body.items.length, past.body.total], [0, 5])
  const back = await app.get(
    /<https:\/\/marquee\.test(.*?)>; rel="prev"/.exec(past.headers.get('link')!)![1]!,
  )
  const all = (await app.get(`${path.replace('limit=2', 'limit=10')}`)).body.items as Entry[]
  assert.deepEqual(back.body.items, all.slice(-2))
  const none = await app.get('/audit_log?event[eq]=tag.created&skip=9')
  assert.equal(none.headers.get('link'), null, 'there is nothing to go back to')
})

test('unknown names are refused together', async () => {
  const app = await startApp()
  for (const path of ['/audit_log', '/jobs']) {
    const { status, body } = await app.get(`${path}?fields=nonsense&other=1&sort=third`)
    const paths = body.errors.map((error: { path: string }) => error.path)
    assert.deepEqual([status, paths.sort()], [400, ['fields', 'other', 'sort']], path)
    assert.equal((await app.get(`${path}?fields=id`)).status, 200)
  }
})

test('each sees the own environment; what stands above it only who manages the organisation', async () => {
  const app = await startApp()
  const second = await app.addEnvironment()
  const { value: far } = await app.addToken({ environment: second })
  await app.post('/channels', { name: 'there' }, { token: far })
  const admin = await openStudio(app, await addUser(app, 'admin'))
  const events = async (token?: string) =>
    (await app.get('/audit_log?limit=1000', { token })).body.items.map((entry: Entry) => entry.event)
  const all = await eventually(async () => {
    const seen = await events(admin.token)
    return seen.includes('session.created') ? (seen as string[]) : undefined
  })
  assert.ok(all.includes('user.created'))
  assert.ok(!all.includes('channel.created'), 'another environment stays hidden')
  assert.ok(!(await events()).includes('user.created'))
  assert.ok((await events(far)).includes('channel.created'))
  assert.equal((await app.get('/audit_log', { scopes: ['users'] })).status, 403)
})
