import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addModel } from '../../../test/harness/factories.ts'
import { bodyOf, text } from '../../../test/harness/publications.ts'
import { faults } from '../../../test/harness/records/kind.ts'
import type { FieldLabel } from '../models/table.ts'

/** For each type what is no value of it, with the paths below the field. */
const wrong: [FieldLabel, unknown, string[]][] = [
  ['Text', { body: 5, format: 'H7', size: 1 }, ['body', 'format', 'size']],
  ['Text', 'text', ['']],
  ['Text', ['x'], ['']],
  ['Color', { body: 'red' }, ['body']],
  ['Color', { body: '#12345', format: 'H1' }, ['body', 'format']],
  ['DateTime', { body: '01-11-2026', format: 'Y-m-d' }, ['body']],
  ['DateTime', { body: '2026-02-30', format: 'Y-m-d' }, ['body']],
  ['DateTime', { body: '2026-02-03', format: 'nonsense' }, ['format']],
  ['DateTimeRange', { from: '2026-11-02', until: '2026-11-01', format: 'Y-m-d' }, ['until']],
  ['Boolean', { value: 'yes' }, ['value']],
  ['Boolean', { value: 1 }, ['value']],
  ['Integer', { value: 1.5 }, ['value']],
  ['Integer', { value: '7' }, ['value']],
  ['Integer', { value: 1e300 }, ['value']],
  ['Float', { value: 'NaN' }, ['value']],
  ['Float', { value: [] }, ['value']],
  ['Coordinates', { latitude: '90.1', longitude: '180.5' }, ['latitude', 'longitude']],
  ['Coordinates', { latitude: 'north', longitude: '' }, ['latitude', 'longitude']],
  ['Coordinates', { latitude: '1' }, ['longitude']],
  ['Quote', { body: {}, author: 7 }, ['author', 'body']],
  [
    'Number',
    { number: '1', title: 1, description: [], body: false },
    ['body', 'description', 'number', 'title'],
  ],
  ['Resource', { url: 'javascript:alert(1)', type: 'Webpages' }, ['type', 'url']],
  [
    'CardItem',
    { url: ' https://x.example', body: 1, sub_title: 2, description: 3, url_label: 4 },
    ['body', 'description', 'sub_title', 'url', 'url_label'],
  ],
  ['VideoSitePost', { url: 'data:text/html,x' }, ['url']],
  ['MusicPlaylist', { url: 'not an address' }, ['url']],
  ['QuizPost', { id: 5 }, ['id']],
  [
    'BusinessHours',
    { items: [{ open_day: 8, open_time: '9:00', close_day: 'x', close_time: '25:00' }] },
    ['items.0.close_day', 'items.0.close_time', 'items.0.open_day', 'items.0.open_time'],
  ],
  [
    'BusinessHours',
    { items: [{ open_day: 1 }] },
    ['items.0.close_day', 'items.0.close_time', 'items.0.open_time'],
  ],
  [
    'ElementBox',
    { items: [text('x'), { label: 'Nonsense' }, { label: 'Integer', value: 'x' }, 7] },
    ['items.1.label', 'items.2.value', 'items.3'],
  ],
  [
    'Publication',
    { items: [{ id: 'absent' }, {}, { id: 7 }, 'x'] },
    ['items.0.id', 'items.1.id', 'items.2.id', 'items.3'],
  ],
  ['Asset', { items: [{ body: 'x' }] }, ['items.0.id']],
  ['Person', { items: 'x' }, ['items']],
  [
    'TagBox',
    { items: [{ id: 'absent' }, { body: '' }, { body: 7 }, {}] },
    ['items.0.id', 'items.1.body', 'items.2.body', 'items.3.id'],
  ],
]

test('a value that is none of its type is refused by the path of each fault, nested ones too', async () => {
  const app = await startApp()
  for (const [label, sent, paths] of wrong) {
    const value = typeof sent === 'object' && !Array.isArray(sent) ? { label, ...sent } : sent
    const model = await addModel(app, { fields: [{ api_id: 'value', label }] })
    const answer = await app.post(
      '/publications',
      bodyOf({ 'nl-NL': { value } } as never, { model: { id: model.id } }),
    )
    const expected = paths.map((path) => `items.nl-NL.value${path && `.${path}`}`)
    assert.deepEqual(faults(answer), expected, `${label} ${JSON.stringify(sent)}`)
    const nested = { box: { label: 'ElementBox', items: [text('x'), value] } }
    const inside = faults(await app.post('/publications', bodyOf({ 'en-US': nested } as never)))
    if (typeof sent === 'object' && !Array.isArray(sent))
      assert.deepEqual(
        inside,
        paths.map((path) => `items.en-US.box.items.1.${path}`),
        label,
      )
  }
})
