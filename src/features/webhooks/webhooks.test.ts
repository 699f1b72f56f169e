import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addModel, addTag } from '../../../test/harness/factories.ts'
import { nowhere, registerWebhook } from '../../../test/harness/planned.ts'
import { absent, eventsOf, faults } from '../../../test/harness/records/kind.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
const start = () => startApp({}, { log })

const storedOf = async (app: TestApp, id: string) => {
  const { rows } = await sql<{ row: string; told: string }>`select webhooks::text as row,
    (select coalesce(string_agg(one::text, ''), '') from outbox as one where record_id = ${id}) ||
    (select coalesce(string_agg(one::text, ''), '') from events as one where record_id = ${id}) as told
    from webhooks where id = ${id}`.execute(app.context.db)
  return rows[0]!
}

test('a webhook is made, read, listed, changed and deleted', async () => {
  const app = await start()
  const sent = {
    url: nowhere,
    events: ['publication.updated', 'publication.changed', 'publication.deleted'],
    filter: { status: [{ eq: 'Done' }], locale: 'nl-NL', or: [{ tags: { has: true } }, { q: 'music' }] },
    headers: { 'X-Api-Key': 'very-secret-value' },
    active: false,
  }
  const { secret, ...created } = (await app.post('/webhooks', sent)).body
  assert.match(secret, /^whsec_[\w+/]{43}=$/)
  const { id, created_on, ...rest } = created
  assert.deepEqual(rest, {
    changed_on: null,
    label: 'Webhook',
    ...sent,
    headers: { 'X-Api-Key': '********' },
    previous_secret_until: null,
    failing_since: null,
    switched_off: null,
  })
  assert.ok(id && created_on)
  assert.deepEqual((await app.get(`/webhooks/${id}`)).body, created)
  assert.deepEqual((await app.get('/webhooks')).body.items, [created])
  const changed = await app.put(`/webhooks/${id}`, {
    events: ['channel.created'],
    filter: null,
    active: true,
  })
  assert.deepEqual(
    [changed.status, changed.body.events, changed.body.filter, changed.body.active, changed.body.headers],
    [200, ['channel.created'], null, true, created.headers],
  )
  assert.equal((await app.delete(`/webhooks/${id}`)).status, 204)
  assert.equal((await app.get(`/webhooks/${id}`)).status, 404)
  assert.deepEqual(await eventsOf(app, id), ['webhook.created', 'webhook.changed', 'webhook.deleted'])
})

test('what was read can be sent back and changes nothing', async () => {
  const app = await start()
  const filter = { tags: [{ param: 'slug', in: ['a', 'b'] }] }
  const { id } = await registerWebhook(app, { filter, headers: { 'X-One': '1', 'X-Two': '2' } })
  const read = await app.get(`/webhooks/${id}`)
  const again = await app.put(`/webhooks/${id}`, read.body)
  assert.deepEqual([again.status, again.body], [200, read.body])
  assert.deepEqual(await eventsOf(app, id), ['webhook.created'])
})

test('a form says the same as JSON', async () => {
  const app = await start()
  const form = new URLSearchParams([
    ['url', nowhere],
    ['events[]', 'publication.created'],
    ['events[]', 'publication.published'],
    ['filter[status][0][eq]', 'Done'],
    ['headers[X-Key]', 'k'],
    ['active', 'false'],
  ])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, body } = await app.call('POST', '/webhooks', { raw: form.toString(), headers })
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual(
    [body.events, body.filter, body.headers, body.active],
    [
      ['publication.created', 'publication.published'],
      { status: [{ eq: 'Done' }] },
      { 'X-Key': '********' },
      false,
    ],
  )
})

test('every wrong field is named, whichever part finds it', async () => {
  const app = await start()
  assert.deepEqual(faults(await app.post('/webhooks', {})), ['events', 'url'])
  const wrong = {
    url: 'ftp://a.example/x',
    events: ['publication.updated', 'token.created', 'toString'],
    filter: { colour: { eq: 1 }, status: { lt: 'Done' }, slug: { eq: 'a' } },
    headers: { Host: 'x', 'webhook-id': 'y', 'X-Masked': '********', 'x-twice': '1', 'X-Twice': '2' },
    active: 'yes',
    secret: 'mine',
  }
  assert.deepEqual(faults(await app.post('/webhooks', wrong)), [
    'active',
    'events.1',
    'events.2',
    'filter.colour',
    'filter.slug.eq',
    'filter.status.lt',
    'headers.Host',
    'headers.X-Masked',
    'headers.X-Twice',
    'headers.webhook-id',
    'secret',
    'url',
  ])
  const { id } = await registerWebhook(app)
  assert.ok(faults(await app.put(`/webhooks/${id}`, wrong)).length === 12)
  for (const [body, paths] of [
    [{ url: 'https://user:pass@a.example' }, ['url']],
    [{ url: '//a.example' }, ['url']],
    [{ url: null }, ['url']],
    [{ events: [] }, ['events']],
    [{ events: ['publication.created', 'publication.created'] }, ['events']],
    [{ events: 'publication.created' }, ['events']],
    [{ filter: 'status' }, ['filter']],
    [{ filter: { locale: 'xx-XX' } }, ['filter.locale']],
    [{ filter: { locale: ['nl-NL'] } }, ['filter.locale']],
    [{ filter: { 'items.en-US.price': { gt: 1 } } }, ['filter.items.en-US.price.gt']],
    [{ filter: { at: '2026-01-01' } }, ['filter.at']],
    [{ filter: { or: [{}] } }, ['filter.or.0']],
    [{ headers: { 'X-A': 1 } }, ['headers.X-A']],
    [{ headers: { 'X-A': 'a\r\nX-B: b' } }, ['headers.X-A']],
    [{ headers: { 'X A': 'a' } }, ['headers.X A']],
  ] as const) {
    assert.deepEqual(faults(await app.put(`/webhooks/${id}`, body)), paths, JSON.stringify(body))
    const whole = { url: nowhere, events: ['publication.updated'], ...body }
    assert.deepEqual(faults(await app.post('/webhooks', whole)), paths, JSON.stringify(body))
  }
  assert.deepEqual(await eventsOf(app, id), ['webhook.created'])
})

test('a filter is only for events of publications, also when only one of both is sent', async () => {
  const app = await start()
  const filter = { status: [{ eq: 'Done' }] }
  const events = ['publication.created', 'tag.created']
  assert.deepEqual(faults(await app.post('/webhooks', { url: nowhere, events, filter })), ['filter'])
  const filtered = await registerWebhook(app, { filter })
  assert.deepEqual(faults(await app.put(`/webhooks/${filtered.id}`, { events })), ['filter'])
  const plain = await registerWebhook(app, { events })
  assert.deepEqual(faults(await app.put(`/webhooks/${plain.id}`, { filter })), ['filter'])
  assert.equal(
    (await app.put(`/webhooks/${plain.id}`, { filter, events: ['publication.created'] })).status,
    200,
  )
})

test('a filter takes whatever the list takes', async () => {
  const app = await start()
  const fields = [{ api_id: 'price', label: 'Float' as const, filterable: true }]
  const model = await addModel(app, { fields })
  for (const filter of [
    {},
    { q: 'music' },
    { title: { fz: 'a' } },
    { locale: 'en-US', slug: { sw: 'a' } },
    { items: { 'en-US': { price: { gte: 5 } } }, model: { id: model.id } },
    { model: { eq: model.id }, 'items.nl-NL.price': [{ lt: 5 }, { gt: 1 }] },
    { created_on: [{ lt: '2026-01-01' }], published: { eq: true } },
    { or: [{ tags: { all: 'a,b' } }, { channels: { param: 'slug', eq: 'x' } }] },
  ])
    assert.deepEqual((await registerWebhook(app, { filter })).filter, filter)
})

test('the secret and what headers hold are shown nowhere again', async () => {
  const app = await start()
  const { id, secret } = await registerWebhook(app, { headers: { 'X-Api-Key': 'plainly-told-to-nobody' } })
  const rotated = await app.post(`/webhooks/${id}/rotate_secret`)
  assert.equal(rotated.status, 200)
  await app.put(`/webhooks/${id}`, { headers: { 'X-Api-Key': 'another-told-to-nobody' } })
  const { row, told } = await storedOf(app, id)
  const shown = [
    (await app.get(`/webhooks/${id}`)).text,
    (await app.get('/webhooks')).text,
    (await app.get('/audit')).text,
    row,
    told,
    lines.join(''),
  ]
  assert.match(told, /webhook\.changed/)
  for (const text of shown)
    for (const hidden of [secret, rotated.body.secret, 'plainly-told-to-nobody', 'another-told-to-nobody'])
      assert.ok(!text.includes(hidden) && !text.includes(hidden.slice(6, 40)), text.slice(0, 200))
})

test('a masked value keeps what it stands for, and the rest is replaced', async () => {
  const app = await start()
  const { id } = await registerWebhook(app, { headers: { 'X-One': 'first', 'X-Two': 'second' } })
  const headersOf = async () => {
    const { rows } = await sql<{ headers: Record<string, string> }>`select headers from webhooks
      where id = ${id}`.execute(app.context.db)
    const open = ([name, sealed]: [string, string]) => [name, app.context.keys.decrypt(sealed)]
    return Object.fromEntries(Object.entries(rows[0]!.headers).map(open))
  }
  await app.put(`/webhooks/${id}`, { headers: { 'X-One': '********', 'X-Three': 'third' } })
  assert.deepEqual(await headersOf(), { 'X-One': 'first', 'X-Three': 'third' })
  assert.deepEqual((await app.put(`/webhooks/${id}`, { headers: null })).body.headers, {})
  assert.deepEqual(await headersOf(), {})
})

test('a new secret replaces the old one, which goes on for a day', async () => {
  const app = await start()
  const { id, secret } = await registerWebhook(app)
  const key = { headers: { 'idempotency-key': 'rotate-1' } }
  const { body } = await app.post(`/webhooks/${id}/rotate_secret`, undefined, key)
  assert.notEqual(body.secret, secret)
  const { rows } = await sql<{ secret: string; previous_secret: string; hours: number }>`select secret,
    previous_secret, extract(epoch from previous_secret_until - now()) / 3600 as hours
    from webhooks where id = ${id}`.execute(app.context.db)
  const open = app.context.keys.decrypt
  assert.deepEqual([open(rows[0]!.secret), open(rows[0]!.previous_secret)], [body.secret, secret])
  assert.ok(rows[0]!.hours > 23.9 && rows[0]!.hours <= 24)
  assert.ok(body.previous_secret_until)
  const repeat = await app.post(`/webhooks/${id}/rotate_secret`, undefined, key)
  assert.deepEqual([repeat.status, repeat.body.secret], [200, undefined])
  assert.deepEqual(await eventsOf(app, id), ['webhook.created', 'webhook.changed'])
})

test('a repeated creation makes one webhook and tells its secret once', async () => {
  const app = await start()
  const body = { url: nowhere, events: ['tag.created'] }
  const key = { headers: { 'idempotency-key': 'create-1' } }
  const [first, second] = [await app.post('/webhooks', body, key), await app.post('/webhooks', body, key)]
  assert.equal(first.body.id, second.body.id)
  assert.deepEqual([typeof first.body.secret, second.body.secret], ['string', undefined])
  assert.equal((await app.get('/webhooks')).body.total, 1)
})

test('switching on again forgets why it was off', async () => {
  const app = await start()
  const { id } = await registerWebhook(app)
  await sql`update webhooks set active = false, failing_since = now(),
    switched_off = '{"on": "2026-11-01T09:30:00+00:00", "reason": "410"}' where id = ${id}`.execute(
    app.context.db,
  )
  const off = (await app.get(`/webhooks/${id}`)).body
  assert.deepEqual(off.switched_off, { on: '2026-11-01T09:30:00+00:00', reason: '410' })
  assert.equal((await app.get('/webhooks?failing_since[has]=true&active[eq]=false')).body.total, 1)
  const same = await app.put(`/webhooks/${id}`, { ...off, url: `${nowhere}/2`, active: false })
  assert.notEqual(same.body.switched_off, null)
  const { body } = await app.put(`/webhooks/${id}`, { active: true })
  assert.deepEqual([body.active, body.failing_since, body.switched_off], [true, null, null])
})

test('webhooks of another environment are not there', async () => {
  const app = await start()
  const other = await app.addEnvironment()
  const { value: token } = await app.addToken({ environment: other })
  const { id } = await registerWebhook(app)
  const missing = await app.get(`/webhooks/${absent}`, { token })
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PUT', '', { active: false }],
    ['DELETE', '', undefined],
    ['POST', '/rotate_secret', undefined],
  ] as const) {
    const answer = await app.call(method, `/webhooks/${id}${path}`, { token, ...(body && { body }) })
    assert.equal(answer.status, 404, `${method} ${path}`)
    assert.equal(answer.body.message, missing.body.message)
  }
  assert.equal((await app.get('/webhooks', { token })).body.total, 0)
  const theirs = await addTag(app, { environment: other, body: 'Theirs' })
  const filter = { tags: [{ eq: theirs.id }] }
  assert.deepEqual((await registerWebhook(app, { filter })).filter, filter)
})

test('nobody registers for what the token could not read', async () => {
  const app = await start()
  const scopes = ['webhooks', 'webhooks_publish']
  const body = { url: nowhere, events: ['tag.created'] }
  assert.equal((await app.post('/webhooks', body, { scopes: ['webhooks'] })).status, 403)
  assert.equal((await app.post('/webhooks', body, { scopes })).status, 201)
  const persons = { ...body, events: ['tag.created', 'person.created'] }
  const refused = await app.post('/webhooks', persons, { scopes })
  assert.equal(refused.status, 403)
  assert.match(refused.headers.get('www-authenticate')!, /persons/)
  const { id } = (await app.post('/webhooks', persons, { scopes: [...scopes, 'persons'] })).body
  assert.equal((await app.put(`/webhooks/${id}`, { url: `${nowhere}/2` }, { scopes })).status, 403)
  assert.equal((await app.post(`/webhooks/${id}/rotate_secret`, undefined, { scopes })).status, 403)
  const { value: token } = await app.addToken({ visibility: 'published' })
  const unseen = await app.post('/webhooks', body, { token })
  assert.deepEqual([unseen.status, unseen.body.type], [403, 'PublishedOnly'])
})

test('webhooks are found by address and state, and two writers do not overwrite each other', async () => {
  const app = await start()
  const one = await registerWebhook(app, { url: 'https://one.invalid/a' })
  const two = await registerWebhook(app, { url: 'https://two.invalid/b', active: false })
  for (const [query, expected] of [
    ['q=two', [two.id]],
    ['url[sw]=https://one', [one.id]],
    ['active[eq]=false', [two.id]],
    ['failing_since[has]=false', [one.id, two.id]],
    [`id[in]=${one.id},${absent}`, [one.id]],
  ] as const) {
    const { body } = await app.get(`/webhooks?sort=url&${query}`)
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id),
      expected,
      query,
    )
  }
  const { headers } = await app.get(`/webhooks/${one.id}`)
  const match = { headers: { 'if-match': headers.get('etag')! } }
  assert.equal((await app.put(`/webhooks/${one.id}`, { active: false }, match)).status, 200)
  assert.equal((await app.put(`/webhooks/${one.id}`, { active: true }, match)).status, 412)
  assert.equal((await app.delete(`/webhooks/${one.id}`, match)).status, 412)
})
