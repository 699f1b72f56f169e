import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  contentOf,
  faultsOf,
  field,
  later,
  modelOf,
  now,
  path,
  pathsOf,
  read,
} from '../../../../test/harness/fields.ts'
import type { FieldLabel, ModelField } from '../../models/table.ts'
import type { StoredItems, StoredValue } from '../table.ts'
import { defaultItems } from './defaults.ts'

const hours = [{ open_day: 1, open_time: '09:00', close_day: 2, close_time: '24:00' }]
const elements = [
  { label: 'Text', body: 'Hello', format: 'H1' },
  { label: 'ElementBox', items: [{ label: 'Boolean', value: true }] },
]

test('without label and model the properties tell the type', () => {
  const cases: [unknown, FieldLabel][] = [
    [{ value: 2 }, 'Integer'],
    [{ value: 2.5 }, 'Float'],
    [{ number: 2 }, 'Number'],
    [{ body: 'x', description: 'y' }, 'CardItem'],
    [{ body: 'x', format: 'H2' }, 'Text'],
    [{ body: '<p>x', format: 'CODE' }, 'Text'],
    [{ body: '1/11/2026', format: 'j/n/Y' }, 'DateTime'],
    [{ until: '2026-11-01' }, 'DateTimeRange'],
    [hours, 'BusinessHours'],
    [{ items: [{ body: 'news' }] }, 'TagBox'],
    [[{ body: 'news' }], 'TagBox'],
    [{ items: [{ label: 'Text', body: 'x' }] }, 'ElementBox'],
    [{ items: [{ body: 'x', format: 'H1' }, { value: 1 }] }, 'ElementBox'],
    [{ items: [{ label: 'QuizPost', id: 'q' }] }, 'ElementBox'],
    [{ items: [{ label: 'Publication', items: [{ id: 'p' }] }] }, 'ElementBox'],
  ]
  for (const [sent, label] of cases)
    assert.equal((contentOf(sent) as StoredValue).label, label, JSON.stringify(sent))
  for (const sent of [{}, { url: 'https://a.example' }, { items: [] }, { value: null }, { value: 'x' }, []])
    assert.match(faultsOf(sent)[0]!, /^field does not tell/)
})

test('a value without label stays what it was where its properties fit', () => {
  const cases: [object, object, string][] = [
    [{ label: 'Color', body: '#fff' }, { body: '#000' }, 'Color'],
    [{ label: 'Float', value: 1 }, { value: 2 }, 'Float'],
    [{ label: 'Integer', value: 1 }, { value: 2.5 }, 'Float'],
    [{ label: 'Integer', value: 1 }, { value: true }, 'Boolean'],
    [{ label: 'MusicPlaylist', url: 'https://a.example' }, { url: 'https://b.example' }, 'MusicPlaylist'],
    [{ label: 'Text', body: 'x' }, { body: 'x', author: 'y' }, 'Quote'],
    [{ label: 'TagBox', items: [{ id: 'a' }] }, { items: [] }, 'TagBox'],
    [{ label: 'QuizPost', id: 'a' }, { id: 'b' }, 'QuizPost'],
  ]
  for (const [first, sent, label] of cases) {
    const before = read({ field: first }).values as StoredItems
    assert.equal((contentOf(sent, { before }) as StoredValue).label, label, JSON.stringify(sent))
  }
  const before = read({ field: { label: 'Text', body: 'x' } }).values as StoredItems
  assert.equal(read({ field: { id: 'other' } }, { before }).names[0]!.kinds.length, 4)
  assert.equal(read({ field: { id: before.field!.id } }, { before }).values.field, before.field)
  const date = read({ field: { label: 'DateTime', body: '2026-11-01', format: 'Y-m-d' } })
    .values as StoredItems
  assert.deepEqual(pathsOf({ body: 'soon' }, { before: date }), ['body'])
})

test('the model decides the type, and what it does not have is refused', () => {
  const model = modelOf(field('title', 'Text'), field('tags', 'TagBox'), field('price', 'Float'))
  const { values, faults } = read(
    { title: { body: 'x' }, price: { value: 1 }, other: { body: 'x' } },
    { model },
  )
  assert.deepEqual(faults, [{ path: 'items.en-US.other', message: 'is not a field of the model' }])
  assert.deepEqual([values.title!.label, values.price!.label], ['Text', 'Float'])
  assert.deepEqual(read({ tags: { label: 'Tag', items: [{ id: 'a' }] } }, { model }).faults, [])
  assert.deepEqual(
    read({ title: { label: 'Quote', body: 'x' } }, { model }).faults.map((fault) => fault.path),
    ['items.en-US.title.label'],
  )
})

test('null removes a field, and in a form so does an empty string', () => {
  assert.deepEqual(read({ field: null }).values, { field: null })
  assert.deepEqual(read({ field: '' }, { isForm: true }).values, { field: null })
  assert.equal(read({ field: '' }).faults.length, 1)
  assert.deepEqual(contentOf({ label: 'Number', title: '', number: '' }, { isForm: true }), {
    label: 'Number',
    title: null,
    number: null,
    description: null,
    body: null,
  })
  assert.deepEqual(contentOf({ label: 'TagBox', items: '' }, { isForm: true }), {
    label: 'TagBox',
    items: [],
  })
})

test('a changed value keeps id and created_on, gets changed_on, and keeps what is not sent', () => {
  const before = read({ field: { label: 'Resource', url: 'https://a.example', type: 'Audio' } })
    .values as StoredItems
  const { id, created_on, changed_on } = before.field!
  assert.deepEqual([created_on, changed_on], ['2026-11-15T14:00:00+00:00', null])
  const after = read({ field: { url: 'https://b.example' } }, { before, now: later }).values.field
  assert.deepEqual(after, {
    label: 'Resource',
    id,
    created_on,
    changed_on: '2026-11-16T14:00:00+00:00',
    url: 'https://b.example',
    type: 'Audio',
  })
  assert.equal(
    read({ field: { url: 'https://a.example' } }, { before, now: later }).values.field,
    before.field,
  )
  const other = read({ field: { label: 'Quote', body: 'x' } }, { before, now: later }).values.field!
  assert.notEqual(other.id, id)
  assert.equal(other.created_on, '2026-11-16T14:00:00+00:00')
})

test('elements keep their ids by id or by what they say, and change alone', () => {
  const box = (items: object[]) => ({ field: { label: 'ElementBox', items } })
  const before = read(box([{ label: 'Text', body: 'a' }, { label: 'Text', body: 'b' }, ...elements]))
    .values as StoredItems
  const [a, b, heading, inner] = before.field!.items as [StoredValue, StoredValue, StoredValue, StoredValue]
  const again = read(box([{ label: 'Text', body: 'a' }, b, ...elements]), { before, now: later })
  assert.equal(again.values.field, before.field)
  const moved = read(box([{ label: 'Text', body: 'b' }, { ...a, body: 'c' }, a, inner, { body: 'new' }]), {
    before,
    now: later,
  })
  const [first, second, third, fourth, fifth] = moved.values.field!.items as StoredValue[]
  assert.equal(first, b)
  assert.deepEqual([second!.id, second!.created_on, second!.body], [a.id, a.created_on, 'c'])
  assert.equal(second!.changed_on, '2026-11-16T14:00:00+00:00')
  assert.notEqual(third!.id, a.id)
  assert.equal(fourth, inner)
  assert.ok(![a.id, b.id, heading.id].includes(fifth!.id))
  assert.equal(moved.values.field!.changed_on, '2026-11-16T14:00:00+00:00')
})

test('boxes in boxes end at the third', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { label: 'Boolean', value: true } : { label: 'ElementBox', items: [nested(depth - 1)] }
  assert.deepEqual(pathsOf(nested(3)), [])
  assert.deepEqual(pathsOf(nested(4)), ['items.0.items.0.items.0.items'])
})

test('references are read as items, by index, bare or alone, each once', () => {
  const expected = { label: 'Asset', items: [{ id: 'a' }, { id: 'b' }] }
  const two = [{ id: 'a' }, { id: 'b' }]
  const read_back = { id: 'a', created_on: now, changed_on: null, label: 'Asset', cdn_files: [] }
  for (const items of [two, { 0: two[0], 1: two[1] }, [...two, ...two], [read_back, two[1]]])
    assert.deepEqual(contentOf({ label: 'Asset', items }), expected)
  const model = modelOf(field('field', 'Asset'))
  assert.deepEqual(contentOf(two, { model }), expected)
  assert.deepEqual(contentOf({ id: 'a' }, { model }), { label: 'Asset', items: [{ id: 'a' }] })
  assert.deepEqual(contentOf({ items: {} }, { model }), { label: 'Asset', items: [] })
  const { names } = read(
    { field: [{ id: 'a' }] },
    { model: modelOf(field('field', 'Publication', { validations: { models: ['m'] } })) },
  )
  assert.deepEqual(
    [names[0]!.path, names[0]!.kinds, names[0]!.models],
    [`${path}.field.0.id`, ['Publication'], ['m']],
  )
})

test('what the model wants of a value is checked where one is filled', () => {
  const cases: [FieldLabel, ModelField['validations'], object, string | undefined][] = [
    ['Text', { min_length: 3 }, { body: '<b>ab</b>' }, 'body'],
    ['Text', { max_length: 2 }, { body: '😀😀' }, undefined],
    ['Text', { max_length: 2 }, { body: 'abc', format: 'H1' }, 'body'],
    ['Text', { pattern: '^[a-z]+$' }, { body: '<p>abc</p>' }, undefined],
    ['Text', { pattern: '^[a-z]+$' }, { body: 'a1' }, 'body'],
    ['Text', { min_length: 3 }, { body: '' }, undefined],
    ['Text', { values: ['red', 'blue'] }, { body: 'green' }, 'body'],
    ['Color', { values: ['#FF8800'] }, { body: '#ff8800' }, undefined],
    ['Color', { values: ['#FF8800'] }, { body: '#ff8801' }, 'body'],
    ['Resource', { values: ['Video'] }, { url: 'https://a.example' }, 'type'],
    ['Resource', { pattern: '^https:' }, { url: 'http://a.example' }, 'url'],
    ['Integer', { min: 1, max: 3 }, { value: 0 }, 'value'],
    ['Integer', { min: 1, max: 3 }, { value: 4 }, 'value'],
    ['Integer', { values: [1, 2] }, { value: 3 }, 'value'],
    ['Float', { max: 1.5 }, { value: 1.5 }, undefined],
    ['Number', { min: 1 }, { number: 0 }, 'number'],
    ['DateTime', { max: '2026-11-01' }, { body: '2026-11-01T23:59:59Z' }, undefined],
    ['DateTime', { max: '2026-11-01' }, { body: '2026-11-02' }, 'body'],
    ['DateTimeRange', { max: '2026-11-01' }, { from: '2026-11-01', until: '2026-11-02' }, 'from'],
    ['TagBox', { min_items: 2 }, { items: [{ body: 'a' }] }, 'items'],
    ['TagBox', { max_items: 1 }, { items: [{ body: 'a' }, { body: 'A' }] }, undefined],
    ['ElementBox', { max_items: 1 }, { items: elements }, 'items'],
  ]
  for (const [label, validations, sent, fault] of cases)
    assert.deepEqual(
      pathsOf(sent, { model: modelOf(field('field', label, { validations })) }),
      fault ? [fault] : [],
      JSON.stringify([label, validations, sent]),
    )
})

test('a default is read like a request; one that no longer fits gives nothing', () => {
  const model = modelOf(
    field('title', 'Text', { default: { body: 'New' } }),
    field('price', 'Integer', { default: { value: 'x' } }),
    field('shared', 'Boolean', { default: { value: false }, localized: false }),
    field('none', 'Text'),
  )
  const localized = defaultItems(model, true, now)
  assert.deepEqual(Object.keys(localized), ['title'])
  assert.equal(localized.title!.body, 'New')
  assert.deepEqual(Object.keys(defaultItems(model, false, now)), ['shared'])
})
