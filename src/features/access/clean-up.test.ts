import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
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
