import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMoment } from './values.ts'

const read = (raw: string | number) => {
  const moment = parseMoment(raw)
  return moment && [moment.from.toISOString(), moment.until.getTime() - moment.from.getTime()]
}

test('a date is as wide as it is written', () => {
  assert.deepEqual(read('2026-11-01'), ['2026-11-01T00:00:00.000Z', 86_400_000])
  assert.deepEqual(read('2026-11-01T09:30'), ['2026-11-01T09:30:00.000Z', 60_000])
  assert.deepEqual(read('2026-11-01 09:30'), ['2026-11-01T09:30:00.000Z', 60_000])
  assert.deepEqual(read('2026-11-01T09:30:15'), ['2026-11-01T09:30:15.000Z', 1000])
  assert.deepEqual(read('2026-11-01 09:30:15.25z'), ['2026-11-01T09:30:15.250Z', 1])
  assert.deepEqual(read(1_793_525_400), ['2026-11-01T09:30:00.000Z', 1000])
  assert.deepEqual(read('1793525400'), ['2026-11-01T09:30:00.000Z', 1000])
})

test('an offset counts, also where its plus became a space', () => {
  for (const [written, from] of [
    ['2026-11-01T09:30:00+02:00', '2026-11-01T07:30:00.000Z'],
    ['2026-11-01T09:30:00 02:00', '2026-11-01T07:30:00.000Z'],
    ['2026-11-01 09:30:00 0200', '2026-11-01T07:30:00.000Z'],
    ['2026-11-01T09:30 02:00', '2026-11-01T07:30:00.000Z'],
    ['2026-11-01T09:30:00.5 02:00', '2026-11-01T07:30:00.500Z'],
    ['2026-11-01T09:30:00-09:45', '2026-11-01T19:15:00.000Z'],
    ['2026-11-01T09:30:00+14:00', '2026-10-31T19:30:00.000Z'],
  ] as const)
    assert.equal(read(written)?.[0], from, written)
})

test('what no calendar or clock shows is refused', () => {
  for (const written of [
    '2026-00-15',
    '2026-13-15',
    '2026-11-00',
    '2026-02-29',
    '2026-11-31',
    '0000-01-01',
    '2026-11-01T24:00',
    '2026-11-01T09:60',
    '2026-11-01T09:30:60',
    '2026-11-01T09:30:00+99:99',
    '2026-11-01T09:30:00+14:01',
    '2026-11-01T09:30:00-01:60',
    '2026-11-01 0930',
    '2026-11-01+09:30',
    '2026-11-01T09:30:00\t02:00',
    '2026-11-01T',
    '',
    ' ',
  ])
    assert.equal(parseMoment(written), undefined, written)
  assert.ok(parseMoment('2028-02-29'))
})
