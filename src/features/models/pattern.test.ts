import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePattern } from './pattern.ts'

/** Of the processor: others may be using it too. */
const seconds = (work: () => unknown): number => {
  const from = process.cpuUsage()
  work()
  return process.cpuUsage(from).user / 1_000_000
}

test('a pattern is found anywhere unless it is anchored', () => {
  assert.equal(compilePattern('b')?.test('abc'), true)
  assert.equal(compilePattern('^b')?.test('abc'), false)
  assert.equal(compilePattern('^[A-Z]{2}\\d{4}$')?.test('AB1234'), true)
  assert.equal(compilePattern('^[A-Z]{2}\\d{4}$')?.test('AB12345'), false)
  assert.equal(compilePattern('^\\p{L}+$')?.test('Zürich'), true)
  assert.equal(compilePattern('(?i)^saint-étienne$')?.test('SAINT-ÉTIENNE'), true)
  assert.equal(compilePattern('^[a-z0-9]+(?:-[a-z0-9]+)*$')?.test('one-2-three'), true)
})

test('what is not valid, looks around, refers back or is too long is no pattern', () => {
  for (const text of ['(', '[', 'a**', 'a{2}{3}', '(?=a)', '(?<!a)b', '(a)\\1', 'a'.repeat(501)])
    assert.equal(compilePattern(text), undefined, text)
})

test('patterns that make others go back for ever are quick', () => {
  for (const text of [
    '(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(.*a){20}[cd]',
    '(a*)*b',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ]) {
    const pattern = compilePattern(text)
    assert.ok(pattern, text)
    const value = `${'a'.repeat(20_000)}!`
    assert.ok(seconds(() => pattern.test(value)) < 2, text)
  }
})

test('patterns that become large are refused before they do', () => {
  for (const text of [
    `(${'.{1,3}'.repeat(80)}){1000}`,
    '((a{10}){10}){10}',
    'a{1000}',
    '(x|a{1,1000})'.repeat(35),
    '[(]{2}(a{100}){10}[)]',
    '[]](a{100}){10}]',
    '\\Q[\\E(abc){1000}]',
    '\\[(abc){1000}]',
    '[[:alpha:]](abc){1000}]',
    '(?:\\pL{1,100}){10}',
    '(\\pL|\\pN)'.repeat(40),
    `(?i)${'[a-\\x{ffff}]'.repeat(35)}`,
    `(?s-m)(?mi:${'[^b-\u{10ffff}]'.repeat(35)})`,
  ])
    assert.ok(seconds(() => assert.equal(compilePattern(text), undefined, text)) < 0.1, text)
})

test('a value that would take too long does not fit', () => {
  const pattern = compilePattern('^(a|b)*a(a|b){99}[cd]?$')!
  assert.equal(pattern.test('ab'.repeat(500)), true)
  assert.ok(seconds(() => assert.equal(pattern.test('ab'.repeat(500_000)), false)) < 0.1)
  const short = compilePattern('^[ab]+$')!
  assert.equal(short.test('ab'.repeat(50_000)), true)
})
