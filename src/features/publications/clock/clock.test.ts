import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/harness/access.ts'
import { secretKey, startApp, type TestApp } from '../../../../test/harness/app.ts'
import { createLog, runContext } from '../../../service.ts'
import { settleDue } from './settle.ts'

const soon = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString()

const add = async (app: TestApp, more: object = {}) => {
  const { body, status, text } = await app.post('/publications', {
    label: 'Publication',
    locales: ['en-US'],
    items: { 'en-US': { title: { label: 'Text', body: randomUUID(), format: 'H1' } } },
    status: { 'en-US': { body: 'Done' } },
    ...more,
  })
  assert.equal(status, 201, text)
  return body as { id: string }
}

type EventRow = { event: string; record_id: string; created_on: Date; snapshot: { items: object } }
const eventsOf = async ({ context, environment }: TestApp, id?: string): Promise<EventRow[]> => {
  const { rows } = await sql<EventRow>`select event, record_id, created_on, snapshot from events
    where environment_id = ${environment.id} and event like '%published' order by sequence`.execute(
    context.db,
  )
  return rows.filter(({ record_id }) => id === undefined || record_id === id)
}

const isShown = async (app: TestApp, id: string): Promise<boolean> => {
  const token = (await app.addToken({ scopes: ['publications'], visibility: 'published' })).value
  return (await app.get(`/publications/${id}`, { token })).status === 200
}

test('a scheduled publication is published and taken back on time, without a version or a date of change', async () => {
  const app = await startApp()
  const [publish, expire] = [soon(1500), soon(4000)]
  const { id } = await add(app, { publish_on: { 'en-US': publish }, expire_on: { 'en-US': expire } })
  assert.equal(await isShown(app, id), false)
  const url = `/publications?published[eq]=true&id[eq]=${id}`
  assert.equal((await app.get(url)).body.total, 0)
  const [first] = await eventually(async () => {
    const events = await eventsOf(app, id)
    return events.length === 1 && events
  })
  assert.equal(first!.event, 'publication.published')
  assert.ok(first!.created_on.getTime() >= Date.parse(publish))
  assert.ok(first!.created_on.getTime() < Date.parse(publish) + 2000)
  assert.deepEqual(Object.keys(first!.snapshot.items), ['en-US'])
  assert.equal(await isShown(app, id), true)
  assert.equal((await app.get(url)).body.total, 1)
  const events = await eventually(async () => {
    const found = await eventsOf(app, id)
    return found.length === 2 && found
  })
  assert.equal(events[1]!.event, 'publication.unpublished')
  assert.ok(events[1]!.created_on.getTime() < Date.parse(expire) + 2000)
  assert.equal(await isShown(app, id), false)
  assert.equal((await app.get(url)).body.total, 0)
  const { body } = await app.get(`/publications/${id}?fields=published`)
  assert.deepEqual([body.changed_on, body.published], [null, { 'en-US': false }])
  const { rows } = await sql<{ versions: string; next_change: Date | null }>`select next_change,
    (select count(*) from publication_versions where publication_id = ${id}) as versions
    from publications where id = ${id}`.execute(app.context.db)
  assert.deepEqual(rows, [{ versions: '1', next_change: null }])
})

test('locales come and go each at their own time', async () => {
  const app = await startApp()
  const { id } = await add(app, {
    locales: ['en-US', 'nl-NL'],
    items: {
      'en-US': { title: { label: 'Text', body: 'One', format: 'H1' } },
      'nl-NL': { title: { label: 'Text', body: 'Een', format: 'H1' } },
    },
    status: { 'en-US': { body: 'Done' }, 'nl-NL': { body: 'Done' } },
    expire_on: { 'en-US': soon(600) },
    publish_on: { 'nl-NL': soon(600) },
  })
  const after = await eventually(async () => {
    const { body } = await app.get(`/publications/${id}?fields=published`)
    return body.published['nl-NL'] && !body.published['en-US'] && body
  })
  assert.deepEqual(after.published, { 'en-US': false, 'nl-NL': true })
  const found = async (locale: string) =>
    (await app.get(`/publications?locale=${locale}&published[eq]=true&id[eq]=${id}`)).body.total
  assert.deepEqual([await found('en-US'), await found('nl-NL')], [0, 1])
})

test('a publication that is not Done, or was deleted, is left alone', async () => {
  const app = await startApp()
  const open = await add(app, { status: { 'en-US': { body: 'Review' } }, publish_on: { 'en-US': soon(300) } })
  const gone = await add(app, { publish_on: { 'en-US': soon(300) } })
  const last = await add(app, { publish_on: { 'en-US': soon(400) } })
  await app.delete(`/publications/${gone.id}`)
  await eventually(async () => (await eventsOf(app, last.id)).length === 1)
  assert.deepEqual([await eventsOf(app, open.id), await eventsOf(app, gone.id)], [[], []])
})

const anotherNode = (app: TestApp) =>
  runContext(
    app.context.config,
    { url: app.databaseUrl, directUrl: app.databaseUrl },
    secretKey,
    createLog('silent'),
    { background: true },
  )

/** As after a pause of every node: their moment has passed, and nobody has settled them. */
const overdue = (app: TestApp, change: ReturnType<typeof sql>) =>
  sql`update publications set next_change = now() - interval '1 second', state = ${change}
    where environment_id = ${app.environment.id}`.execute(app.context.db)

test('many that are due at once are each told once, however many nodes there are', async () => {
  const app = await startApp()
  const nodes = await Promise.all([anotherNode(app), anotherNode(app)])
  try {
    const count = 300
    for (let made = 0; made < count; made += 20)
      await Promise.all(
        Array.from({ length: 20 }, () => add(app, { publish_on: { 'en-US': soon(3_600_000) } })),
      )
    const due = Date.now()
    await overdue(
      app,
      sql`jsonb_set(state, '{en-US,publish_on}', ${JSON.stringify(soon(-1000))}::text::jsonb)`,
    )
    const events = await eventually(async () => {
      const found = await eventsOf(app)
      return found.length >= count && found
    }, 15_000)
    assert.equal(new Set(events.map(({ record_id }) => record_id)).size, count)
    assert.ok(Math.max(...events.map(({ created_on }) => created_on.getTime())) < due + 2000)
    assert.equal(await settleDue(app.context, 10), 0)
    assert.equal((await eventsOf(app)).length, count)
  } finally {
    for (const node of nodes) await node.close()
  }
})

test('what became due during a pause is settled at the start; what began and ended in it is not spoken of', async () => {
  const app = await startApp()
  const begun = await add(app, { publish_on: { 'en-US': soon(3_600_000) } })
  const both = await add(app, { publish_on: { 'en-US': soon(3_600_000) } })
  const past = (minutes: number) => JSON.stringify(new Date(Date.now() - minutes * 60_000).toISOString())
  await overdue(
    app,
    sql`jsonb_set(jsonb_set(state, '{en-US,publish_on}', ${past(2)}::text::jsonb), '{en-US,expire_on}',
      case when id = ${both.id} then ${past(1)}::text::jsonb else 'null' end)`,
  )
  await eventually(async () => (await eventsOf(app, begun.id)).length === 1)
  const { rows } = await sql`select id from publications
    where environment_id = ${app.environment.id} and next_change is not null`.execute(app.context.db)
  assert.deepEqual(rows, [])
  assert.deepEqual(
    (await eventsOf(app)).map(({ event, record_id }) => [event, record_id]),
    [['publication.published', begun.id]],
  )
})

test('one that cannot be settled does not hold up the others', async () => {
  const app = await startApp()
  const broken = await add(app, { publish_on: { 'en-US': soon(3_600_000) } })
  await overdue(app, sql`'null'::jsonb`)
  const { id } = await add(app, { publish_on: { 'en-US': soon(300) } })
  await eventually(async () => (await eventsOf(app, id)).length === 1)
  const { rows } = await sql`delete from publications where id = ${broken.id} and next_change < now()
    returning id`.execute(app.context.db)
  assert.equal(rows.length, 1)
})
