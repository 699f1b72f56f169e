import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { later, nothing, read } from '../../../../test/harness/fields.ts'
import type { StoredItems } from '../table.ts'
import { presentItems } from './present.ts'

const text = fc.oneof(fc.string(), fc.constantFrom('<b>x</b>', 'a < b', '&nbsp;', '<script>', '&amp;', '"'))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const ofLabel = (label: string, properties: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ label: fc.constant(label), ...properties }, { requiredKeys: ['label'] })
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
const day = fc.integer({ min: 0, max: 7 })
const address = fc.webUrl({ withQueryParameters: true }).filter((url) => url.length < 2000)

const simple = fc.oneof(
  ofLabel('Text', { body: maybe(text), format: fc.constantFrom(null, 'H1', 'CODE') }),
  ofLabel('Color', { body: fc.constantFrom('#fff', '#FF8800', '#11223344', null) }),
  ofLabel('DateTime', { body: maybe(fc.integer({ min: 0, max: 4e9 })) }),
  ofLabel('Boolean', { value: maybe(fc.boolean()) }),
  ofLabel('Integer', { value: maybe(fc.maxSafeInteger()) }),
  ofLabel('Float', { value: maybe(fc.double({ noNaN: true, noDefaultInfinity: true })) }),
  fc.record({
    label: fc.constant('Coordinates'),
    latitude: fc.integer({ min: -90, max: 90 }).map(String),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
  ofLabel('Quote', { body: maybe(text), author: maybe(text) }),
  ofLabel('Number', { title: maybe(text), number: maybe(fc.integer()), body: maybe(text) }),
  ofLabel('Resource', { url: maybe(address), type: fc.constantFrom('Audio', 'Other') }),
  ofLabel('CardItem', { body: maybe(text), url: maybe(address), url_label: maybe(text) }),
  ofLabel('MusicPlaylist', { url: maybe(address) }),
  ofLabel('QuizPost', { id: fc.uuid() }),
  ofLabel('BusinessHours', {
    items: fc.array(fc.record({ open_day: day, open_time: time, close_day: day, close_time: time }), {
      maxLength: 3,
    }),
  }),
)
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 9, arbitrary: simple },
    ofLabel('ElementBox', { items: fc.array(tie('box'), { maxLength: 4 }) }),
  ),
  box: fc.oneof(simple, ofLabel('ElementBox', { items: fc.array(simple, { maxLength: 3 }) })),
})).value
const items = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), value, { maxKeys: 6 })

/** As PostgreSQL gives them back: keys by length, then by name. */
const stored = <T>(given: T): T => {
  if (Array.isArray(given)) return given.map(stored) as T
  if (typeof given !== 'object' || given === null) return given
  const entries = Object.entries(given).map(([name, inner]) => [name, stored(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))) as T
}

test('what a GET shows can be sent back, with labels or without, and changes nothing', () => {
  fc.assert(
    fc.property(items, fc.boolean(), (sent, labelled) => {
      const { values, faults } = read(sent)
      assert.deepEqual(faults, [])
      const before = stored(JSON.parse(JSON.stringify(values))) as StoredItems
      const shown = JSON.parse(JSON.stringify(presentItems(before, null, nothing)))
      if (!labelled) for (const one of Object.values(shown) as { label?: string }[]) delete one.label
      const again = read(shown, { before, now: later })
      assert.deepEqual(again.faults, [])
      for (const api_id of Object.keys(before)) assert.equal(again.values[api_id], before[api_id])
    }),
    { numRuns: 500, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false },
  )
})

test('nothing that is sent makes reading fail; it is read or refused', () => {
  const names = [
    'label',
    'id',
    'body',
    'format',
    'value',
    'items',
    'url',
    'type',
    'from',
    'latitude',
    'open_day',
  ]
  const labels = [
    'Text',
    'ElementBox',
    'TagBox',
    'Publication',
    'BusinessHours',
    'DateTime',
    'toString',
    'Tag',
  ]
  const { anything } = fc.letrec((tie) => ({
    anything: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...labels, null, 1.5, '', true, 'Y-m-d', '2026-11-01'),
      fc.array(tie('anything'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, '0', '1', 'toString'), tie('anything'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(anything, anything, fc.boolean(), (first, second, isForm) => {
      const before = read({ field: first }).values as StoredItems
      const known: StoredItems = before.field ? { field: before.field } : {}
      const { values, faults } = read({ field: second }, { before: known, isForm })
      assert.ok('field' in values || faults.length > 0)
    }),
    { numRuns: 1500, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false },
  )
})
