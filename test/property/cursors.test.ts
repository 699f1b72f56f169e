import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isHandled, startBeside, watchDatabaseLog, word } from './hostile.ts'

const time = { interruptAfterTimeLimit: 8000, markInterruptAsFailure: false }
const sorts = [
  'name',
  '-name',
  'created_on',
  '-created_on',
  'changed_on',
  '-changed_on',
  'changed_on,name',
  '-name,changed_on',
]
const edge = fc.constantFrom(
  -62_135_596_800_001,
  -62_135_596_800_000,
  253_402_300_800_000,
  253_402_300_799_999,
  -253_402_300_799_999,
  8.64e15,
  -8.64e15,
  2 ** 53,
  1e308,
  0.5,
  -0,
)
const value = fc.oneof(fc.jsonValue({ maxDepth: 1 }), word, edge, fc.integer())

test('no cursor, valid, changed or made up, makes the service fail or shows a row of another environment', async () => {
  const { app, own } = await startBeside()
  const checkLog = watchDatabaseLog()
  const cursors = new Map<string, string>()
  for (const sort of sorts)
    cursors.set(sort, (await app.get(`/channels?sort=${sort}&limit=3&skip=11`)).body.after)
  const mutation = fc.oneof(
    fc.record({ kind: fc.constant('value' as const), at: fc.nat(5), value }),
    fc.record({ kind: fc.constant('more' as const), at: fc.nat(5), value }),
    fc.record({ kind: fc.constant('byte' as const), at: fc.nat(200), value }),
    fc.record({ kind: fc.constant('cut' as const), at: fc.nat(200), value }),
    fc.record({ kind: fc.constant('whole' as const), at: fc.nat(5), value }),
  )
  const change = (
    cursor: string,
    { kind, at, value }: { kind: string; at: number; value: unknown },
  ): string => {
    if (kind === 'cut') return cursor.slice(0, at)
    if (kind === 'byte') return `${cursor.slice(0, at)}${String(value)}${cursor.slice(at + 1)}`
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (kind === 'value') parts[at % parts.length] = value
    if (kind === 'more') parts.splice(at % (parts.length + 1), 0, value)
    return Buffer.from(JSON.stringify(kind === 'whole' ? value : parts) ?? '').toString('base64url')
  }
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sorts),
      fc.constantFrom('after', 'before'),
      mutation,
      async (sort, name, how) => {
        const path = `/channels?sort=${sort}&${name}=${encodeURIComponent(change(cursors.get(sort)!, how).toWellFormed())}`
        const answer = await app.get(path)
        if (answer.status === 200) accepted += 1
        isHandled(answer, own, path)
      },
    ),
    { numRuns: 500, ...time },
  )
  assert.ok(accepted > 20, 'some changed cursors are still cursors')
  checkLog()
})

test('no Idempotency-Key, ETag or Environment-Id makes the service fail', async () => {
  const { app } = await startBeside()
  const checkLog = watchDatabaseLog()
  const header = fc.string({
    unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code === 127 ? 126 : code)),
    maxLength: 300,
  })
  const name = fc.constantFrom(
    'idempotency-key',
    'if-match',
    'if-none-match',
    'environment-id',
    'traceparent',
    'accept',
    'x-forwarded-for',
    'origin',
  )
  await fc.assert(
    fc.asyncProperty(name, header, fc.constantFrom('GET', 'POST', 'PUT'), async (key, text, method) => {
      const path = method === 'PUT' ? '/channels/none' : '/channels'
      const call = method === 'GET' ? {} : { body: { name: 'Any' } }
      const { status, text: body } = await app.call(method, path, {
        headers: { [key]: text.trim() },
        ...call,
      })
      assert.ok([200, 201, 400, 404, 409].includes(status), `${method} ${key}: ${text} ${body}`)
    }),
    { numRuns: 250, ...time },
  )
  checkLog()
})
