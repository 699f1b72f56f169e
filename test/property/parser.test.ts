import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileFilter } from '../../src/database/filters.ts'
import { parseMoment } from '../../src/database/values.ts'
import { Invalid } from '../../src/errors.ts'
import { channelList } from '../../src/features/channels/filters.ts'
import { parseFields, type Selection } from '../../src/http/fields.ts'
import { checkJson, nest, parseQuery } from '../../src/http/query.ts'
import { fieldName, operatorName, word } from './hostile.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !value.includes('\0'))
const name = fc
  .string({ unit: fc.constantFrom('a', 'b', '_', '-', '.', 'é', ' ', '1'), minLength: 1, maxLength: 6 })
  .filter((value) => !/^\d+$/.test(value))
type Tree = string | Tree[] | { [name: string]: Tree }
const tree = fc.letrec<{ tree: Tree; group: { [name: string]: Tree } }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, text, fc.array(tie('tree'), { minLength: 1, maxLength: 3 }), tie('group')),
  group: fc.dictionary(name, tie('tree'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
}))

const flatten = (value: Tree, path: string): [string, string][] => {
  if (typeof value === 'string') return [[path, value]]
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  return [...entries].flatMap(([key, inner]) => flatten(inner, path === '' ? String(key) : `${path}[${key}]`))
}

test('what is written with brackets is read back as it was', () => {
  fc.assert(
    fc.property(tree.group, (value) => {
      const pairs = flatten(value, '')
      assert.deepEqual(nest(pairs), value)
      const query = pairs
        .map(([key, inner]) => `${encodeURIComponent(key)}=${encodeURIComponent(inner)}`)
        .join('&')
      assert.deepEqual(parseQuery(query), value)
      assert.deepEqual(parseQuery(new URLSearchParams(pairs).toString()), value)
    }),
    { numRuns: 2000 },
  )
})

const fails = (work: () => unknown): boolean => {
  try {
    work()
    return false
  } catch (error) {
    assert.ok(error instanceof Invalid, String(error))
    for (const { path } of error.errors!) assert.ok(path.isWellFormed() && path.length < 1000)
    return true
  }
}

test('any text is a query or names its fault, and leaves no trace in any prototype', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'a',
      '[',
      ']',
      '[]',
      '[0]',
      '=',
      '&',
      '%5B',
      '%',
      '+',
      '__proto__',
      'constructor',
      '[__proto__]',
      '[x]',
      'polluted',
    ),
    word,
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
      fails(() => JSON.stringify(parseQuery(parts.join(''))))
      assert.equal(({} as { polluted?: unknown }).polluted, undefined)
      assert.equal(Object.keys(Object.prototype).length, 0)
    }),
    { numRuns: 5000 },
  )
})

test('any filter object is compiled or names its faults', () => {
  const inner = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      word,
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(operatorName, tie('value'), { maxKeys: 3 }),
    ),
  })).value
  fc.assert(
    fc.property(fc.dictionary(fieldName, inner, { maxKeys: 4, noNullPrototype: true }), (filter) => {
      fails(() => compileFilter(channelList.filters, filter as Record<string, unknown>))
      fails(() => checkJson(filter))
    }),
    { numRuns: 3000 },
  )
})

test('fields are read back as they were written', () => {
  const ident = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_', '1'), minLength: 1, maxLength: 5 })
  const leaf = fc.dictionary(ident, fc.constant({}), { maxKeys: 3 })
  const middle = fc.dictionary(ident, leaf, { maxKeys: 3 })
  const write = (value: object): string =>
    Object.entries(value)
      .map(([key, inner]) => (Object.keys(inner).length > 0 ? `${key}{${write(inner)}}` : key))
      .join(',')
  const toMap = (value: object): Selection =>
    new Map(Object.entries(value).map(([key, inner]) => [key, toMap(inner)]))
  fc.assert(
    fc.property(fc.dictionary(ident, middle, { maxKeys: 3 }), (value) => {
      assert.deepEqual(parseFields(write(value)), toMap(value))
    }),
    { numRuns: 1000 },
  )
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ',', '{', '}', ' ', '"'), maxLength: 40 }),
      (value) => void fails(() => parseFields(value)),
    ),
    { numRuns: 2000 },
  )
})

test('a moment holds what it was written from, and nonsense is none', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0001-01-02T00:00:00Z'),
        max: new Date('9999-12-30T00:00:00Z'),
        noInvalidDate: true,
      }),
      (date) => {
        const seconds = Math.floor(date.getTime() / 1000)
        for (const written of [
          date.toISOString(),
          `${date.toISOString().slice(0, 19)}Z`,
          `${date.toISOString().slice(0, 19)} 00:00`,
          date.toISOString().slice(0, 10),
          seconds,
        ]) {
          const moment = parseMoment(written)
          assert.ok(
            moment &&
              moment.from <= date &&
              (date < moment.until || date.getTime() === moment.from.getTime()),
            String(written),
          )
        }
      },
    ),
    { numRuns: 1000 },
  )
  fc.assert(
    fc.property(word, (value) => void parseMoment(value)),
    { numRuns: 2000 },
  )
})
