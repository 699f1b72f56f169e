import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDate, isDatePattern, secondsOf } from './moments.ts'

const seconds = (iso: string): number => Date.parse(iso) / 1000

test('a date is read by its pattern, in UTC', () => {
  for (const [text, pattern, iso] of [
    ['2026-11-01', 'Y-m-d', '2026-11-01T00:00:00Z'],
    ['2026-11-01 09:30', 'Y-m-d H:i', '2026-11-01T09:30:00Z'],
    ['2026-11-01 09:59:07', 'Y-m-d H:m:s', '2026-11-01T09:59:07Z'],
    ['01/12/2026', 'd/m/Y', '2026-12-01T00:00:00Z'],
    ['1.2.2026 7:05', 'j.n.Y G:i', '2026-02-01T07:05:00Z'],
    ['Sunday 1 November 2026', 'l j F Y', '2026-11-01T00:00:00Z'],
    ['Nov 01, 2026 12:00 AM', 'M d, Y h:i A', '2026-11-01T00:00:00Z'],
    ['2026-11-01 1:15 pm', 'Y-m-d g:i a', '2026-11-01T13:15:00Z'],
    ['2026-11-01T09:30:00+01:00', 'Y-m-d\\TH:i:sP', '2026-11-01T08:30:00Z'],
    ['2026-11-01T09:30:00', 'Y-m-dTH:i:s', '2026-11-01T09:30:00Z'],
    ['2026-11-01T09:30:00+01:00', 'c', '2026-11-01T08:30:00Z'],
    ['1793520000', 'U', '2026-11-01T08:00:00Z'],
    ['2026', 'Y', '2026-01-01T00:00:00Z'],
  ] as const)
    assert.equal(secondsOf(text, pattern), seconds(iso), `${text} by ${pattern}`)
})

test('without a pattern it is ISO 8601 or epoch seconds', () => {
  for (const text of ['2026-11-01T08:00:00Z', '2026-11-01 09:00:00+01:00', '1793520000'])
    assert.equal(secondsOf(text, null), 1793520000, text)
  assert.equal(secondsOf('2026-11-01', null), seconds('2026-11-01'))
})

test('what is not written by the pattern, or is no day, is no date', () => {
  for (const [text, pattern] of [
    ['2026-02-29', 'Y-m-d'],
    ['2026-13-01', 'Y-m-d'],
    ['2026-1-1', 'Y-m-d'],
    ['2026-11-01 ', 'Y-m-d'],
    ['26-11-01', 'Y-m-d'],
    ['2026-11-01 24:00', 'Y-m-d H:i'],
    ['2026-11-01 13:00 pm', 'Y-m-d h:i a'],
    ['1 Foo 2026', 'j M Y'],
    ['2026-11-01', 'd/m/Y'],
    ['0000-01-01', 'Y-m-d'],
    ['', 'Y-m-d'],
    ['2026-11-01', ''],
    ['soon', null],
  ] as const)
    assert.equal(isDate(text, pattern), false, `${text} by ${pattern}`)
  for (const pattern of ['', '-', 'q', 'Color', 'CODE', 'Y'.repeat(101)])
    assert.equal(isDatePattern(pattern), false, pattern)
})

test('a time without a year is a date by its pattern, but no moment', () => {
  assert.equal(secondsOf(null, 'Y-m-d'), null)
  assert.equal(secondsOf('x', 'Y'), null)
  assert.equal(isDate('09:30', 'H:i'), true)
  assert.equal(secondsOf('09:30', 'H:i'), null)
})
