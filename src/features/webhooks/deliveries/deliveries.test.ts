import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/harness/access.ts'
import { isSigned, startListener } from '../../../../test/harness/listener.ts'
import { addPublication, changePublication } from '../../../../test/harness/publications.ts'
import { faults } from '../../../../test/harness/records/kind.ts'
import {
  addWebhook,
  called,
  deliveriesOf,
  deliveryWhen,
  makeEvent,
  startCalling,
  untilPlanned,
} from '../../../../test/harness/webhooks.ts'
import { pruneDeliveries } from '../deliver/jobs.ts'

test('the log is listed newest first, filtered and paged', async () => {
  const app = await startCalling()
  const listener = await startListener((response, { body }) =>
    response.writeHead(body.payload.name === 'Bad' ? 500 : 200).end(),
  )
  const { id } = await addWebhook(app, listener)
  for (const name of ['One', 'Bad', 'Two']) await makeEvent(app, name)
  await eventually(async () => (await deliveriesOf(app, id, 'response_status[has]=true')).length === 3)
  const { body } = await app.get(`/webhooks/${id}/deliveries?limit=2`)
  assert.deepEqual([body.total, body.items.length], [3, 2])
  const rest = await deliveriesOf(app, id, `limit=2&after=${body.after}`)
  const all = [...body.items, ...rest]
  assert.deepEqual(
    all.map(({ created_on }) => created_on),
    all.map(({ created_on }) => created_on).sort((a, b) => (a < b ? 1 : -1)),
  )
  assert.equal(new Set(all.map(({ id }) => id)).size, 3)
  for (const [query, count] of [
    ['status[eq]=delivered', 2],
    ['status[eq]=pending', 1],
    ['response_status[eq]=500', 1],
    ['event[eq]=channel.created', 3],
    ['event[eq]=tag.created', 0],
    ['source[eq]=event', 3],
    ['created_on[gt]=2030-01-01', 0],
  ] as const)
    assert.equal((await deliveriesOf(app, id, query)).length, count, query)
  assert.deepEqual(faults(await app.get(`/webhooks/${id}/deliveries?statuss[eq]=x&sort=event`)), [
    'sort',
    'statuss',
  ])
})

test('a message is delivered once more with its id, and one that waits is sent at once', async () => {
  const app = await startCalling()
  const listener = await startListener()
  const { id, secret } = await addWebhook(app, listener)
  await makeEvent(app)
  const first = await deliveryWhen(app, id, ({ status }) => status === 'delivered')
  const again = await app.post(`/webhooks/${id}/deliveries/${first.id}/redeliver`)
  assert.deepEqual(
    [again.status, again.body.source, again.body.message_id],
    [202, 'redelivery', first.message_id],
  )
  assert.notEqual(again.body.id, first.id)
  const calls = await called(listener, 2)
  assert.deepEqual(calls[0]!.body, calls[1]!.body)
  assert.ok(isSigned(calls[1]!, secret))
  listener.answer = 500
  await makeEvent(app)
  const waiting = await deliveryWhen(
    app,
    id,
    ({ status, attempts }) => status === 'pending' && attempts === 1,
  )
  listener.answer = 200
  const sent = await app.post(`/webhooks/${id}/deliveries/${waiting.id}/redeliver`)
  assert.equal(sent.body.id, waiting.id)
  await deliveryWhen(app, id, (one) => one.id === waiting.id && one.status === 'delivered')
})

test('an Idempotency-Key makes a redelivery happen once', async () => {
  const app = await startCalling()
  const listener = await startListener()
  const { id } = await addWebhook(app, listener)
  await makeEvent(app)
  const { id: first } = await deliveryWhen(app, id, ({ status }) => status === 'delivered')
  const ask = () =>
    app.post(`/webhooks/${id}/deliveries/${first}/redeliver`, undefined, {
      headers: { 'idempotency-key': 'once' },
    })
  const [a, b] = [await ask(), await ask()]
  assert.equal(a.body.id, b.body.id)
  assert.equal((await deliveriesOf(app, id)).length, 2)
})

test('a test is answered with its outcome, good or bad, and is not tried again', async () => {
  const app = await startCalling()
  const listener = await startListener((response) => response.writeHead(200, { 'x-by': 'me' }).end('hello'))
  const { id, secret } = await addWebhook(app, listener, { active: false })
  const good = await app.post(`/webhooks/${id}/test`, {})
  assert.equal(good.status, 200, good.text)
  assert.deepEqual(
    [good.body.status, good.body.source, good.body.event],
    ['delivered', 'test', 'webhook.test'],
  )
  assert.match(good.body.response.head, /x-by: me.*hello/s)
  assert.ok(isSigned(listener.calls[0]!, secret))
  assert.equal(listener.calls[0]!.body.payload.id, id)
  listener.answer = 500
  const bad = await app.post(`/webhooks/${id}/test`, {})
  assert.deepEqual([bad.body.status, bad.body.attempts, bad.body.error], ['failed', 1, 'The answer was 500'])
  assert.equal((await app.get(`/webhooks/${id}`)).body.failing_since, null)
  assert.equal(listener.calls.length, 2)
})

test('a test may send the last event of a name as a sample', async () => {
  const app = await startCalling()
  const listener = await startListener()
  const { id } = await addWebhook(app, listener, { events: ['channel.created', 'tag.created'] })
  const { id: channel } = await makeEvent(app)
  await called(listener)
  const { body } = await app.post(`/webhooks/${id}/test`, { event: 'channel.created' })
  assert.equal(body.status, 'delivered')
  const [first, sample] = listener.calls
  assert.equal(sample!.body.payload.id, channel)
  assert.notEqual(sample!.body.id, first!.body.id)
  assert.equal((await app.post(`/webhooks/${id}/test`, { event: 'tag.created' })).status, 409)
  assert.deepEqual(faults(await app.post(`/webhooks/${id}/test`, { event: 'tag.deleted' })), ['event'])
  assert.deepEqual(faults(await app.post(`/webhooks/${id}/test`, { event: 1, other: 2 })), ['event', 'other'])
})

test('a sample is one that the filter lets through, by the name that was registered', async () => {
  const app = await startCalling()
  const listener = await startListener()
  const done = { status: { 'en-US': { body: 'Done' } } }
  const wanted = await addPublication(app)
  await changePublication(app, wanted.id, done)
  const other = await addPublication(app)
  for (let count = 0; count < 60; count += 1)
    await changePublication(app, other.id, { slug: { 'en-US': `other-${count}` } })
  await untilPlanned(app)
  const events = ['publication.updated', 'publication.deleted']
  const { id } = await addWebhook(app, listener, { events, filter: { status: [{ eq: 'Done' }] } })
  await app.delete(`/publications/${other.id}`)
  await untilPlanned(app)
  const { body } = await app.post(`/webhooks/${id}/test`, { event: 'publication.changed' })
  assert.deepEqual(
    [body.status, body.event, body.record],
    ['delivered', 'publication.updated', { id: wanted.id }],
  )
  const deleted = await app.post(`/webhooks/${id}/test`, { event: 'publication.deleted' })
  assert.equal(deleted.status, 409)
})

test('many who ask for the log have it counted once', async () => {
  const app = await startCalling()
  const { id } = await addWebhook(app, { url: 'http://192.0.2.1/' }, { active: false })
  const add =
    () => app.sql`insert into webhook_deliveries (environment_id, id, webhook_id, event_id, event, source,
      status) select ${app.environment.id}, gen_random_uuid(), ${id}, '', 'tag.created', 'event', 'failed'`
  const total = async () => (await app.get(`/webhooks/${id}/deliveries`)).body.total
  await add()
  assert.equal(await total(), 1)
  await add()
  assert.equal(await total(), 1)
  await eventually(async () => (await total()) === 2)
})

test('a range of time is replayed with the first ids, once, and only what the webhook asks for', async () => {
  const app = await startCalling()
  const listener = await startListener()
  const names: Record<string, string> = {}
  for (const name of ['Early', 'One', 'Two', 'Late']) names[name] = (await makeEvent(app, name)).id
  await app.post('/tags', { body: 'Other' })
  const events = () => app.sql<{ id: string; record_id: string }[]>`select id, record_id from events
    where environment_id = ${app.environment.id} and event = 'channel.created' order by sequence`
  await untilPlanned(app)
  for (const [name, day] of [
    ['Early', 1],
    ['One', 2],
    ['Two', 3],
    ['Late', 4],
  ] as const)
    await app.sql`update events set created_on = ${`2026-01-0${day}T12:00:00Z`} where record_id = ${names[name]}`
  const { id } = await addWebhook(app, listener)
  const range = { from: '2026-01-02T00:00:00Z', until: '2026-01-04T12:00:00Z' }
  const headers = { 'idempotency-key': 'replay' }
  const answer = await app.post(`/webhooks/${id}/replay`, range, { headers })
  assert.deepEqual(
    [answer.status, answer.body.label, answer.body.webhook],
    [202, 'WebhookReplay', { id }],
    answer.text,
  )
  assert.deepEqual((await app.post(`/webhooks/${id}/replay`, range, { headers })).body, answer.body)
  const calls = await called(listener, 2)
  const ids = (await events()).map((event) => event.id)
  assert.deepEqual(calls.map(({ body }) => body.id).sort(), ids.slice(1, 3).sort())
  await eventually(async () => (await deliveriesOf(app, id, 'status[eq]=delivered')).length === 2)
  const rows = await deliveriesOf(app, id)
  assert.deepEqual(
    rows.map(({ source }) => source),
    ['replay', 'replay'],
  )
})

test('a replay names what is wrong with it, and needs a webhook that is switched on', async () => {
  const app = await startCalling()
  const { id } = await addWebhook(app, { url: 'http://192.0.2.1/' }, { active: false })
  const path = `/webhooks/${id}/replay`
  assert.deepEqual(faults(await app.post(path, {})), ['from'])
  assert.deepEqual(faults(await app.post(path, { from: 'x', until: 'y', other: 1 })), [
    'from',
    'other',
    'until',
  ])
  const backwards = { from: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }
  assert.equal((await app.post(path, { ...backwards, until: '2026-02-01T00:00:00Z' })).status, 409)
  await app.put(`/webhooks/${id}`, { active: true })
  assert.deepEqual(faults(await app.post(path, backwards)), ['from'])
})

test('deliveries of another environment or another webhook are not there', async () => {
  const app = await startCalling()
  const listener = await startListener()
  const { id } = await addWebhook(app, listener)
  const { id: other } = await addWebhook(app, { url: 'http://192.0.2.1/' }, { events: ['tag.created'] })
  await makeEvent(app)
  const { id: delivery } = await deliveryWhen(app, id, ({ status }) => status === 'delivered')
  const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
  const anyone = async (method: string, path: string, webhook: string, one: string) => {
    const filled = path.replace('{webhook}', webhook).replace('{delivery}', one)
    const from = { from: '2026-01-01T00:00:00Z' }
    const answer = await app.call(method, filled, {
      token,
      body: method === 'GET' ? undefined : path.endsWith('replay') ? from : {},
    })
    const { dbtrace: _trace, ...rest } = answer.body
    return [answer.status, rest]
  }
  for (const [method, path] of [
    ['GET', '/webhooks/{webhook}/deliveries'],
    ['GET', '/webhooks/{webhook}/deliveries/{delivery}'],
    ['POST', '/webhooks/{webhook}/deliveries/{delivery}/redeliver'],
    ['POST', '/webhooks/{webhook}/test'],
    ['POST', '/webhooks/{webhook}/replay'],
  ] as const) {
    const foreign = await anyone(method, path, id, delivery)
    assert.equal(foreign[0], 404, path)
    assert.deepEqual(foreign, await anyone(method, path, 'absent', 'absent'), path)
  }
  assert.equal((await app.get(`/webhooks/${other}/deliveries/${delivery}`)).status, 404)
  assert.equal((await app.post(`/webhooks/${other}/deliveries/${delivery}/redeliver`)).status, 404)
  assert.equal(listener.calls.length, 1)
})

test('the body of a message is shown only to those who may read what it tells', async () => {
  const app = await startCalling()
  const { id } = await addWebhook(app, await startListener())
  await makeEvent(app)
  const delivery = await deliveryWhen(app, id, ({ status }) => status === 'delivered')
  const path = `/webhooks/${id}/deliveries/${delivery.id}`
  const read = async (token: object) =>
    (await app.get(path, { token: (await app.addToken(token)).value })).body.request.body
  assert.equal(await read({ scopes: ['webhooks'], visibility: 'all' }), null)
  assert.equal(await read({ scopes: ['webhooks', 'channels'], visibility: 'published' }), null)
  assert.match(await read({ scopes: ['webhooks', 'channels'], visibility: 'all' }), /channel\.created/)
})

test('after 30 days a delivery that has ended leaves the log', async () => {
  const app = await startCalling()
  const listener = await startListener((response, { body }) =>
    response.writeHead(body.payload.name === 'Bad' ? 500 : 200).end(),
  )
  const { id } = await addWebhook(app, listener)
  for (const name of ['Old', 'Bad', 'New']) await makeEvent(app, name)
  await eventually(async () => (await deliveriesOf(app, id, 'response_status[has]=true')).length === 3)
  const age = (name: string, days: number) => app.sql`update webhook_deliveries
    set created_on = now() - make_interval(days => ${days})
    where webhook_id = ${id} and record_id = (select id from channels where environment_id = ${app.environment.id} and name = ${name})`
  await age('Old', 31)
  await age('Bad', 31)
  await age('New', 29)
  await pruneDeliveries(app.context)
  const left = await deliveriesOf(app, id)
  assert.deepEqual(left.map(({ status }) => status).sort(), ['delivered', 'pending'])
})
