import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addModel } from '../../../test/harness/factories.ts'
import { faults, made } from '../../../test/harness/records/kind.ts'

const plain = {
  title: null,
  description: null,
  required: false,
  localized: true,
  filterable: false,
  validations: {},
  default: null,
}

const switched = [
  'Color',
  'DateTime',
  'DateTimeRange',
  'Boolean',
  'Integer',
  'Float',
  'Number',
  'Coordinates',
]
const switchable = ['Text', 'Quote', 'Resource', 'CardItem']
const never = [
  ...['MicroblogPost', 'PhotoSocialPost', 'VideoSitePost', 'SocialNetworkPost', 'VideoHostPost'],
  ...['AudioHostPost', 'MusicPlaylist', 'QuizPost', 'BroadcasterPost', 'BusinessHours', 'ElementBox'],
  ...['Publication', 'Asset', 'Person', 'TagBox'],
]

test('a model may have a field of every label, in the order it was sent; each gets its defaults', async () => {
  const app = await startApp()
  const labels = [...never, ...switched, ...switchable]
  const fields = labels.map((label, index) => ({ api_id: `f${index}`, label }))
  const created = await app.post('/publication_models?fields=fields', { body: 'All', fields })
  made(created)
  assert.deepEqual(
    created.body.fields,
    fields.map((field) => ({ ...plain, ...field, filterable: switched.includes(field.label) })),
  )
  const order = fields.toReversed()
  const url = `/publication_models/${created.body.id}?fields=fields{api_id,label}`
  assert.deepEqual((await app.put(url, { fields: order })).body.fields, order)
  assert.deepEqual((await app.get(url)).body.fields, order)
  assert.equal((await app.put(url, { body: 'Other' })).body.fields.length, 27)
  assert.deepEqual((await app.put(url, { fields: null })).body.fields, [])
})

test('a Tag is a TagBox, and only fields with a main value can be filtered by', async () => {
  const app = await startApp()
  const asked = '/publication_models?fields=fields{label,filterable}'
  const send = (label: string) =>
    app.post(asked, { body: label, fields: [{ api_id: 'a', label, filterable: true }] })
  assert.equal(
    (await app.post(asked, { body: 'a', fields: [{ api_id: 'a', label: 'Tag' }] })).body.fields[0].label,
    'TagBox',
  )
  for (const label of [...never, 'Tag']) assert.deepEqual(faults(await send(label)), ['fields.0.filterable'])
  for (const label of [...switched, ...switchable])
    assert.deepEqual((await send(label)).body.fields, [{ label, filterable: true }])
})

test('each label takes its own validations and no others', async () => {
  const app = await startApp()
  const { id } = await addModel(app)
  const text = ['min_length', 'max_length', 'pattern', 'values']
  const range = ['min', 'max', 'values']
  const count = ['min_items', 'max_items']
  const taken: Record<string, string[]> = {
    Text: text,
    Quote: text,
    Resource: text,
    Color: ['values'],
    Integer: range,
    Float: range,
    Number: range,
    DateTime: ['min', 'max'],
    DateTimeRange: ['min', 'max'],
    Publication: [...count, 'models'],
    Asset: count,
    Person: count,
    TagBox: count,
    ElementBox: count,
  }
  const values: Record<string, unknown[]> = {
    Resource: ['Audio'],
    Color: ['#ff8800'],
    Text: ['a'],
    Quote: ['a'],
  }
  for (const label of [...never, ...switched, ...switchable]) {
    const validations = {
      min_length: 1,
      max_length: 2,
      pattern: 'a',
      values: values[label] ?? [7],
      min: 1,
      max: 2,
      min_items: 1,
      max_items: 2,
      models: [id],
    }
    const names = taken[label] ?? []
    const refused = Object.keys(validations).filter((name) => !names.includes(name))
    const answer = await app.post('/publication_models', {
      body: label,
      fields: [{ api_id: 'a', label, validations }],
    })
    assert.deepEqual(faults(answer), refused.map((name) => `fields.0.validations.${name}`).sort(), label)
    const right = Object.fromEntries(Object.entries(validations).filter(([name]) => names.includes(name)))
    const sent = { body: label, fields: [{ api_id: 'a', label, validations: right }] }
    const kept = await app.post('/publication_models?fields=fields', sent)
    made(kept)
    assert.deepEqual(Object.keys(kept.body.fields[0].validations).sort(), names.toSorted(), label)
  }
})

test('bounds that contradict each other and values of the wrong kind are named', async () => {
  const app = await startApp()
  for (const [label, validations, paths] of [
    ['Text', { min_length: 3, max_length: 2 }, ['min_length']],
    ['Text', { max_length: 1.5, pattern: 7, values: [] }, ['max_length', 'pattern', 'values']],
    ['Text', { pattern: 'a'.repeat(501) }, ['pattern']],
    ['Text', { pattern: '(a)\\1' }, ['pattern']],
    ['Text', { pattern: '(?=a)b' }, ['pattern']],
    ['Text', { pattern: '((a{1,100}){1,9}b){1,9}' }, ['pattern']],
    ['Text', { values: [true] }, ['values.0']],
    ['Quote', { min_length: 2_147_483_648 }, ['min_length']],
    ['Color', { values: ['#ff8800', 'red'] }, ['values.1']],
    ['Resource', { values: ['Audio', 'Song'] }, ['values.1']],
    ['Integer', { min: 3, max: 2 }, ['min']],
    ['Integer', { min: 0.5, max: 'many', values: [1, 1.5] }, ['max', 'min', 'values.1']],
    ['Float', { min: 1.5, max: 1.25 }, ['min']],
    ['Number', { min: '2026-01-01' }, ['min']],
    ['DateTime', { min: '2026-02-30', max: 'later' }, ['max', 'min']],
    ['DateTime', { min: '2026-02-02', max: '2026-02-01' }, ['min']],
    ['DateTimeRange', { min: '2026-02-01T10:00:00+02:00', max: '2026-02-01T07:00:00Z' }, ['min']],
    ['Asset', { min_items: 2, max_items: 1 }, ['min_items']],
    ['Publication', { models: 'all', max_items: '2' }, ['max_items', 'models']],
  ] as const) {
    const body = {
      body: 'Wrong',
      fields: [
        { api_id: 'a', label: 'Text' },
        { api_id: 'b', label, validations },
      ],
    }
    const expected = paths.map((path) => `fields.1.validations.${path}`)
    assert.deepEqual([...new Set(faults(await app.post('/publication_models', body)))], expected, label)
  }
  assert.equal((await app.get('/publication_models')).body.total, 0)
})

test('bounds are kept in their own type, and null takes one away', async () => {
  const app = await startApp()
  const send = async (label: string, validations: object) => {
    const sent = { body: 'a', fields: [{ api_id: 'a', label, validations }] }
    return (await app.post('/publication_models?fields=fields', sent)).body.fields[0].validations
  }
  assert.deepEqual(await send('Integer', { min: '-5', max: 5, values: ['1', 2] }), {
    min: -5,
    max: 5,
    values: [1, 2],
  })
  assert.deepEqual(await send('Text', { values: [1, 'b'], pattern: null }), { values: ['1', 'b'] })
  assert.deepEqual(await send('DateTime', { min: 0, max: '2026-01-01' }), {
    min: '1970-01-01T00:00:00.000Z',
    max: '2026-01-01',
  })
  assert.deepEqual(await send('DateTime', { min: '2026-01-01T12:00:00Z', max: '2026-01-01' }), {
    min: '2026-01-01T12:00:00Z',
    max: '2026-01-01',
  })
})

test('names of fields are words of their own that no object has already', async () => {
  const app = await startApp()
  const names = ['a', 'A', 'a_1', 'x'.repeat(64)]
  made(
    await app.post('/publication_models', {
      body: 'a',
      fields: names.map((api_id) => ({ api_id, label: 'Text' })),
    }),
  )
  for (const api_id of ['', '1a', 'a-b', 'a.b', 'é', '_a', 'x'.repeat(65), '__proto__', 'constructor'])
    assert.deepEqual(
      faults(await app.post('/publication_models', { body: 'a', fields: [{ api_id, label: 'Text' }] })),
      ['fields.0.api_id'],
      api_id,
    )
  for (const api_id of ['prototype', 'toString', 'hasOwnProperty', 'valueOf'])
    assert.deepEqual(
      faults(await app.post('/publication_models', { body: 'a', fields: [{ api_id, label: 'Text' }] })),
      ['fields.0.api_id'],
      api_id,
    )
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ api_id: `a${index}`, label: 'Text' }))
  made(await app.post('/publication_models', { body: 'a', fields: many(200) }))
  assert.deepEqual(faults(await app.post('/publication_models', { body: 'a', fields: many(201) })), [
    'fields',
  ])
})

test('a reference may be bound to models of this environment only', async () => {
  const app = await startApp()
  const environment = await app.addEnvironment()
  const own = await addModel(app)
  const other = await addModel(app, { environment })
  const fields = [
    {
      api_id: 'related',
      label: 'Publication',
      validations: { models: [own.id, other.id, '01890000-0000-7000-8000-000000000000', own.id] },
    },
  ]
  assert.deepEqual(faults(await app.post('/publication_models', { body: 'a', fields })), [
    'fields.0.validations.models.1',
    'fields.0.validations.models.2',
  ])
  const url = `/publication_models/${own.id}?fields=fields`
  const itself = [{ api_id: 'related', label: 'Publication', validations: { models: [own.id, own.id] } }]
  assert.deepEqual((await app.put(url, { fields: itself })).body.fields[0].validations, { models: [own.id] })
})

test('the id of a deleted model stays where it stood, and is taken nowhere else', async () => {
  const app = await startApp()
  const gone = await addModel(app)
  const related = { api_id: 'related', label: 'Publication', validations: { models: [gone.id] } }
  const { id } = await addModel(app, { fields: [related] })
  const other = await addModel(app, { fields: [] })
  assert.equal((await app.delete(`/publication_models/${gone.id}`)).status, 204)
  const read = await app.get(`/publication_models/${id}?fields=fields,title`)
  const again = await app.put(`/publication_models/${id}?fields=fields,title`, read.body)
  assert.deepEqual([again.status, again.body], [200, read.body])
  assert.deepEqual(faults(await app.put(`/publication_models/${id}`, { ...read.body, stories: 1 })), [
    'stories',
  ])
  const refused = await app.put(`/publication_models/${other.id}`, { fields: [related] })
  assert.deepEqual(faults(refused), ['fields.0.validations.models.0'])
})
