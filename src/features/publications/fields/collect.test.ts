import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldLabel, ModelField, ModelRow } from '../../models/table.ts'
import type { StoredItems } from '../table.ts'
import { referencesOf, tagIdsOf, valuesOf } from './collect.ts'
import { loadReferences, presentItems } from './present.ts'
import { readFields } from './read.ts'
import { missingFields } from './required.ts'
import { isFilled, textOf } from './text.ts'

const itemsOf = (sent: object): StoredItems => {
  const now = '2026-11-15T14:00:00.000Z'
  const { values, faults } = readFields(sent, { path: '', model: null, before: {}, isForm: false, now })
  assert.deepEqual(faults, [])
  return values as StoredItems
}
const modelOf = (fields: Record<string, FieldLabel>, more: Partial<ModelField> = {}) =>
  ({
    fields: Object.entries(fields).map(([api_id, label]) => ({ api_id, label, validations: {}, ...more })),
  }) as unknown as ModelRow
const nothing = await loadReferences(undefined as never, { environment_id: 'e' }, [])

test('search finds texts of every type, those inside elements too, without markup', () => {
  const { text } = textOf(
    null,
    itemsOf({
      summary: { body: '<p>One</p><p>tw<b>o</b> &amp; so on</p>' },
      code: { body: '<div>three</div><script>never</script>', format: 'CODE' },
      heading: { body: 'four <five>', format: 'H2' },
      quote: { body: 'six', author: 'seven' },
      number: { title: 'eight', number: 9, description: 'nine', body: 'ten' },
      card: {
        body: 'eleven',
        sub_title: 'twelve',
        description: 'thirteen',
        url: '/never',
        url_label: 'fourteen',
      },
      box: { items: [{ label: 'ElementBox', items: [{ label: 'Text', body: 'fifteen' }] }] },
      link: { label: 'Resource', url: 'https://never.example' },
      color: { label: 'Color', body: '#ffffff' },
    }),
  )
  assert.equal(
    text.replace(/\s+/g, ' ').trim(),
    'One two & so on three four <five> six seven eight nine ten eleven twelve thirteen fourteen fifteen',
  )
})

test('the text for search is bounded and never ends in half a character', () => {
  const long = itemsOf({ a: { body: '😀'.repeat(200_000), format: 'H1' } })
  const { text, title } = textOf(null, long)
  assert.ok(Buffer.byteLength(text) <= 400_000 && text.isWellFormed() && text.length > 190_000)
  assert.ok(title!.length <= 1000 && title!.isWellFormed())
})

test('the title is that of title, name, the first Text field of the model, or the first text', () => {
  const texts = { z: { body: 'Z' }, name: { body: ' <b>N</b>  x ' }, title: { body: 'T', format: 'H1' } }
  const titleOf = (sent: object, model: ModelRow | null = null) => textOf(model, itemsOf(sent)).title
  assert.equal(titleOf(texts), 'T')
  assert.equal(titleOf({ ...texts, title: { body: '' } }), 'N x')
  assert.equal(titleOf({ a: { body: 'A' }, z: texts.z }, modelOf({ z: 'Text', a: 'Text' })), 'Z')
  assert.equal(titleOf({ n: { value: 1 }, z: texts.z }), 'Z')
  assert.equal(titleOf({ n: { value: 1 } }), null)
  assert.equal(titleOf({ z: texts.z }, modelOf({ other: 'Text' })), null)
})

test('a value is filled unless there is nothing in it', () => {
  const filled = (sent: object) => isFilled(itemsOf({ field: sent }).field!)
  for (const sent of [
    { value: false },
    { value: 0 },
    { body: '<p>x</p>' },
    { body: '<br>', format: 'CODE' },
    { latitude: 0, longitude: 0 },
    { label: 'QuizPost', id: 'q' },
    { items: [{ body: 'tag' }] },
    { label: 'CardItem', url_label: 'x' },
  ])
    assert.equal(filled(sent), true, JSON.stringify(sent))
  for (const sent of [
    { body: '' },
    { body: '<p> <br></p>' },
    { body: ' ', format: 'H1' },
    { label: 'Boolean', value: null },
    { label: 'Resource', type: 'Video' },
    { label: 'DateTime', format: 'Y-m-d' },
    { label: 'Color' },
    { label: 'TagBox', items: [] },
    { label: 'ElementBox' },
    { label: 'Coordinates' },
  ])
    assert.equal(filled(sent), false, JSON.stringify(sent))
})

test('required fields that are absent, empty or of another type are missing', () => {
  const model = modelOf({ title: 'Text', body: 'Text', price: 'Integer', tags: 'TagBox' }, { required: true })
  const items = itemsOf({ title: { body: 'x' }, body: { body: '<p></p>' }, price: { value: 1.5 } })
  assert.deepEqual(missingFields(model, items), ['body', 'price', 'tags'])
  assert.deepEqual(missingFields(modelOf({ other: 'Text' }), items), [])
})

test('references are collected from everywhere, each once', () => {
  const items = itemsOf({
    a: { label: 'Publication', items: [{ id: 'p' }, { id: 'q' }] },
    b: { label: 'Tag', items: [{ id: 't' }] },
    box: {
      items: [
        { label: 'Publication', items: [{ id: 'p' }] },
        { label: 'ElementBox', items: [{ label: 'TagBox', items: [{ id: 'u' }, { id: 't' }] }] },
        { label: 'Asset', items: [{ id: 'p' }] },
      ],
    },
  })
  assert.deepEqual(tagIdsOf(items), ['t', 'u'])
  assert.deepEqual(
    referencesOf(items).map(({ kind, id }) => `${kind} ${id}`),
    ['Publication p', 'Publication q', 'Tag t', 'Tag u', 'Asset p'],
  )
})

test('filterable fields give numbers, moments, places, texts and ids', () => {
  const sent = {
    title: { body: '<p><b>T</b> &amp;</p><p>x</p>' },
    date: { body: '1970-01-02', format: 'Y-m-d' },
    range: { from: '1970-01-01', until: '1970-01-02' },
    flag: { value: true },
    price: { value: 1.5 },
    place: { latitude: 1, longitude: 2 },
    tags: { label: 'TagBox', items: [{ id: 't' }, { id: 'u' }] },
    empty: { label: 'Integer' },
    hidden: { value: 1 },
  }
  const items = itemsOf(sent)
  const labels = Object.fromEntries(Object.entries(items).map(([api_id, { label }]) => [api_id, label]))
  const model = modelOf({ ...labels, hidden: 'Float' }, { filterable: true })
  const found = valuesOf(model, items).map(({ api_id, position, number, number_2, text }) =>
    [api_id, position, number, number_2, text].join(),
  )
  assert.deepEqual(found, [
    'title,0,,,T & x',
    'date,0,86400,,',
    'range,0,0,86400,',
    'flag,0,1,,',
    'price,0,1.5,,',
    'place,0,1,2,',
    'tags,0,,,t',
    'tags,1,,,u',
  ])
  assert.deepEqual(valuesOf(modelOf(labels, { filterable: false }), items), [])
})

test('what a model has no more, or has as another type, is hidden and comes back with the field', () => {
  const items = itemsOf({ a: { body: 'A' }, b: { value: 1 }, c: { body: 'C' } })
  const shown = (model: ModelRow | null) => Object.keys(presentItems(items, model, nothing))
  assert.deepEqual(shown(null), ['a', 'b', 'c'])
  assert.deepEqual(shown(modelOf({ c: 'Text', b: 'Float', d: 'Text' })), ['c'])
  assert.deepEqual(shown(modelOf({ c: 'Text', b: 'Integer', a: 'Text' })), ['c', 'b', 'a'])
})

test('another locale fills in what is missing or empty', () => {
  const items = itemsOf({ a: { body: 'A' }, b: { label: 'Text', body: '' } })
  const fallback = itemsOf({ a: { body: 'other' }, b: { body: 'B' }, c: { body: 'C' } })
  const shown = presentItems(items, null, nothing, { fallback }) as Record<string, { body: string }>
  assert.deepEqual(
    Object.entries(shown).map(([api_id, { body }]) => api_id + body),
    ['aA', 'bB', 'cC'],
  )
})
