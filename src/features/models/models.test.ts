import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addModel } from '../../../test/harness/factories.ts'
import { eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { checkRecords } from '../../../test/harness/records.ts'

const whole = {
  api_id: 'code',
  label: 'Text',
  title: 'Code',
  description: 'Two letters and four digits',
  required: true,
  localized: false,
  filterable: true,
  validations: { max_length: 6, min_length: 6, pattern: '^[A-Z]{2}\\d{4}$', values: ['AB1234', 'CD5678'] },
  default: { body: 'AB1234' },
}
const plain = {
  title: null,
  description: null,
  required: false,
  localized: true,
  filterable: false,
  validations: {},
  default: null,
}

checkRecords({
  path: '/publication_models',
  label: 'PublicationModel',
  table: 'publication_models',
  text: 'body',
  slug: false,
  read: ['publication_models'],
  write: ['publication_models', 'publication_models_publish'],
  remove: ['publication_models', 'publication_models_publish'],
  whole: {
    json: {
      body: 'Article',
      description: 'News',
      stories: false,
      channels: true,
      fields: [
        whole,
        { ...plain, api_id: 'price', label: 'Float', filterable: true, validations: { min: 0.5, max: 9 } },
        { ...plain, api_id: 'day', label: 'DateTime', filterable: true, validations: { min: '2026-01-01' } },
      ],
    },
    form: [
      ['body', 'Article'],
      ['description', 'News'],
      ['stories', 'false'],
      ['channels', '1'],
      ['fields[0][api_id]', 'code'],
      ['fields[0][label]', 'Text'],
      ['fields[0][title]', 'Code'],
      ['fields[0][description]', 'Two letters and four digits'],
      ['fields[0][required]', 'true'],
      ['fields[0][localized]', '0'],
      ['fields[0][filterable]', 'true'],
      ['fields[0][validations][min_length]', '6'],
      ['fields[0][validations][max_length]', '6'],
      ['fields[0][validations][pattern]', '^[A-Z]{2}\\d{4}$'],
      ['fields[0][validations][values][]', 'AB1234'],
      ['fields[0][validations][values][]', 'CD5678'],
      ['fields[0][default][body]', 'AB1234'],
      ['fields[1][api_id]', 'price'],
      ['fields[1][label]', 'Float'],
      ['fields[1][title]', ''],
      ['fields[1][validations][min]', '0.5'],
      ['fields[1][validations][max]', '9'],
      ['fields[1][validations][values]', ''],
      ['fields[2][api_id]', 'day'],
      ['fields[2][label]', 'DateTime'],
      ['fields[2][validations][min]', '2026-01-01'],
    ],
  },
  expandable: ['fields', 'title'],
  wrong: {
    body: {
      body: 1,
      description: [],
      stories: 'perhaps',
      channels: null,
      other: 1,
      fields: [
        'text',
        { api_id: '1a', label: 'Nothing', required: 'yes', colour: 'red' },
        { api_id: 'a', label: 'Boolean', validations: { min: 1, length: 2 } },
        { api_id: 'a', label: 'Text', validations: { pattern: '(', min_length: -1 } },
        { label: 'Publication', filterable: true, validations: { models: ['nobody', 7] } },
      ],
    },
    paths: [
      'body',
      'channels',
      'description',
      'fields.0',
      'fields.1.api_id',
      'fields.1.colour',
      'fields.1.label',
      'fields.1.required',
      'fields.2.validations.length',
      'fields.2.validations.min',
      'fields.3.api_id',
      'fields.3.validations.min_length',
      'fields.3.validations.pattern',
      'fields.4.api_id',
      'fields.4.filterable',
      'fields.4.validations.models.0',
      'fields.4.validations.models.1',
      'other',
      'stories',
    ],
  },
  operators: { stories: ['eq'], channels: ['eq'] },
})

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

test('a default is read as a value of its field, and kept as it was sent', async () => {
  const app = await startApp()
  for (const [label, value] of [
    ['Text', { body: 'Soon' }],
    ['Boolean', { value: false }],
    ['Integer', { value: 5 }],
    ['Coordinates', { latitude: '52.1', longitude: '4.5' }],
    ['Resource', { url: 'https://example.org', type: 'Audio' }],
    ['QuizPost', { id: 'q1' }],
    ['ElementBox', { items: [{ label: 'Quote', body: 'a', author: 'b' }] }],
  ] as const) {
    const sent = { body: label, fields: [{ api_id: 'a', label, default: value }] }
    const created = await app.post('/publication_models?fields=fields{default}', sent)
    made(created)
    assert.deepEqual(created.body.fields, [{ default: value }])
  }
})

test('a default of a form becomes what JSON would say', async () => {
  const app = await startApp()
  const form = new URLSearchParams([
    ['body', 'Form'],
    ['fields[0][api_id]', 'a'],
    ['fields[0][label]', 'Boolean'],
    ['fields[0][default][value]', 'true'],
    ['fields[1][api_id]', 'b'],
    ['fields[1][label]', 'Integer'],
    ['fields[1][default][value]', '5'],
    ['fields[2][api_id]', 'c'],
    ['fields[2][label]', 'Integer'],
    ['fields[2][default]', ''],
    ['fields[3][api_id]', 'd'],
    ['fields[3][label]', 'Text'],
    ['fields[3][default][body]', '5'],
  ])
  const { body } = await app.call('POST', '/publication_models?fields=fields{default}', {
    raw: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.deepEqual(
    body.fields.map((field: { default: unknown }) => field.default),
    [{ label: 'Boolean', value: true }, { label: 'Integer', value: 5 }, null, { body: '5' }],
  )
})

test('a default of the wrong shape, against the validations, too long or naming records is refused', async () => {
  const app = await startApp()
  const items = [{ id: '01890000-0000-7000-8000-000000000000' }]
  for (const [field, paths] of [
    [{ label: 'Text', default: 'Soon' }, ['default']],
    [{ label: 'Text', default: { body: 5, colour: 1 } }, ['default.body', 'default.colour']],
    [{ label: 'Text', default: { body: 'Soon' }, validations: { max_length: 3 } }, ['default.body']],
    [{ label: 'Text', default: { body: 'a'.repeat(10_000) } }, ['default']],
    [{ label: 'Integer', default: { value: 'five' } }, ['default.value']],
    [{ label: 'Integer', default: { value: 5 }, validations: { max: 4 } }, ['default.value']],
    [{ label: 'Publication', default: { items } }, ['default']],
    [{ label: 'Asset', default: { items } }, ['default']],
    [{ label: 'Person', default: { items } }, ['default']],
    [{ label: 'Tag', default: { items: [{ body: 'New' }] } }, ['default']],
    [
      { label: 'ElementBox', default: { items: [{ label: 'Asset', items }] } },
      ['default.items.0.items.0.id'],
    ],
  ] as const) {
    const body = { body: 'Wrong', fields: [{ api_id: 'a', ...field }] }
    const expected = paths.map((path) => `fields.0.${path}`)
    assert.deepEqual(faults(await app.post('/publication_models', body)), expected, field.label)
  }
})

test('the title is the field title, else name, else the first Text, and is not written', async () => {
  const app = await startApp()
  for (const [names, expected] of [
    [['intro', 'name', 'title'], 'title'],
    [['intro', 'name'], 'name'],
    [['intro', 'body'], 'intro'],
    [[], null],
  ] as const) {
    const fields = [
      { api_id: 'price', label: 'Float' },
      ...names.map((api_id) => ({ api_id, label: 'Text' })),
    ]
    const { body } = await app.post('/publication_models?fields=title', { body: 'a', fields, title: 'other' })
    assert.equal(body.title, expected)
  }
})

test('the base body is short; what is not sent is true or null', async () => {
  const app = await startApp()
  const { body } = await app.post('/publication_models', { body: 'Article' })
  const { id, created_on } = body
  assert.deepEqual(body, {
    id,
    created_on,
    changed_on: null,
    label: 'PublicationModel',
    body: 'Article',
    description: null,
    stories: true,
    channels: true,
  })
  const changed = await app.put(`/publication_models/${id}`, { channels: false, description: 'x' })
  assert.deepEqual(
    [changed.body.stories, changed.body.channels, changed.body.description],
    [true, false, 'x'],
  )
})

test('models are found by what their publications can stand in', async () => {
  const app = await startApp()
  await addModel(app, { body: 'A', stories: false })
  await addModel(app, { body: 'B', channels: false })
  for (const [query, expected] of [
    ['stories[eq]=true', 'B'],
    ['stories[eq]=false', 'A'],
    ['channels[eq]=true', 'A'],
    ['channels[eq]=true&stories[eq]=true', ''],
  ] as const) {
    const { body } = await app.get(`/publication_models?${query}`)
    assert.equal(body.items.map((item: { body: string }) => item.body).join(''), expected, query)
  }
})

test('a model with publications is not deleted', async () => {
  const app = await startApp()
  const model = await addModel(app)
  const publication = {
    environment_id: app.environment.id,
    id: 'p',
    label: 'Publication',
    model_id: model.id,
    locales: [],
    state: '{}',
    items: '{}',
    channel_ids: [],
    container_ids: [],
    facets: [],
  }
  const { db } = app.context
  await db
    .insertInto('publications')
    .values(publication as never)
    .execute()
  assert.deepEqual(faults(await app.delete(`/publication_models/${model.id}`), 409), ['id'])
  assert.equal((await app.get(`/publication_models/${model.id}`)).status, 200)
  await db.deleteFrom('publications').where('environment_id', '=', app.environment.id).execute()
  assert.equal((await app.delete(`/publication_models/${model.id}`)).status, 204)
  assert.deepEqual(await eventsOf(app, model.id), ['publication_model.created', 'publication_model.deleted'])
})
