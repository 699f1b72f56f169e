import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addModel } from '../../../test/harness/factories.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'
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
