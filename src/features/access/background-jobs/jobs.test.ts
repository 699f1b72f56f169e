import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addUser, eventually, openStudio } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { redact } from './present.ts'

/** A job that has used up its attempts, of nobody's task, so that no worker takes it. */
const addFailed = async (app: TestApp, payload: object, error: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select id from graphile_worker.add_job(
    'test:nobody', ${JSON.stringify(payload)}::text::json, max_attempts := 3)`.execute(app.context.db)
  const { id } = rows[0]!
  await sql`update graphile_worker._private_jobs set attempts = 3, last_error = ${error}
    where id = ${id}`.execute(app.context.db)
  return String(id)
}

test('failed jobs are listed without secrets and tried again', async () => {
  const app = await startApp()
  const own = { organisation_id: app.organisation, environment_id: app.environment.id }
  const id = await addFailed(app, own, 'connect smtp://user:hunter2@mail.example refused\n  at secret')
  const listed = await app.get('/jobs?last_error[has]=true')
  assert.equal(listed.body.total, 1, listed.text)
  const { created_on: _, run_at: __, changed_on: ___, ...job } = listed.body.items[0]
  assert.deepEqual(job, {
    id,
    label: 'Job',
    task: 'test:nobody',
    attempts: 3,
    max_attempts: 3,
    last_error: 'connect smtp://…@mail.example refused',
    locked: false,
  })
  const retried = await app.call('POST', `/jobs/${id}/retry`)
  assert.equal(retried.status, 200, retried.text)
  assert.equal((await app.get(`/jobs/${id}`)).body.attempts, 0)
  assert.equal((await app.get(`/jobs/${id}?other=1`)).status, 400)
  assert.equal((await app.get(`/jobs/${id}?fields=nonsense`)).status, 400)
  const log = `/audit_log?event[eq]=job.retried&record[eq]=${id}`
  await eventually(async () => (await app.get(log)).body.total === 1)
  assert.equal((await app.get('/jobs', { scopes: ['channels'] })).status, 403)
})

test('jobs of others are not there', async () => {
  const app = await startApp()
  const elsewhere = await startApp()
  const theirs = { organisation_id: elsewhere.organisation, environment_id: elsewhere.environment.id }
  const above = { organisation_id: app.organisation, environment_id: null }
  for (const payload of [theirs, {}]) {
    const id = await addFailed(app, payload, 'x')
    assert.equal((await app.get(`/jobs/${id}`)).status, 404)
    assert.equal((await app.call('POST', `/jobs/${id}/retry`)).status, 404)
  }
  const id = await addFailed(app, above, 'x')
  assert.equal((await app.get(`/jobs/${id}`)).status, 404)
  const admin = await openStudio(app, await addUser(app, 'admin'))
  assert.equal((await app.get(`/jobs/${id}`, { token: admin.token })).status, 200)
  for (const absent of ['nonsense', '0', '-1', `0${id}`, '9'.repeat(18), '9'.repeat(30), '1e3'])
    assert.equal((await app.get(`/jobs/${absent}`, { token: admin.token })).status, 404, absent)
})

test('a letter that cannot be sent shows up as a job of its organisation', async () => {
  const app = await startApp({ SMTP_URL: 'smtp://127.0.0.1:1' })
  const admin = await openStudio(app, await addUser(app, 'admin'))
  const email = `${randomUUID()}@example.org`
  await app.post('/invitations', { email, role: 'viewer' }, { token: admin.token })
  const job = await eventually(async () => {
    const { body } = await app.get('/jobs?task[eq]=access:send-invitation', { token: admin.token })
    return body.items.find((item: { last_error: string | null }) => item.last_error !== null)
  })
  assert.match(job.last_error, /mail server did not take a letter/)
})

test('errors lose what looks like a secret', () => {
  assert.equal(redact('a mq_0123456789abcdefghijklmnop b'), 'a … b')
  assert.equal(redact('550 <someone@example.org> unknown'), '550 <…> unknown')
})
