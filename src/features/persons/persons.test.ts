import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addAsset, addTag } from '../../../test/harness/factories.ts'
import type { Loose } from '../../../test/harness/publications.ts'
import { absent, eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { scopes as allScopes } from '../access/scopes.ts'
import { PersonPayload } from './schema.ts'

/** Everything that a body can hold besides secrets, by the names of each generation. */
const whole = {
  reference_id: 'crm-1',
  initials: 'R.',
  first_name: 'Robin',
  preposition: 'Dr.',
  prefix_last_name: 'van der',
  last_name: 'Quayside',
  nickname: 'Rob',
  gender: 'other',
  date_of_birth: '1990-04-23',
  company: 'Harbour FM',
  job_title: 'Keeper of the light',
  description: 'Listens at night',
  biography: 'Born by the sea',
  social_media_handle: '@robin',
  source: 'website',
  exclude_until: '2030-01-01T00:00:00+00:00',
  tracking: false,
  custom: ['red', 'blue'],
}
const names: Record<string, string> = {
  first_name: 'firstname',
  prefix_last_name: 'prefix_lastname',
  last_name: 'lastname',
}
const inV5 = (body: object) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [names[name] ?? name, value]))
const lists = 'emails,phones,addresses,bank_accounts,terms,accounts,tags,sessions,logged_in_from'
const listsV5 = lists.replace('emails', 'email').replace('phones', 'phone').replace('addresses', 'address')
const everything = `?fields=${Object.keys(whole)},${lists},age,profile_photo,two_factor,environment,created_by,updated_by`
const everythingV5 = `?fields=${Object.keys(inV5(whole))},${listsV5},age,picture,two_factor,environment,created_by,updated_by`

const withLists = async (app: TestApp) => ({
  ...whole,
  emails: ['robin@example.org', { email: 'Second@example.org', verified: true }],
  phones: [{ phone: '+31 20 555 0100' }],
  addresses: [{ street: 'Quay', number: 12, postal_code: '1011 AB', city: 'Haven', country: 'NL' }],
  bank_accounts: [{ iban: 'NL91 ABNA 0417 1643 00', holder: 'R. Quayside' }],
  terms: [{ id: 'newsletter', source: 'form' }],
  accounts: [{ provider: 'stream', id: '77' }],
  tags: [{ id: (await addTag(app)).id }, { body: 'Night' }],
  profile_photo: (await addAsset(app)).id,
  created_on: '2020-02-03T04:05:06Z',
  last_seen: 1_700_000_000,
})

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

test('version 5 wants two characters of a name, but takes back a shorter one that is there', async () => {
  const app = await startApp()
  const short = { firstname: 'A', lastname: ' ', nickname: '', gender: 'x' }
  assert.deepEqual(
    [...new Set(faults(await app.post('/v5/persons', short)))],
    ['firstname', 'gender', 'lastname', 'nickname'],
  )
  assert.deepEqual(faults(await app.post('/v5/persons', { firstname: '  ' })), ['firstname'])
  made(await app.post('/v5/persons', { firstname: 'Al', lastname: '𝒳𝒴', nickname: null }))
  const { id } = made(await app.post('/persons', { first_name: 'A', last_name: 'B', nickname: 'C' }))
  const { body } = await app.get(`/v5/persons/${id}`)
  assert.equal((await app.put(`/v5/persons/${id}`, body)).body.changed_on, null)
  const wrong = { firstname: 'Z', lastname: 'B', nickname: '', gender: 'x' }
  assert.deepEqual(faults(await app.put(`/v5/persons/${id}`, wrong)), ['firstname', 'gender', 'nickname'])
  assert.deepEqual(faults(await app.put(`/v5/persons/${id}`, { firstname: '𝒳' })), ['firstname'])
})

test('every wrong field is named, and nothing is written', async () => {
  const app = await startApp()
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const wrong = {
    ...{ reference_id: 7, first_name: ['a'], gender: 'Male', date_of_birth: day, exclude_until: 'soon' },
    ...{ tracking: 'yes', custom: ['a', 1], description: 'x'.repeat(2001), zork: 1, password: 'short' },
    emails: ['nobody', { email: 'a b@example.org' }, { mail: 'x' }, 7],
    phones: { total: 1, items: ['call me', { phone: '+31 20 555 0100', fax: 1 }] },
    addresses: [{ street: 'x'.repeat(201) }, { planet: 'x' }],
    bank_accounts: ['NL91 ABNA 0417 1643 01', { iban: 'XX************4300' }],
    terms: [{ source: 'x' }, 'newsletter'],
    accounts: [{ provider: 'pigeon', id: '1' }, { provider: 'stream' }],
    tags: [{ id: absent }, {}, { body: ' ' }],
    profile_photo: absent,
  }
  const paths = [
    ...['accounts.0.provider', 'accounts.1.id', 'addresses.0.street', 'addresses.1.planet'],
    ...[
      'bank_accounts.0',
      'bank_accounts.1.iban',
      'custom.1',
      'date_of_birth',
      'description',
      'emails.0',
      'emails.1.email',
    ],
    ...['emails.2.email', 'emails.2.mail', 'emails.3', 'exclude_until', 'first_name', 'gender', 'password'],
    ...[
      'phones.items.0',
      'phones.items.1.fax',
      'profile_photo',
      'reference_id',
      'tags.0.id',
      'tags.1',
      'tags.2.body',
    ],
    ...['terms.0.id', 'terms.1', 'tracking', 'zork'],
  ]
  assert.deepEqual([...new Set(faults(await app.post('/persons', wrong)))], paths)
  const { id } = made(await app.post('/persons', { id: 'p-1' }))
  assert.deepEqual([...new Set(faults(await app.put(`/persons/${id}`, wrong)))], paths)
  const v5 = { firstname: 7, email: ['x'], phone: 'x', address: 7, picture: 7, zork: 1, tags: [{ id: 'x' }] }
  const pathsV5 = ['address', 'email.0', 'firstname', 'phone', 'picture', 'tags.0.id', 'zork']
  assert.deepEqual(faults(await app.post('/v5/persons', v5)), pathsV5)
  assert.deepEqual(faults(await app.put(`/v5/persons/${id}`, v5)), pathsV5)
  const beside = { picture: absent, tags: [{ id: absent }], bank_accounts: ['XX*************4300'] }
  assert.deepEqual(faults(await app.post('/v5/persons', beside)), [
    'bank_accounts.0.iban',
    'picture',
    'tags.0.id',
  ])
  for (const body of [[], 'text', 7, null]) faults(await app.post('/persons', body))
  assert.deepEqual(faults(await app.post('/persons', { first_name: 'a\u0000b' })), ['first_name'])
  assert.deepEqual(faults(await app.post('/v5/persons', { email: ['a\ud800@example.org'] })), ['email.0'])
  const { body } = await app.get('/persons')
  assert.deepEqual([body.total, body.items[0].changed_on], [1, null])
})

test('dates of birth are days of the calendar that have come', async () => {
  const app = await startApp()
  for (const good of ['1900-02-28', '2000-02-29', '0099-12-31', new Date().toISOString().slice(0, 10)]) {
    const { body } = await app.post('/persons?fields=date_of_birth', { date_of_birth: good })
    assert.equal(body.date_of_birth, good)
  }
  const bad = [
    '1900-02-29',
    '2001-04-31',
    '90-04-23',
    '1990-4-3',
    '23-04-1990',
    '1990-04-23T00:00:00Z',
    '',
    7,
    '0000-01-01',
  ]
  for (const date_of_birth of bad)
    assert.deepEqual(
      faults(await app.post('/persons', { date_of_birth })),
      ['date_of_birth'],
      String(date_of_birth),
    )
})

test('lists and texts are bounded, and long garbage is refused at once', async () => {
  const app = await startApp()
  const many = (item: (index: number) => unknown, count = 101) =>
    Array.from({ length: count }, (_, i) => item(i))
  const body = {
    emails: many((i) => `a${i}@example.org`),
    phones: { items: many(() => '1') },
    addresses: many(() => ({ city: 'x' })),
    terms: many((i) => ({ id: `t${i}` })),
    accounts: many((i) => ({ provider: 'search', id: `${i}` })),
    bank_accounts: many(() => 'NL91ABNA0417164300'),
    tags: many((i) => ({ body: `t${i}` })),
    custom: many(String, 201),
    first_name: 'x'.repeat(201),
    id: 'x'.repeat(201),
  }
  const { phones: _phones, ...plain } = body
  assert.deepEqual(faults(await app.post('/persons', body)), [...Object.keys(plain), 'phones.items'].sort())
  const digits = `${'1'.repeat(1_000_000)}z`
  const before = performance.now()
  const garbage = {
    phones: [digits],
    bank_accounts: [digits],
    emails: [digits],
    id: digits,
    date_of_birth: digits,
  }
  assert.equal((await app.post('/persons', garbage)).status, 400)
  assert.ok(performance.now() - before < 2000)
  assert.equal((await app.get('/persons')).body.total, 0)
})

test('a caller may give the id; a taken one, or a taken reference, is 409', async () => {
  const app = await startApp()
  for (const id of ['1024', 'a.b~c_d-e', 'urn:listener:7', 'a@b|c=d+e', 'x'.repeat(200)]) {
    const created = await app.post('/persons', { id })
    assert.deepEqual([created.status, created.body.id], [201, id])
    assert.equal((await app.get(created.headers.get('location')!)).body.id, id)
    assert.equal((await app.put(`/v5/persons/${encodeURIComponent(id)}`, { firstname: 'Robin' })).status, 200)
  }
  for (const id of [
    '',
    ' ',
    'a b',
    'a/b',
    '../x',
    '.',
    '-a',
    'é',
    'a%2f',
    'session',
    'Imports',
    'a?b',
    7,
    {},
    null,
  ])
    assert.deepEqual([...new Set(faults(await app.post('/v5/persons', { id })))], ['id'], String(id))
  assert.deepEqual(faults(await app.post('/v5/persons', { id: '1024' }), 409), ['id'])
  const { id } = made(await app.post('/persons', { reference_id: 'crm-1' }))
  assert.deepEqual(faults(await app.post('/v5/persons', { reference_id: 'crm-1' }), 409), ['reference_id'])
  assert.deepEqual(faults(await app.put('/persons/1024', { reference_id: 'crm-1' }), 409), ['reference_id'])
  assert.equal((await app.put(`/persons/${id}`, { id: 'other', reference_id: 'crm-1' })).body.id, id)
  const elsewhere = await app.addToken({ environment: await app.addEnvironment() })
  made(await app.post('/persons', { id: '1024', reference_id: 'crm-1' }, { token: elsewhere.value }))
})

test('of many who give the same id or reference at once one makes the person', async () => {
  const app = await startApp()
  for (const body of [{ id: 'same' }, { reference_id: 'same' }]) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.post('/persons', body)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)])
  }
  assert.equal((await app.get('/persons')).body.total, 2)
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

test('JSON, urlencoded and multipart bodies make the same person', async () => {
  const form: [string, string][] = [
    ['first_name', 'Robin'],
    ['company', ''],
    ['tracking', 'false'],
    ['custom[]', 'a'],
    ['custom[]', 'b'],
    ['emails[0]', 'robin@example.org'],
    ['emails[1][email]', 'other@example.org'],
    ['emails[1][verified]', 'true'],
    ['phones[]', '+31 20 555 0100'],
    ['addresses[0][number]', '12'],
    ['terms[0][id]', 'newsletter'],
    ['exclude_until', '1900000000'],
  ]
  const json = {
    ...{ first_name: 'Robin', company: null, tracking: false, custom: ['a', 'b'] },
    emails: ['robin@example.org', { email: 'other@example.org', verified: true }],
    ...{ phones: ['+31 20 555 0100'], addresses: [{ number: 12 }], terms: [{ id: 'newsletter' }] },
    exclude_until: 1_900_000_000,
  }
  const fields = new FormData()
  for (const [name, value] of form) fields.append(name, value)
  const multipart = new Response(fields)
  const calls = [
    { body: json },
    {
      raw: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    {
      raw: Buffer.from(await multipart.arrayBuffer()),
      headers: { 'content-type': multipart.headers.get('content-type')! },
    },
  ]
  const app = await startApp()
  const bodies = []
  for (const call of calls) {
    const answer = await app.call('POST', `/persons${everything}`, call)
    assert.equal(answer.status, 201, answer.text)
    bodies.push(answer.text.replace(/"(id|created_on)":"[^"]*"/g, ''))
  }
  assert.deepEqual(bodies[1], bodies[0])
  assert.deepEqual(bodies[2], bodies[0])
  assert.match(bodies[0]!, /"number":"12"/)
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
