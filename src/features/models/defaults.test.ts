import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { faults, made } from '../../../test/harness/records/kind.ts'

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
