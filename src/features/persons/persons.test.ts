import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addTag } from '../../../test/harness/factories.ts'
import { everything, everythingV5, inV5, whole, withLists } from '../../../test/harness/persons.ts'
import type { Loose } from '../../../test/harness/publications.ts'
import { absent, eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { scopes as allScopes } from '../access/scopes.ts'
import { PersonPayload } from './schema.ts'

test('what one generation stores the other reads and changes, by its own names', async () => {
  const app = await startApp()
  const first = made(await app.post('/persons', whole))
  const { body: read } = await app.get(`/v5/persons/${first.id}${everythingV5}`)
  for (const [name, value] of Object.entries(inV5(whole))) assert.deepEqual(read[name], value, name)

  const changed = await app.put(`/v5/persons/${first.id}`, { firstname: 'Rowan', custom: [], company: null })
  assert.equal(changed.status, 200, changed.text)
  const { body: back } = await app.get(`/persons/${first.id}${everything}`)
  assert.deepEqual([back.first_name, back.custom, back.company], ['Rowan', [], null])
  assert.equal(back.last_name, whole.last_name)

  const second = made(await app.post('/v5/persons', inV5({ ...whole, reference_id: 'crm-2' })))
  const { body: other } = await app.get(`/persons/${second.id}${everything}`)
  for (const [name, value] of Object.entries({ ...whole, reference_id: 'crm-2' }))
    assert.deepEqual(other[name], value, name)
  assert.equal((await app.put(`/persons/${second.id}`, { tracking: true })).status, 200)
  assert.equal((await app.get(`/v5/persons/${second.id}`)).body.tracking, true)

  for (const [url, other, { id }] of [
    ['/persons', '/v5/persons', first],
    ['/v5/persons', '/persons', second],
  ] as const) {
    assert.equal((await app.delete(`${other}/${id}`)).status, 204)
    assert.equal((await app.get(`${url}/${id}`)).status, 404)
  }
})

test('the base bodies are those of the specification, with custom', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', {}))
  const base = ['id', 'created_on', 'changed_on', 'label', 'last_seen']
  const { body } = await app.get(`/persons/${id}`)
  assert.deepEqual(Object.keys(body), [
    ...base,
    ...['initials', 'first_name', 'last_name', 'nickname', 'exclude_until', 'source', 'custom'],
  ])
  const { body: v5 } = await app.get(`/v5/persons/${id}`)
  assert.deepEqual(Object.keys(v5), [
    ...base,
    ...[
      'preposition',
      'initials',
      'firstname',
      'prefix_lastname',
      'lastname',
      'nickname',
      'tracking',
      'custom',
    ],
  ])
  assert.deepEqual([body.label, body.last_seen, v5.tracking, v5.custom], ['Person', null, true, []])
})

test('sending back what GET returned changes nothing and tells nobody, in both generations', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', await withLists(app)))
  for (const url of [`/persons/${id}${everything}`, `/v5/persons/${id}${everythingV5}`]) {
    const read = await app.get(url)
    assert.equal(read.status, 200, read.text)
    const again = await app.put(url, read.body)
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(again.body, read.body)
    assert.equal(again.headers.get('etag'), read.headers.get('etag'))
  }
  assert.deepEqual(await eventsOf(app, id), ['person.created'])
})

test('moments that were read come back to the millisecond that was stored', async () => {
  const app = await startApp()
  const sent = { created_on: '2020-02-03T04:05:06.789Z', exclude_until: '2031-01-01T00:00:00.123Z' }
  const { id } = made(await app.post('/persons', { ...sent, last_seen: '2021-01-01T00:00:00.456Z' }))
  const { body } = await app.get(`/persons/${id}`)
  assert.equal(body.created_on, '2020-02-03T04:05:06+00:00')
  assert.equal((await app.put(`/persons/${id}`, body)).body.changed_on, null)
  assert.equal((await app.get(`/persons?created_on[eq]=${sent.created_on}`)).body.total, 1)
})

test('last_seen moves forward only, and created_on where it is sent', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', { last_seen: '2024-05-05T00:00:00Z' }))
  const put = async (body: object) => (await app.put(`/persons/${id}`, body)).body
  assert.equal((await put({ last_seen: '2023-01-01' })).last_seen, '2024-05-05T00:00:00+00:00')
  assert.equal((await put({ last_seen: null })).last_seen, '2024-05-05T00:00:00+00:00')
  assert.equal((await put({ last_seen: '2025-01-01' })).last_seen, '2025-01-01T00:00:00+00:00')
  assert.equal((await app.get(`/v5/persons/${id}`)).body.last_seen, '2025-01-01T00:00:00+00:00')
  assert.equal((await put({ created_on: '2019-01-01' })).created_on, '2019-01-01T00:00:00+00:00')
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const wrong = { created_on: soon, last_seen: soon, gender: 'none' }
  assert.deepEqual(faults(await app.put(`/persons/${id}`, wrong)), ['created_on', 'gender', 'last_seen'])
  assert.deepEqual(faults(await app.post('/persons', { created_on: soon })), ['created_on'])
})

test('null and blank clear a text, an empty list and null clear a list, what is not sent stays', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', await withLists(app)))
  const cleared = { nickname: '  ', company: '', source: null, emails: [], phones: null, custom: null }
  const { body } = await app.put(`/persons/${id}${everything}`, {
    ...cleared,
    ...{ tags: [], terms: null, gender: null, date_of_birth: null, profile_photo: null, exclude_until: null },
  })
  for (const name of ['nickname', 'company', 'source', 'gender', 'date_of_birth', 'age', 'profile_photo'])
    assert.equal(body[name], null, name)
  for (const name of ['emails', 'phones', 'tags', 'terms'])
    assert.deepEqual(body[name], { total: 0, items: [] }, name)
  assert.deepEqual([body.custom, body.exclude_until], [[], null])
  assert.deepEqual([body.first_name, body.addresses.total], ['Robin', 1])
})

test('changes that come together are all kept', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', {}))
  const parts = Object.entries(whole)
  const answers = await Promise.all(
    parts.map(([name, value]) => app.put(`/persons/${id}`, { [name]: value })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { body, headers } = await app.get(`/persons/${id}${everything}`)
  for (const [name, value] of parts) assert.deepEqual(body[name], value, name)
  assert.match(headers.get('etag')!, new RegExp(`^"${parts.length + 1}-`))
})

test('events carry the person as they are documented to, and nothing more', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', { ...(await withLists(app)), password: 'correct horse' }))
  await app.put(`/v5/persons/${id}`, { firstname: 'Rowan' })
  const told = await app.sql<{ event: string; snapshot: Loose }[]>`select event, snapshot from (
      select event, snapshot, 1 as part, id as place from outbox where record_id = ${id}
      union all select event, snapshot, 0, sequence from events where record_id = ${id}) as told
    order by part, place`
  assert.deepEqual(
    told.map(({ event, snapshot }) => [event, snapshot.first_name]),
    [
      ['person.created', 'Robin'],
      ['person.changed', 'Rowan'],
    ],
  )
  for (const { snapshot } of told) {
    assert.deepEqual(Object.keys(snapshot).sort(), Object.keys(PersonPayload.properties).sort())
    assert.deepEqual([snapshot.emails.total, snapshot.tags.total, snapshot.gender], [2, 2, 'other'])
    assert.ok(!/4300|argon2|bank|password/.test(JSON.stringify(snapshot)))
  }
})

test('each call needs its scopes; the two spellings stand for each other', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', {}))
  for (const generation of ['', '/v5'])
    for (const [method, path, write] of [
      ['GET', '/persons', false],
      ['GET', `/persons/${id}`, false],
      ['POST', '/persons', true],
      ['PUT', `/persons/${id}`, true],
    ] as const) {
      const call = (scopes: readonly string[]) =>
        app.call(method, generation + path, { scopes, ...(write && { body: {} }) })
      const without = (...missing: string[]) => call(allScopes.filter((scope) => !missing.includes(scope)))
      assert.equal((await without('persons')).status, 403)
      if (write) assert.equal((await without('person_publish', 'persons_publish')).status, 403)
      for (const scope of ['person_publish', 'persons_publish'])
        assert.ok((await call(['persons', scope])).status < 300)
    }
})

test('a person of another environment is answered as an absent one', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', { first_name: 'Ours' }))
  const stranger = await app.addToken({ environment: await app.addEnvironment() })
  const tag = await addTag(app)
  for (const generation of ['', '/v5'])
    for (const [method, body] of [['GET'], ['PUT', {}], ['PUT', { gender: 'x' }]] as const) {
      const answers = []
      for (const one of [id, absent]) {
        const { status, body: answer } = await app.call(method, `${generation}/persons/${one}`, {
          token: stranger.value,
          body,
        })
        answers.push({ ...answer, status, dbtrace: '' })
      }
      assert.deepEqual(answers[0], answers[1])
      assert.ok([404, 400].includes(answers[0]!.status))
    }
  const theirs = await app.post('/persons', { tags: [{ id: tag.id }] }, { token: stranger.value })
  assert.deepEqual(faults(theirs), ['tags.0.id'])
})

test('a stale If-Match is 412, a known body 304, a repeated Idempotency-Key one person', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', {}))
  const read = await app.get(`/v5/persons/${id}`)
  const etag = read.headers.get('etag')!
  assert.equal((await app.get(`/v5/persons/${id}`, { headers: { 'if-none-match': etag } })).status, 304)
  const match = { headers: { 'if-match': etag } }
  assert.equal((await app.put(`/persons/${id}`, { first_name: 'One' }, match)).status, 200)
  assert.equal((await app.put(`/v5/persons/${id}`, { firstname: 'Two' }, match)).status, 412)
  const post = (body: object) => app.post('/persons', body, { headers: { 'idempotency-key': 'k' } })
  const answers = await Promise.all(Array.from({ length: 10 }, () => post({ nickname: 'Once' })))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.deepEqual(faults(await post({ nickname: 'Twice' }), 409), ['Idempotency-Key'])
  assert.equal((await app.get('/persons')).body.total, 2)
})
