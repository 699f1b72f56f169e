import { test } from 'node:test'
import fc from 'fast-check'
import { fieldName, isHandled, operatorName, startBeside, watchDatabaseLog, word } from './hostile.ts'

const time = { interruptAfterTimeLimit: 8000, markInterruptAsFailure: false }
const encode = encodeURIComponent

const index = fc.constantFrom('0', '1', '', '7', '-1', 'x', '__proto__', '4294967296')
const shape = fc.oneof(
  fc.tuple(fieldName).map(([a]) => encode(a)),
  fc.tuple(fieldName, operatorName).map(([a, b]) => `${encode(a)}[${encode(b)}]`),
  fc.tuple(fieldName, index, operatorName).map(([a, i, b]) => `${encode(a)}[${i}][${encode(b)}]`),
  fc
    .tuple(fieldName, index, operatorName, index)
    .map(([a, i, b, j]) => `${encode(a)}[${i}][${encode(b)}][${j}]`),
  fc.tuple(index, fieldName, operatorName).map(([i, a, b]) => `or[${i}][${encode(a)}][${encode(b)}]`),
  fc
    .array(fc.constantFrom('[', ']', 'a', '0', '%5B', '%', '.', 'or', 'name'), { maxLength: 30 })
    .map((parts) => parts.join('')),
)
const pair = fc.tuple(
  shape,
  fc.option(fc.oneof(word.map(encode), fc.constantFrom('%', '%ff', '%00', '+', ',,', '1,2,3'))),
)
const query = fc
  .array(pair, { maxLength: 6 })
  .map((pairs) => pairs.map(([key, value]) => (value === null ? key : `${key}=${value}`)).join('&'))

test('no query makes the service fail or shows a row of another environment', async () => {
  const { app, own } = await startBeside()
  const checkLog = watchDatabaseLog()
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      const path = `/channels?${text}`
      isHandled(await app.get(path), own, path)
    }),
    { numRuns: 400, ...time },
  )
  checkLog()
})

test('no well-formed filter makes the service fail, alone or with others', async () => {
  const { app, own } = await startBeside()
  const checkLog = watchDatabaseLog()
  const known = fc.constantFrom('name', 'slug', 'type', 'id', 'created_on', 'changed_on', 'q')
  const operator = fc.constantFrom('eq', 'neq', 'in', 'has', 'sw', 'fz', 'lt', 'lte', 'gt', 'gte')
  const filter = fc.array(fc.tuple(known, operator, word, fc.boolean()), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      filter,
      fc.constantFrom(
        '',
        '&sort=-changed_on',
        '&sort=name,-created_on',
        '&total=false',
        '&limit=1',
        '&skip=3',
      ),
      async (parts, more) => {
        const text = parts
          .map(
            ([name, test, value, or], at) =>
              `${or ? `or[${at}][${name}][${test}]` : `${name}[${at}][${test}]`}=${encode(value)}`,
          )
          .join('&')
        const path = `/channels?${text}${more}`
        isHandled(await app.get(path), own, path)
      },
    ),
    { numRuns: 400, ...time },
  )
  checkLog()
})

test('no sort, fields, limit, skip or total makes the service fail', async () => {
  const { app, own } = await startBeside()
  const checkLog = watchDatabaseLog()
  const name = fc.constantFrom(
    'sort',
    'fields',
    'limit',
    'skip',
    'offset',
    'total',
    'after',
    'before',
    'locale',
  )
  const names = fc.array(
    fc.oneof(
      fc.constantFrom(
        'name',
        '-name',
        'changed_on',
        '-created_on',
        'environment',
        'created_by{name}',
        '{',
        '}',
        ',',
      ),
      word,
    ),
    { maxLength: 6 },
  )
  const value = fc.oneof(
    word,
    names.map((parts) => parts.join(',')),
    names.map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (parts) => {
      const path = `/channels?${parts.map(([key, text]) => `${key}=${encode(text)}`).join('&')}`
      isHandled(await app.get(path), own, path)
    }),
    { numRuns: 300, ...time },
  )
  checkLog()
})
