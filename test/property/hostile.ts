import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import fc from 'fast-check'
import { type Answer, startApp, type TestApp } from '../harness/app.ts'

/** Words that mean something to SQL, JavaScript, JSON, URLs or this service. */
const loaded = [
  "'",
  '"',
  '\\',
  '--',
  ';',
  '/*',
  "' or '1'='1",
  '$1',
  '$$',
  '%',
  '_',
  '*',
  '(',
  '[',
  ']',
  '{',
  '}',
  ',',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'true',
  '__proto__',
  'constructor',
  'length',
  'toString',
  'or',
  'param',
  'row',
  'environment_id',
  'password',
  'id',
  '\u00e9\u0301',
  '\ud83d\ude00',
  '\u202e',
  '\u0000',
  '\ufeff',
  '9999-12-31',
  '0001-01-01',
  '2020-02-30',
  '-62135596800',
  '253402300799',
  '99999999999999',
  'a,b',
  '10:00',
  '2024-01-01T00:00:00+00:00',
]
const known = ['id', 'created_on', 'changed_on', 'q', 'name', 'slug', 'type', 'or']
const operators = ['eq', 'neq', 'in', 'all', 'has', 'sw', 'fz', 'lt', 'lte', 'gt', 'gte', 'il', 'param']

export const word = fc.oneof(
  fc.constantFrom(...loaded),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 10 }).map((text) => text.toWellFormed()),
  fc.integer().map(String),
  fc.double().map(String),
)
export const fieldName = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...known) },
  { weight: 1, arbitrary: word },
)
export const operatorName = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...operators) },
  { weight: 1, arbitrary: word },
)

/** Our channels, and as many of another environment that must never be seen. */
export const startBeside = async (): Promise<{ app: TestApp; own: Set<string> }> => {
  const app = await startApp()
  const other = await app.addEnvironment()
  for (const environment of [app.environment, other])
    await app.sql`insert into channels (environment_id, id, name, slug, type, created_on, changed_on)
      select ${environment.id}, ${`${environment.id}-`} || n, 'Channel ' || n, 'channel-' || n,
        case when n % 2 = 0 then 'radio' end, to_timestamp(1600000000 + n / 3), case when n % 3 = 0 then to_timestamp(1700000000 + n) end
      from generate_series(1, 40) n`
  app.context.versions.bump(app.environment.id, 'content')
  const rows = await app.sql<
    { id: string }[]
  >`select id from channels where environment_id = ${app.environment.id}`
  return { app, own: new Set(rows.map(({ id }) => id)) }
}

/** 200 with our own rows, or 400 that names what is wrong; nothing else, whatever was sent. */
export const isHandled = (answer: Answer, own: Set<string>, sent: string): void => {
  // biome-ignore lint/suspicious/noExplicitAny: looked into whatever its shape
  const body = answer.body as any
  if (answer.status === 200) {
    const strangers = body.items.filter((item: { id: string }) => !own.has(item.id))
    assert.deepEqual(strangers, [], sent)
    return
  }
  assert.equal(answer.status, 400, `${sent}: ${answer.text}`)
  assert.ok(body.errors.length > 0, sent)
  for (const { path, message } of body.errors) {
    assert.ok(
      typeof path === 'string' && (path !== '' || /[?&](=|%|$|&)/.test(sent)),
      `${sent}: ${answer.text}`,
    )
    assert.ok(message.length > 0)
  }
}

const wrong =
  /ERROR:.*(syntax error|invalid input syntax|invalid byte sequence|does not exist|could not determine|operator|out of range|too many|cannot cast|invalid value)/

/** Nothing that was sent may reach PostgreSQL in a form that it stumbles over. */
export const watchDatabaseLog = () => {
  const file = process.env.TEST_DATABASE_LOG!
  const start = statSync(file).size
  return (): void => {
    const lines = readFileSync(file).subarray(start).toString().split('\n')
    assert.deepEqual(
      lines.filter((line) => wrong.test(line)),
      [],
    )
  }
}
