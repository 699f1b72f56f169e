import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  contentOf,
  faultsOf,
  field,
  later,
  modelOf,
  nothing,
  path,
  pathsOf,
  read,
} from '../../../../test/harness/fields.ts'
import { type FieldLabel, fieldLabels } from '../../models/table.ts'
import type { StoredItems } from '../table.ts'
import { presentItems } from './present.ts'
import { SentValue, ShownValue } from './schema.ts'

const hours = [{ open_day: 1, open_time: '09:00', close_day: 2, close_time: '24:00' }]
const elements = [
  { label: 'Text', body: 'Hello', format: 'H1' },
  { label: 'ElementBox', items: [{ label: 'Boolean', value: true }] },
]

/** What is sent without label, the same in a form, and what is stored. */
type Example = { sent: object; form?: object; stored: object; untyped?: false }
const addressed: Example = {
  sent: { url: 'https://a.example/1' },
  stored: { url: 'https://a.example/1' },
  untyped: false,
}
const given: Example = { sent: { id: 'quiz-1' }, stored: {}, untyped: false }
const listed = (...items: unknown[]): Example => ({ sent: { items }, stored: { items }, untyped: false })
const examples: Partial<Record<FieldLabel, Example>> = {
  String: { sent: { body: '<b>Hi</b> &' }, stored: { body: '<b>Hi</b> &' }, untyped: false },
  Strings: listed('red', 'blue'),
  Locations: listed({ latitude: 52.37, longitude: 4.9, name: null }),
  Addresses: listed({ street: 'Quay', number: '1a', postal_code: null, city: null, country: 'NL' }),
  Events: listed({ from: '2026-11-01', until: '2026-11-01', name: 'Fair' }),
  Sales: {
    sent: { items: [{ price: 12.5, currency: 'EUR', url: null, from: 1_793_491_200, until: null }] },
    stored: {
      items: [{ price: 12.5, currency: 'EUR', url: null, from: '2026-11-01T00:00:00+00:00', until: null }],
    },
    untyped: false,
  },
  Text: { sent: { body: '<b>Hi</b>' }, stored: { body: '<b>Hi</b>', format: null } },
  Color: { sent: { body: '#1A2b3c', format: 'Color' }, stored: { body: '#1A2b3c', format: 'Color' } },
  DateTime: {
    sent: { body: '2026-11-01', format: 'Y-m-d' },
    stored: { body: '2026-11-01', format: 'Y-m-d' },
  },
  DateTimeRange: {
    sent: { from: '2026-11-01 10:59:00', until: '2026-11-02 10:00:00', format: 'Y-m-d H:m:s' },
    stored: { from: '2026-11-01 10:59:00', until: '2026-11-02 10:00:00', format: 'Y-m-d H:m:s' },
  },
  Boolean: { sent: { value: false }, form: { value: 'false' }, stored: { value: false } },
  Integer: { sent: { value: -3 }, form: { value: '-3' }, stored: { value: -3 } },
  Float: { sent: { value: 1.5 }, form: { value: '1.5' }, stored: { value: 1.5 } },
  Coordinates: {
    sent: { latitude: '52.37', longitude: 4.9 },
    form: { latitude: '52.37', longitude: '4.9' },
    stored: { latitude: 52.37, longitude: 4.9 },
  },
  Quote: { sent: { body: 'Ça va?', author: 'Ann' }, stored: { body: 'Ça va?', author: 'Ann' } },
  Number: {
    sent: { title: 'Goals', number: 3, description: 'in all', body: '3' },
    form: { title: 'Goals', number: '3', description: 'in all', body: '3' },
    stored: { title: 'Goals', number: 3, description: 'in all', body: '3' },
  },
  Resource: {
    sent: { url: 'https://a.example', type: 'Video' },
    stored: { url: 'https://a.example', type: 'Video' },
  },
  CardItem: {
    sent: { body: 'A', sub_title: 'B', description: 'C', url: '/d', url_label: 'E' },
    stored: { body: 'A', sub_title: 'B', description: 'C', url: '/d', url_label: 'E' },
  },
  MicroblogPost: addressed,
  PhotoSocialPost: addressed,
  VideoSitePost: addressed,
  SocialNetworkPost: addressed,
  VideoHostPost: addressed,
  AudioHostPost: addressed,
  MusicPlaylist: addressed,
  QuizPost: given,
  BroadcasterPost: given,
  BusinessHours: {
    sent: { items: hours },
    form: { items: { 0: { open_day: '1', open_time: '09:00', close_day: '2', close_time: '24:00' } } },
    stored: { items: hours },
  },
}

for (const [label, { sent, form = sent, stored, untyped }] of Object.entries(examples))
  test(`${label} is read with a label, by the model, by its properties, from a form, and back`, () => {
    const expected = { label, ...stored }
    const model = modelOf(field('field', label as FieldLabel))
    assert.deepEqual(contentOf({ label, ...sent }), expected)
    assert.deepEqual(contentOf(sent, { model }), expected)
    assert.deepEqual(contentOf({ label, ...form }, { isForm: true }), expected)
    if (untyped !== false) {
      assert.deepEqual(contentOf(sent), expected)
      assert.deepEqual(contentOf(form, { isForm: true }), expected)
    } else assert.equal(read({ field: { url: 'https://a.example' } }).faults.length, 1)
    const before = read({ field: { label, ...sent } }).values as StoredItems
    const shown = JSON.parse(JSON.stringify(presentItems(before, null, nothing)))
    const again = read(shown, { before, model, now: later })
    assert.equal(again.values.field, before.field)
    const { label: _label, ...unlabelled } = shown.field
    assert.equal(read({ field: unlabelled }, { before, now: later }).values.field, before.field)
  })

test('every type has an example here or a test of its own, and a schema for the documents', () => {
  const special = ['ElementBox', 'Publication', 'Asset', 'Person', 'TagBox']
  assert.deepEqual([...Object.keys(examples), ...special].sort(), [...fieldLabels].sort())
  type Documented = { properties: Record<string, unknown>; required?: string[] }
  const documented = (union: unknown) => (union as { anyOf: Documented[] }).anyOf
  assert.equal(documented(SentValue).length, fieldLabels.length)
  documented(SentValue).forEach(({ properties, required }, place) => {
    for (const name of Object.keys(properties))
      assert.ok(name in documented(ShownValue)[place]!.properties, name)
    assert.ok(!required?.length)
  })
})

test('every wrong property is named', () => {
  const wrong: [FieldLabel, object, string[]][] = [
    ['Text', { body: 5, format: 'H7', size: 1 }, ['body', 'format', 'size']],
    ['Color', { body: 'red', format: 'H1' }, ['body', 'format']],
    ['DateTime', { body: '2026-02-30', format: 'Y-m-d' }, ['body']],
    ['DateTime', { body: 'soon' }, ['body']],
    ['DateTime', { body: '2026-11-01', format: 'qqq' }, ['format']],
    ['DateTimeRange', { from: '2026-11-02', until: '2026-11-01' }, ['until']],
    ['DateTimeRange', { from: 'x', until: {}, format: 1 }, ['format', 'until']],
    ['DateTimeRange', { from: 'x', until: 'y' }, ['from', 'until']],
    ['Strings', { items: [5, {}] }, ['items.0', 'items.1']],
    ['Locations', { items: [{ latitude: 91 }, 'x'] }, ['items.0.latitude', 'items.0.longitude', 'items.1']],
    ['Addresses', { items: [{ number: 1.5, planet: 'x' }] }, ['items.0.number', 'items.0.planet']],
    [
      'Events',
      { items: [{ until: 'x' }, { from: '2026-11-02', until: '2026-11-01' }] },
      ['items.0.from', 'items.0.until', 'items.1.until'],
    ],
    ['Sales', { items: [{ price: '5', url: 'javascript:x' }] }, ['items.0.price', 'items.0.url']],
    ['Boolean', { value: 'true' }, ['value']],
    ['Integer', { value: 1.5 }, ['value']],
    ['Integer', { value: 2 ** 53 }, ['value']],
    ['Integer', { value: '1' }, ['value']],
    ['Float', { value: Number.POSITIVE_INFINITY }, ['value']],
    ['Coordinates', { latitude: '90.1', longitude: 'east' }, ['latitude', 'longitude']],
    ['Coordinates', { latitude: 1 }, ['longitude']],
    ['Coordinates', { longitude: 1 }, ['latitude']],
    ['Quote', { body: [], author: false }, ['author', 'body']],
    [
      'Number',
      { title: 1, number: 'x', description: 1, body: 1 },
      ['body', 'description', 'number', 'title'],
    ],
    ['Resource', { url: 'javascript:alert(1)', type: 'Page' }, ['type', 'url']],
    ['CardItem', { url: ' data:text/html,x', body: 'x'.repeat(10_001) }, ['body', 'url']],
    ['MusicPlaylist', { url: '/relative' }, ['url']],
    ['VideoSitePost', { url: 'http://' }, ['url']],
    ['VideoSitePost', { url: `https://a.example/${'x'.repeat(2000)}` }, ['url']],
    ['QuizPost', { id: 1 }, ['id']],
    [
      'BusinessHours',
      { items: [{ open_day: 8, open_time: '24:01', day: 1 }] },
      ['items.0.close_day', 'items.0.close_time', 'items.0.day', 'items.0.open_day', 'items.0.open_time'],
    ],
    ['BusinessHours', { items: 'always' }, ['items']],
    [
      'ElementBox',
      { items: [elements[0]!, 1, { label: 'Nothing' }, { label: 'Resource', url: 1 }] },
      ['items.1', 'items.2.label', 'items.3.url'],
    ],
    [
      'Publication',
      { items: [{}, { id: 1 }, 'x', { id: 'a', ids: 1 }] },
      ['items.0.id', 'items.1.id', 'items.2', 'items.3.ids'],
    ],
    ['Asset', { items: Array.from({ length: 1001 }, () => ({ id: 'a' })) }, ['items']],
    [
      'TagBox',
      { items: [{ body: ' ' }, { body: 'x'.repeat(201) }, {}] },
      ['items.0.body', 'items.1.body', 'items.2.id'],
    ],
  ]
  for (const [label, sent, paths] of wrong)
    assert.deepEqual(pathsOf({ label, ...sent }), paths, `${label} ${JSON.stringify(sent).slice(0, 100)}`)
  for (const sent of ['text', 5, true, [1]]) assert.equal(faultsOf(sent).length, 1)
  assert.deepEqual(faultsOf({ label: 'Coordinates', latitude: 91, longitude: 0 }), [
    'field.latitude must be a number from -90 to 90',
  ])
  for (const sent of [null, [], 'x', 1]) assert.equal(read(sent).faults[0]!.path, path)
})

test('html that would take long to read is refused', () => {
  const tooMany = '<br>'.repeat(60_000)
  const sent = (format: string | null) => ({ a: { body: tooMany, format }, b: { body: tooMany, format } })
  for (const format of [null, 'CODE'])
    assert.deepEqual(
      read(sent(format)).faults.map((fault) => fault.path),
      ['items.en-US.b.body'],
    )
  assert.deepEqual(read(sent('H1')).faults, [])
  assert.deepEqual(pathsOf({ body: '<b>'.repeat(201) }), ['body'])
  assert.deepEqual(pathsOf({ body: 'x'.repeat(1_000_001) }), ['body'])
  assert.deepEqual(pathsOf({ body: `${'>'.repeat(300_000)}` }), ['body'])
})

test('names that cannot be fields, too many of them and too many faults are bounded', () => {
  for (const name of ['toString', 'a b', '', 'x'.repeat(101)])
    assert.equal(read({ [name]: { body: 'x' } }).faults.length, 1, name)
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`f${index}`, { body: 1 }]))
  assert.deepEqual(
    read(many).faults.map((fault) => fault.path),
    [path],
  )
  delete many.f0
  assert.equal(read(many).faults.length, 100)
})
