import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { connect } from '../../database/connect.ts'
import { cleanUp } from './jobs.ts'
import { writeLastUsed } from './last-used.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

test('old letters and tokens that ended long ago are removed, others stay', async () => {
  const app = await startApp()
  const { context } = app
  const letter = (days: number) => app.sql<{ id: string }[]>`insert into mailbox
    (id, organisation_id, recipient, subject, text, created_on)
    values (${randomUUID()}, ${app.organisation}, 'a@example.org', 'x', 'x', ${daysAgo(days)}) returning id`
  await letter(31)
  const [kept] = await letter(29)
  const token = async (column: 'revoked_on' | 'expires_on', days: number) => {
    const { row } = await app.addToken({ kind: 'organisation', name: `${column} ${days}` })
    await app.sql.run(`update tokens set ${column} = now() - interval '${days} days' where id = '${row.id}'`)
  }
  await token('revoked_on', 91)
  await token('revoked_on', 89)
  await token('expires_on', 91)
  await token('expires_on', 89)
  await cleanUp(context)
  const letters = await app.sql`select id from mailbox where organisation_id = ${app.organisation}`
  assert.deepEqual(letters, [kept])
  const tokens = await app.sql<{ name: string }[]>`select name from tokens
    where organisation_id = ${app.organisation} order by name`
  assert.deepEqual(
    tokens.map(({ name }) => name),
    ['expires_on 89', 'revoked_on 89'],
  )
})

test('of persons nothing that let them in stays for long', async () => {
  const app = await startApp()
  const person = await addPerson(app)
  const own = { person_key: person.key, kind: 'personal', scopes: ['publications'] } as const
  await app.addToken({ ...own, name: 'Ended', expires_on: daysAgo(2) })
  await app.addToken({ ...own, name: 'Endless' })
  const id = app.environment.id
  for (const days of [1, -1]) {
    await app.sql`insert into person_sessions (environment_id, id, person_key, hash, expires_on)
      values (${id}, ${`session ${days}`}, ${person.key}, ${Buffer.from(randomUUID())}, ${daysAgo(days)})`
    await app.sql`insert into sign_in_requests (environment_id, id, redirect_url, expires_on)
      values (${id}, ${`request ${days}`}, 'x', ${daysAgo(days)})`
  }
  await cleanUp(app.context)
  const left = await app.sql<{ name: string }[]>`select name from tokens where environment_id = ${id}
    union all select id from person_sessions where environment_id = ${id}
    union all select id from sign_in_requests where environment_id = ${id} order by 1`
  assert.deepEqual(
    left.map(({ name }) => name),
    ['Endless', 'request -1', 'session -1'],
  )
})

test('when a token was last used is written down, never backwards, and not lost with the database', async () => {
  const app = await startApp()
  const { context } = app
  const { row, value } = await app.addToken({ scopes: ['channels'] })
  const lastUsed = async () => {
    const [found] = await app.sql<
      { at: Date | null }[]
    >`select last_used_on as at from tokens where id = ${row.id}`
    return found?.at ?? null
  }
  await app.get('/channels', { token: value })
  const nowhere = connect('postgres://nobody@127.0.0.1:1/nothing')
  await assert.rejects(writeLastUsed({ tokens: context.tokens, db: nowhere.db }))
  await nowhere.close()
  assert.equal(await lastUsed(), null)
  await writeLastUsed(context)
  const first = await lastUsed()
  assert.ok(first && first > daysAgo(1))
  context.tokens.giveBackUsed([[row.id, daysAgo(1)]])
  await writeLastUsed(context)
  assert.deepEqual(await lastUsed(), first)
})
