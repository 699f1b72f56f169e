import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { personByEmail } from './by-email.ts'

test('of those who share an address the first that has proved it is meant, with a password where one is asked for', async () => {
  const app = await startApp()
  const email = 'shared@example.org'
  const add = async (verified: boolean, password?: string): Promise<string> =>
    (await app.post('/persons', { emails: [{ email: 'Shared@Example.org', verified }], password })).body.id
  const meant = async (withPassword: boolean) =>
    (await personByEmail(app.context.db, app.environment.id, email, withPassword))?.id
  const first = await add(false)
  const second = await add(false, 'a-long-password-1')
  assert.deepEqual([await meant(false), await meant(true)], [first, second])
  const third = await add(true)
  assert.deepEqual([await meant(false), await meant(true)], [third, second])
  await app.put(`/persons/${third}`, { password: 'a-long-password-2' })
  assert.deepEqual([await meant(false), await meant(true)], [third, third])
  await app.put(`/persons/${first}`, { emails: [{ email, verified: true }] })
  assert.deepEqual([await meant(false), await meant(true)], [first, third])
  await app.put(`/persons/${third}`, { password: null })
  assert.deepEqual([await meant(false), await meant(true)], [first, second])
})
