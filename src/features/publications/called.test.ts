import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Agent, request } from 'undici'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { nowhere, registerWebhook } from '../../../test/harness/planned.ts'
import { addPublication, type Loose, readerToken, text } from '../../../test/harness/publications.ts'
import { faults } from '../../../test/harness/records/kind.ts'
import { scopes as allScopes } from '../access/scopes.ts'

const [en, nl] = ['en-US', 'nl-NL']
const done = { body: 'Done' }

/** Two publications of which one is Done, and webhooks that tell them apart. */
const startCalled = async () => {
  const app = await startApp()
  const news = await addPublication(app, { [en]: { title: text('News') } }, { status: { [en]: done } })
  const draft = await addPublication(app, { [nl]: { title: text('Concept') } })
  const webhooks = {
    all: await registerWebhook(app, {
      url: `${nowhere}/all`,
      events: ['publication.updated', 'tag.created'],
    }),
    done: await registerWebhook(app, {
      url: `${nowhere}/done`,
      events: ['publication.changed'],
      filter: { status: [{ eq: 'Done' }] },
    }),
    concept: await registerWebhook(app, {
      url: `${nowhere}/concept`,
      filter: { title: 'concept', locale: nl },
    }),
    created: await registerWebhook(app, { url: `${nowhere}/created`, events: ['publication.created'] }),
    off: await registerWebhook(app, { url: `${nowhere}/off`, active: false }),
  }
  return { app, news, draft, webhooks }
}

/** What fetch would not send. */
const getWithBody = async (app: TestApp, query: string, sent: object): Promise<Loose> => {
  const { statusCode: status, body } = await request(`${app.origin}/publications/webhooks?${query}`, {
    headers: {
      authorization: `Bearer ${await app.tokenFor(allScopes)}`,
      'content-type': 'application/json',
    },
    method: 'GET',
    body: JSON.stringify(sent),
    dispatcher,
  })
  const answer = await body.text()
  return { status, text: answer, body: JSON.parse(answer) }
}
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })

const urls = (...names: string[]) => names.map((name) => `${nowhere}/${name}`)

test('which addresses an event would call is told for each publication', async () => {
  const { app, news, draft } = await startCalled()
  for (const event of ['publication.updated', 'publication.changed'])
    assert.deepEqual((await app.get(`/publications/webhooks?event=${event}`)).body, {
      webhooks: { [news.id]: urls('all', 'done'), [draft.id]: urls('all', 'concept') },
    })
  const { body } = await getWithBody(app, 'status[eq]=Done', { event: 'publication.created' })
  assert.deepEqual(body, { webhooks: { [news.id]: urls('created') } })
  const published = await app.get(`/publications/webhooks?event=publication.published&locale=${nl}`)
  assert.deepEqual(published.body, { webhooks: { [draft.id]: [] } })
  const token = await readerToken(app)
  const seen = await app.get('/publications/webhooks?event=publication.updated', { token })
  assert.deepEqual(Object.keys(seen.body.webhooks), [news.id])
})

test('an address that several webhooks share is told once', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  for (const filter of [null, { q: 'untitled' }]) await registerWebhook(app, { filter })
  const { body } = await app.get('/publications/webhooks?event=publication.updated')
  assert.deepEqual(body, { webhooks: { [id]: [nowhere] } })
})

test('the event is required, known and said once; what is wrong with the filter is told beside it', async () => {
  const { app } = await startCalled()
  const wrong = async (query: string, body?: object) =>
    faults(await (body ? getWithBody(app, query, body) : app.get(`/publications/webhooks?${query}`)))
  assert.deepEqual(await wrong(''), ['event'])
  assert.deepEqual(await wrong('event=tag.created&colour=1'), ['colour', 'event'])
  assert.deepEqual(await wrong('event=publication.updated&colour=1&limit=0'), ['colour', 'limit'])
  assert.deepEqual(await wrong('event[eq]=publication.updated'), ['event'])
  assert.deepEqual(await wrong('event=publication.updated', { event: 'publication.updated' }), ['event'])
  assert.deepEqual(await wrong('', { event: 5 }), ['event'])
  assert.deepEqual(await wrong('', { event: 'publication.updated', other: 1 }), ['other'])
})

test('more than a page is led on to by Link', async () => {
  const { app, news, draft } = await startCalled()
  const first = await app.get('/publications/webhooks?event=publication.updated&limit=1&sort=created_on')
  assert.deepEqual(Object.keys(first.body.webhooks), [news.id])
  const next = /<https:\/\/marquee\.test([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!
  assert.deepEqual(Object.keys((await app.get(next)).body.webhooks), [draft.id])
})

type Queued = { webhook_id: string; record_id: string; event: string; event_id: string; status: string }

const queuedBy = async (app: TestApp, id: string): Promise<Queued[]> => {
  const { rows } = await sql<Queued>`select webhook_id, record_id, event, event_id, status
    from webhook_deliveries where bulk_operation_id = ${id} order by record_id, webhook_id`.execute(
    app.context.db,
  )
  return rows
}

const ended = (app: TestApp, id: string, status = 'done'): Promise<Loose> =>
  eventually(async () => {
    const { body } = await app.get(`/bulk_operations/${id}`)
    return body.status === status && body
  }, 15_000)

test('every webhook is called for every publication that both filters match', async () => {
  const { app, news, draft, webhooks } = await startCalled()
  const { value: token } = await app.addToken({ scopes: ['publications'], visibility: 'all' })
  const answer = await app.post('/publications/bulk/webhooks?all=true', undefined, { token })
  assert.equal(answer.status, 202, answer.text)
  assert.deepEqual([answer.body.kind, answer.body.matched], ['webhooks', 2])
  const { processed, failed } = await ended(app, answer.body.id)
  assert.deepEqual([processed, failed], [2, 0])
  const queued = await queuedBy(app, answer.body.id)
  assert.deepEqual(
    queued.map(({ webhook_id, record_id, event }) => [record_id, webhook_id, event]),
    [
      [news.id, webhooks.all.id, 'publication.updated'],
      [news.id, webhooks.done.id, 'publication.changed'],
      [draft.id, webhooks.all.id, 'publication.updated'],
      [draft.id, webhooks.concept.id, 'publication.updated'],
    ],
  )
  assert.equal(new Set(queued.map(({ event_id }) => event_id)).size, 2)
  const body = { filter: { title: 'news' }, event: 'publication.created' }
  const other = await app.post('/publications/bulk/webhooks', body)
  await ended(app, other.body.id)
  assert.deepEqual(
    (await queuedBy(app, other.body.id)).map(({ webhook_id }) => webhook_id),
    [webhooks.created.id],
  )
  const listed = await app.get('/bulk_operations?kind[eq]=webhooks')
  assert.equal(listed.body.total, 2)
})

test('who may order calls sees and cancels them, and no other work in bulk', async () => {
  const { app } = await startCalled()
  const { value: token } = await app.addToken({ scopes: ['publications'], visibility: 'all' })
  const put = await app.put('/publications/bulk/put?all=true', { status: { [en]: done } })
  const calls = await app.post('/publications/bulk/webhooks?all=true', undefined, { token })
  await ended(app, calls.body.id)
  const { body: listed } = await app.get('/bulk_operations', { token })
  assert.deepEqual([listed.total, listed.items[0].id], [1, calls.body.id])
  assert.equal((await app.get('/bulk_operations')).body.total, 2)
  assert.equal((await app.get(`/bulk_operations/${calls.body.id}`, { token })).body.status, 'done')
  const cancelled = await app.post(`/bulk_operations/${calls.body.id}/cancel`, undefined, { token })
  assert.equal(cancelled.body.status, 'cancelled')
  assert.equal((await app.get(`/bulk_operations/${put.body.id}`, { token })).status, 404)
  assert.equal((await app.post(`/bulk_operations/${put.body.id}/cancel`, undefined, { token })).status, 404)
})

test('a publication whose calls cannot be queued fails alone', async () => {
  const app = await startApp()
  await registerWebhook(app)
  const ids = []
  for (let made = 0; made < 3; made += 1) ids.push((await addPublication(app)).id)
  await sql`create function refuse() returns trigger language plpgsql as $$ begin
    if new.record_id = tg_argv[0] then raise 'refused'; end if; return new; end $$`.execute(app.context.db)
  await sql`create trigger refuse before insert on webhook_deliveries for each row
    execute function refuse(${sql.lit(ids[1])})`.execute(app.context.db)
  const { body } = await app.post('/publications/bulk/webhooks?all=true')
  await ended(app, body.id)
  await sql`drop trigger refuse on webhook_deliveries`.execute(app.context.db)
  const { processed, failed, errors } = (await app.get(`/bulk_operations/${body.id}?fields=errors`)).body
  assert.deepEqual([processed, failed, errors.map(({ id }: Loose) => id)], [3, 1, [ids[1]]])
  assert.equal((await queuedBy(app, body.id)).length, 2)
})

test('calls of webhooks are refused like any other work in bulk, with every fault', async () => {
  const { app } = await startCalled()
  const path = '/publications/bulk/webhooks'
  assert.deepEqual(faults(await app.post(path, {})), ['filter'])
  assert.deepEqual(faults(await app.post(`${path}?event=no&colour[eq]=1`, { other: 1 })), [
    'colour',
    'event',
    'other',
  ])
  assert.deepEqual(faults(await app.post(path, { filter: { colour: 1 }, event: 5 })), [
    'event',
    'filter.colour',
  ])
  const dry = await app.post(`${path}?all=true&dry_run=true`)
  assert.deepEqual([dry.status, dry.body.matched, dry.body.kind], [200, 2, 'webhooks'])
  const kept = await app.post(`${path}?all=true&plan=${dry.body.plan}`)
  assert.equal(kept.status, 202)
  await ended(app, kept.body.id)
  const undone = await app.post(`/bulk_operations/${kept.body.id}/undo`)
  assert.equal(undone.status, 409)
})

test('cancelling ends the calls that wait to be sent, also when all of them are queued', async () => {
  const { app } = await startCalled()
  const { body } = await app.post('/publications/bulk/webhooks?all=true')
  await ended(app, body.id)
  const cancelled = await app.post(`/bulk_operations/${body.id}/cancel`)
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled'])
  await eventually(
    async () => (await queuedBy(app, body.id)).every(({ status }) => status === 'cancelled'),
    10_000,
  )
  assert.equal((await queuedBy(app, body.id)).length, 4)
  const again = await app.post(`/bulk_operations/${body.id}/cancel`)
  assert.deepEqual([again.status, again.body.status], [200, 'cancelled'])
})

test('an operation without webhooks ends, and cannot be cancelled then', async () => {
  const app = await startApp()
  await addPublication(app)
  const { body } = await app.post('/publications/bulk/webhooks?all=true')
  assert.equal((await ended(app, body.id)).processed, 1)
  assert.equal((await app.post(`/bulk_operations/${body.id}/cancel`)).status, 409)
})
