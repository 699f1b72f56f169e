import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addPublication } from '../../../../test/harness/publications.ts'
import { made } from '../../../../test/harness/records/kind.ts'

const quiet = (app: TestApp) =>
  eventually(async () => {
    const [row] = await app.sql<{ busy: boolean }[]>`select exists (select 1 from audience_deltas)
      or exists (select 1 from outbox) as busy`
    return !row!.busy
  }, 20_000)

const addSegment = async (app: TestApp, body: string, rules: object): Promise<string> =>
  made(await app.post('/segments', { body, rules: { items: { a: rules } } })).id

const totals = async (app: TestApp): Promise<Record<string, number>> => {
  const { items } = (await app.get('/segments')).body
  return Object.fromEntries(items.map(({ body, total }: { body: string; total: number }) => [body, total]))
}

test('an anonymous person is not found by the moment at which it was made, seen or anonymized', async () => {
  const app = await startApp()
  const { id: publication } = await addPublication(app)
  const { id } = made(await app.post('/persons', { first_name: 'Robin' }))
  const segment = await addSegment(app, 'Active', { interactions: { has: true } })
  await app.post(`/publications/${publication}/interactions`, { label: 'View', person: { id } })
  await quiet(app)
  await eventually(async () => (await totals(app)).Active === 1)
  const answer = await app.put(`/persons/${id}/anonymize`)
  await quiet(app)
  const { body } = await app.get(`/persons/${answer.body.id}`)
  const { body: member } = await app.get(`/segments/${segment}/persons/${body.id}`)
  assert.equal(member.member, true)
  for (const time of [body.created_on, body.changed_on, body.last_seen, member.since])
    assert.match(time, /-01T00:00:00\+00:00$/)
  // Its fifteenth sign tells that it was drawn by lot; other ids begin with the time.
  assert.equal(body.id[14], '4')
  const [row] = await app.sql`select version, created_by, updated_by from persons where id = ${body.id}`
  assert.deepEqual({ ...row }, { version: 1, created_by: null, updated_by: null })
})

test('nobody is told which segments somebody anonymous comes into and leaves', async () => {
  const app = await startApp()
  const { id } = made(
    await app.post('/persons', { first_name: 'Robin', gender: 'female', password: 'a long password' }),
  )
  made(await app.post('/persons', { first_name: 'Kim', gender: 'female', password: 'a long password' }))
  await addSegment(app, 'Women', { gender: { eq: 'female' } })
  await addSegment(app, 'Unknown', { password: { has: false } })
  await eventually(async () => (await totals(app)).Women === 2)
  await quiet(app)
  const { body } = await app.put(`/persons/${id}/anonymize`)
  assert.deepEqual(await totals(app), { Women: 1, Unknown: 1 })
  await quiet(app)
  assert.deepEqual(await totals(app), { Women: 1, Unknown: 1 })
  assert.deepEqual([...(await app.sql`select event from events where record_id = ${body.id}`)], [])
  const said = await app.sql`select event from events where snapshot::text like ${`%${body.id}%`}`
  assert.deepEqual([...said], [])
})
