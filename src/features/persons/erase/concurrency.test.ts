import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/harness/access.ts'
import type { TestApp } from '../../../../test/harness/app.ts'
import { startApp } from '../../../../test/harness/app.ts'
import { startListener } from '../../../../test/harness/listener.ts'
import { addPublication } from '../../../../test/harness/publications.ts'
import { made } from '../../../../test/harness/records/kind.ts'
import {
  addReader,
  askForLink,
  type Reader,
  signIn,
  signInSettings,
} from '../../../../test/harness/sign-in.ts'
import { addWebhook } from '../../../../test/harness/webhooks.ts'

const settings = { ...signInSettings, MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' }

const quiet = (app: TestApp) =>
  eventually(async () => {
    const [row] = await app.sql<{ busy: boolean }[]>`select exists (select 1 from audience_deltas)
      or exists (select 1 from outbox) or exists (select 1 from graphile_worker.jobs where run_at <= now()) as busy`
    return !row!.busy
  }, 20_000)

/** Rows that say something of one person, by table. */
const traces = async (app: TestApp, ...said: string[]): Promise<string[]> => {
  const tables = await app.sql<{ name: string }[]>`select format('%I.%I', schemaname, tablename) as name
    from pg_tables where schemaname in ('public', 'graphile_worker') order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await app.sql.run<{ row: string }[]>(`select one::text as row from ${name} as one`)
    if (rows.some(({ row }) => said.some((word) => row.includes(word)))) found.push(name)
  }
  return found
}

const ways: [string, (app: TestApp, id: string) => Promise<{ status: number }>][] = [
  ['anonymized', (app, id) => app.put(`/persons/${id}/anonymize`)],
  ['deleted', (app, id) => app.delete(`/persons/${id}`)],
  ['deleted by version 5', (app, id) => app.delete(`/v5/persons/${id}`)],
]

/** What may be under way when somebody is erased. */
const busy = (app: TestApp, publication: string, reader: Reader, hash: string) => {
  const { id, email } = reader
  return [
    () => app.put(`/persons/${id}`, { last_name: `${email} by marriage` }),
    () => app.put(`/v5/persons/${id}`, { nickname: `${email} again` }),
    () => app.post(`/publications/${publication}/like`, { session_hash: hash }),
    () => app.post(`/publications/${publication}/unlike`, { session_hash: hash }),
    () => app.post(`/publications/${publication}/interactions`, { label: 'Like', person: { id } }),
    () => app.post(`/publications/${publication}/interactions`, { label: 'View', person: { id } }),
    () => signIn(app, reader, {}, { headers: { 'user-agent': `${email} browses` } }),
    () => askForLink(app, email),
    () => app.post(`/v5/persons/${id}/remark`, { body: `${email} called` }),
    () => app.get(`/persons/${id}/export`),
  ]
}

for (const [way, erase] of ways)
  test(`whatever is under way when somebody is ${way} leaves nothing behind`, async () => {
    const app = await startApp(settings)
    const { id: publication } = await addPublication(app)
    made(
      await app.post('/segments', { body: 'Seen', rules: { items: { a: { interactions: { has: true } } } } }),
    )
    for (let round = 0; round < 4; round += 1) {
      const reader = await addReader(app)
      const { hash } = (await signIn(app, reader)).body
      const calls = [...busy(app, publication, reader, hash), ...busy(app, publication, reader, hash)]
      const work = calls.map((call) => call())
      // Somewhere among them, each time somewhere else.
      await Promise.race([Promise.all(work.slice(0, round * 3)), Promise.all(work)])
      const erased = await Promise.all([erase(app, reader.id), erase(app, reader.id)])
      assert.deepEqual(erased.map(({ status }) => status < 300).sort(), [false, true])
      for (const { status } of erased) assert.ok(status < 300 || status === 404, String(status))
      for (const { status, text } of await Promise.all(work)) assert.ok(status < 500, text)
      await quiet(app)
      assert.deepEqual(await traces(app, reader.email), [], `round ${round}`)
    }
    const orphans = await app.sql`select 1 from interactions row where environment_id = ${app.environment.id}
      and not exists (select 1 from persons p where p.key = row.person_key)
      and not exists (select 1 from person_tombstones t where t.person_key = row.person_key)`
    assert.deepEqual(orphans, [])
    assert.equal((await app.get('/erasure_receipts')).body.total, 4)
    const total = way === 'anonymized' ? 4 : 0
    const { body } = await app.get('/persons?limit=100')
    assert.deepEqual([body.total, body.items.length], [total, total])
  })

test('a call that waited its turn while its person was erased is not made', async () => {
  const app = await startApp(settings)
  const held: ServerResponse[] = []
  let isSlow = false
  const listener = await startListener((response) => (isSlow ? held.push(response) : response.end()))
  const { id: webhook } = await addWebhook(app, listener, { events: ['person.changed', 'person.deleted'] })
  const { id } = made(await app.post('/persons', { first_name: 'Robin' }))
  const change = (from: number, to: number) =>
    Promise.all(
      Array.from({ length: to - from }, (_, n) =>
        app.put(`/persons/${id}`, { last_name: `Secret ${from + n}` }),
      ),
    )
  // Who answers well is sent many at once, so that some wait in memory.
  for (let round = 0; round < 4; round += 1) {
    await change(round * 15, round * 15 + 15)
    await eventually(async () => listener.calls.length === (round + 1) * 15, 10_000)
  }
  isSlow = true
  await change(60, 100)
  const claimed = async () =>
    (await app.sql`select 1 from webhook_deliveries where webhook_id = ${webhook} and claimed_until > now()`)
      .length
  await eventually(async () => (await claimed()) > held.length + 5, 10_000)
  assert.equal((await app.delete(`/persons/${id}`)).status, 204)
  const before = listener.calls.length
  isSlow = false
  for (const response of held) response.end('Robin Secret')
  await eventually(async () => listener.calls.some(({ body }) => body.event === 'person.deleted'), 20_000)
  await eventually(async () => {
    const [row] = await app.sql<{ count: number }[]>`select count(*)::int as count from webhook_deliveries
      where webhook_id = ${webhook} and status = 'pending'`
    return row!.count === 0
  }, 20_000)
  const since = listener.calls.slice(before)
  assert.deepEqual(
    since.map(({ body }) => body.event),
    ['person.deleted'],
  )
  const ended = await app.sql<{ status: string; response_head: string | null }[]>`select status, response_head
    from webhook_deliveries where webhook_id = ${webhook} and event = 'person.changed'`
  assert.ok(ended.some(({ status }) => status === 'cancelled'))
  assert.ok(ended.every(({ response_head }) => response_head === null))
})

test('what has still to be told of a person is found by an index, however much waits', async () => {
  const { context, environment } = await startApp(settings)
  const plan = await context.db.transaction().execute(async (tx) => {
    await sql`insert into outbox (event_id, organisation_id, environment_id, event, label, record_id, performed_by)
      select 'waiting', organisation_id, id, 'person.changed', 'Person', n, '{}'
      from environments, generate_series(1, 20000) n where id = ${environment.id}`.execute(tx)
    await sql`analyze outbox`.execute(tx)
    const { rows } = await sql`explain update outbox set snapshot = null where label = 'Person'
      and environment_id = ${environment.id} and record_id = '7'`.execute(tx)
    await sql`delete from outbox where event_id = 'waiting'`.execute(tx)
    return JSON.stringify(rows)
  })
  assert.match(plan, /outbox_person/)
})
