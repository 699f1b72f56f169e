import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { everything } from '../../../test/harness/persons.ts'
import { absent, faults, made } from '../../../test/harness/records/kind.ts'

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
