import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { type Heard, listenTo } from '../../../test/harness/events.ts'
import { addChannel, addContainer, addTag } from '../../../test/harness/factories.ts'

/** Numbers of all events of the environment about channels, in order. */
const stored = async ({ context, environment }: TestApp): Promise<string[]> => {
  const { rows } = await sql<{ sequence: string }>`select sequence from events
    where environment_id = ${environment.id} and event like 'channel.%' order by sequence`.execute(context.db)
  return rows.map(({ sequence }) => sequence)
}
const idsOf = (events: Heard[]): string[] => events.map(({ id }) => id)

/** Changes each of ten channels twenty times, several at once. */
const write200 = async (app: TestApp): Promise<string[]> => {
  const channels = await Promise.all(Array.from({ length: 10 }, () => addChannel(app)))
  await Promise.all(
    channels.map(async ({ id }) => {
      for (let round = 1; round < 20; round += 1) await app.put(`/channels/${id}`, { name: `Round ${round}` })
    }),
  )
  return channels.map(({ id }) => id)
}

test('a stream begins now and tells of each change in its order, with the body that webhooks get', async () => {
  const app = await startApp()
  await app.post('/channels', { name: 'Before' })
  const marker = await listenTo(app, 'last_event_id=0')
  await marker.count(1)
  marker.close()
  const stream = await listenTo(app)
  assert.equal(stream.status, 200)
  const { headers } = stream
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.deepEqual([headers['cache-control'], headers['x-accel-buffering']], ['no-store', 'no'])
  const { body: channel } = await app.post('/channels', { name: 'First' })
  await app.put(`/channels/${channel.id}`, { name: 'Second' })
  await app.delete(`/channels/${channel.id}`)
  const events = await stream.count(3)
  assert.deepEqual(
    events.map(({ event, data }) => [event, data.event, data.payload.id, data.payload.name]),
    [
      ['channel.created', 'channel.created', channel.id, 'First'],
      ['channel.changed', 'channel.changed', channel.id, 'Second'],
      ['channel.deleted', 'channel.deleted', channel.id, 'Second'],
    ],
  )
  for (const { data } of events) {
    assert.deepEqual(Object.keys(data), ['id', 'created_on', 'event', 'payload', 'performed_by'])
    assert.match(data.created_on, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
    assert.equal(data.performed_by.user, null)
    assert.equal(typeof data.performed_by.token.id, 'string')
  }
  assert.match(stream.raw(), /^retry: 2000\nid: \d+\n\n/)
  stream.close()
})

for (const version of [1, 2] as const)
  test(`200 writes arrive once, in order of each record and of all (HTTP/${version})`, async () => {
    const app = await startApp()
    const stream = await listenTo(app, '', version === 2 ? { http2: true } : {})
    const channels = await write200(app)
    const events = await stream.count(200)
    assert.deepEqual(idsOf(events), await stored(app))
    for (const id of channels) {
      const names = events.flatMap(({ data }) => (data.payload.id === id ? [data.payload.name] : []))
      assert.deepEqual(
        names.slice(1),
        Array.from({ length: 19 }, (_, index) => `Round ${index + 1}`),
      )
    }
    assert.equal(new Set(events.map(({ data }) => data.id)).size, 200)
    stream.close()
  })

test('a stream that is cut anywhere goes on without a gap or a repeat, while writes go on', async () => {
  const app = await startApp()
  const begin = await listenTo(app)
  const writing = write200(app)
  const [first] = await begin.count(1)
  begin.close()
  const heard = [first!]
  let cuts = 0
  while (heard.length < 200) {
    const byHeader = cuts % 2 === 0
    const after = heard.at(-1)!.id
    const stream = await listenTo(app, byHeader ? '' : `last_event_id=${after}`, byHeader ? { after } : {})
    const wanted = Math.min(1 + Math.floor(Math.random() * 25), 200 - heard.length)
    // What came with the last of them is thrown away with the connection.
    heard.push(...(await stream.count(wanted)).slice(0, wanted))
    stream.close()
    cuts += 1
  }
  await writing
  assert.deepEqual(idsOf(heard), await stored(app))
  assert.ok(cuts >= 8)
})

test('the header goes before the query, which a browser repeats as it was', async () => {
  const app = await startApp()
  await addChannel(app)
  const all = await listenTo(app, 'last_event_id=0')
  const [first] = await all.count(1)
  all.close()
  const stream = await listenTo(app, 'last_event_id=0', { after: first!.id })
  const { id } = await addChannel(app)
  assert.equal((await stream.count(1))[0]!.data.payload.id, id)
  stream.close()
})

test('a connection lost before the first event has its place too', async () => {
  const app = await startApp()
  const stream = await listenTo(app)
  await stream.until(() => stream.lastId() !== '')
  stream.close()
  const { id } = await addChannel(app)
  const again = await listenTo(app, '', { after: stream.lastId() })
  assert.equal((await again.count(1))[0]!.data.payload.id, id)
  again.close()
})

test('a long past is read in pages, whatever the size of its events', async () => {
  const app = await startApp()
  const { context, environment, organisation } = app
  const before = await listenTo(app)
  await before.until(() => before.lastId() !== '')
  before.close()
  await sql`insert into outbox (event_id, organisation_id, environment_id, event, label, record_id, snapshot, performed_by)
    select 'e' || n, ${organisation}, ${environment.id}, 'channel.changed', 'Channel', 'c',
      jsonb_build_object('number', n, 'text', case when n % 100 = 0 then
        (select string_agg(md5(n || '.' || m), '') from generate_series(1, 10000) m) end), '{}'
    from generate_series(1, 2500) n`.execute(context.db)
  const stream = await listenTo(app, '', { after: before.lastId() })
  const events = await stream.count(2500, 30_000)
  assert.deepEqual(
    events.map(({ data }) => data.payload.number),
    Array.from({ length: 2500 }, (_, index) => index + 1),
  )
  assert.equal(events[99]!.data.payload.text.length, 320_000)
  stream.close()
})

test('a rare event is found behind very many numbers of others', async () => {
  const app = await startApp()
  const stream = await listenTo(app)
  await stream.until(() => stream.lastId() !== '')
  stream.close()
  const streams = [await listenTo(app, 'events=tag.created', { after: stream.lastId() }), await listenTo(app)]
  await sql`update event_sequence set last = last + 250000`.execute(app.context.db)
  await addChannel(app)
  const { id } = await addTag(app)
  streams.push(await listenTo(app, 'events=tag.created', { after: stream.lastId() }))
  for (const one of streams) {
    await one.until((all) => all.some(({ data }) => data.payload.id === id))
    one.close()
  }
})

test('nothing is heard of other environments', async () => {
  const app = await startApp()
  const environment = await app.addEnvironment()
  const stream = await listenTo(app)
  await addChannel(app, { environment })
  const { id } = await addChannel(app)
  await addChannel(app, { environment })
  const last = await addChannel(app)
  assert.deepEqual(
    (await stream.count(2)).map(({ data }) => data.payload.id),
    [id, last.id],
  )
  stream.close()
})

test('HEAD has the headers and no body, OPTIONS the methods, and any page may ask', async () => {
  const app = await startApp()
  const head = await app.call('HEAD', '/events', { headers: { origin: 'https://example.org' } })
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(head.headers.get('access-control-allow-origin'), '*')
  assert.equal((await app.call('HEAD', '/events?events=no')).status, 400)
  const options = await app.call('OPTIONS', '/events', { token: null })
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, OPTIONS'])
  assert.match(options.headers.get('access-control-allow-headers')!, /Last-Event-ID/)
  const stream = await listenTo(app, '', { headers: { origin: 'https://example.org' } })
  assert.equal(stream.headers['access-control-allow-origin'], '*')
  stream.close()
})

test('the token may stand in the query, for browsers', async () => {
  const app = await startApp()
  const stream = await listenTo(app, `access_token=${await app.tokenFor([])}`, { token: '' })
  const { id } = await addContainer(app)
  assert.equal((await stream.count(1))[0]!.data.payload.id, id)
  stream.close()
  assert.equal((await listenTo(app, '', { token: '' })).status, 401)
})
