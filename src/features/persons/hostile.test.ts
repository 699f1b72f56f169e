import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startApp } from '../../../test/harness/app.ts'
import { made } from '../../../test/harness/records/kind.ts'
import { PersonBody } from './schema.ts'
import { PersonBodyV5 } from './schema-v5.ts'

const words = [
  ...[
    "'; drop table persons; --",
    '$1',
    '{}',
    '[]',
    'null',
    'NULL',
    'NaN',
    '1e999',
    'a,b',
    '"',
    '\\',
    '%00',
    '',
  ],
  ...[
    'robin@example.org',
    '+31 20 555 0100',
    'NL91ABNA0417164300',
    'NL************4300',
    '2020-02-30',
    '1990-04-23',
  ],
  ...[
    'male',
    'stream',
    '\u0000',
    '\ud800',
    '𝒳',
    ' ',
    'x'.repeat(300),
    '-1',
    '1700000000',
    '2020-01-01T00:00:00Z',
  ],
]
const leaf = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e21, 2 ** 31, 253_402_300_799),
)
const inner = [
  'id',
  'email',
  'verified',
  'phone',
  'street',
  'number',
  'iban',
  'holder',
  'source',
  'provider',
  'body',
]
const item = fc.oneof(
  leaf,
  fc.dictionary(fc.constantFrom(...inner, 'label', 'zork'), leaf, { maxKeys: 4 }),
  fc.array(leaf, { maxLength: 2 }),
)
const value = fc.oneof(
  leaf,
  fc.array(item, { maxLength: 4 }),
  fc.record({ total: leaf, items: fc.oneof(leaf, fc.array(item, { maxLength: 3 })) }),
  item,
)
const bodyOf = (names: string[]) =>
  fc.dictionary(fc.constantFrom(...names, 'zork', 'sessions', 'label'), value, { maxKeys: 6 })

test('whatever is sent is stored or refused by name; what is stored reads back and goes back unchanged', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', {}))
  for (const [url, schema, fields] of [
    ['/persons', PersonBody, 'emails,phones,addresses,terms,accounts,bank_accounts,tags,company,gender'],
    ['/v5/persons', PersonBodyV5, 'email,phone,address,terms,accounts,bank_accounts,tags,company,gender'],
  ] as const) {
    const bodies = bodyOf(Object.keys(schema.properties))
    await fc.assert(
      fc.asyncProperty(bodies, fc.boolean(), async (body, isNew) => {
        const target = isNew ? url : `${url}/${id}`
        const answer = await app.call(isNew ? 'POST' : 'PUT', `${target}?fields=${fields}`, { body })
        assert.ok([200, 201, 400, 409].includes(answer.status), `${answer.status} ${JSON.stringify(body)}`)
        if (answer.status >= 400) assert.ok(answer.body.errors.length > 0)
        if (answer.status >= 400) return
        const one = `${url}/${encodeURIComponent(answer.body.id)}?fields=${fields}`
        const read = await app.get(one)
        assert.deepEqual(read.body, answer.body)
        const back = await app.put(one, read.body)
        assert.equal(back.status, 200, back.text)
        assert.equal(back.headers.get('etag'), read.headers.get('etag'), JSON.stringify(body))
      }),
      { numRuns: 75 },
    )
  }
})

test('texts come back as they were sent', async () => {
  const app = await startApp()
  const odd = [
    '',
    ' ',
    'NULL',
    'null',
    'a,b',
    '{x}',
    '"',
    '\\',
    "'",
    '<script>',
    'é\u0301',
    '𝒳',
    '\t\n',
    '\u202e',
    '$1::text',
  ]
  const body = { custom: odd, biography: odd.join(), first_name: ' Robin ', reference_id: '{"a": 1}' }
  const created = await app.post('/persons?fields=biography,reference_id', body)
  assert.equal(created.status, 201, created.text)
  const { body: read } = await app.get(`/persons/${created.body.id}?fields=biography,reference_id`)
  for (const [name, sent] of Object.entries(body)) assert.deepEqual(read[name], sent, name)
})
