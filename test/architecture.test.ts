import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

type Import = { from: string; to: string; type: boolean }

const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))

const importsOf = (from: string): Import[] =>
  [...readFileSync(from, 'utf8').matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'/gms)].map(
    ([, type, path]) => ({ from, to: normalize(join(dirname(from), path!)), type: type !== undefined }),
  )

const imports = files.flatMap(importsOf)
const part = (file: string): string => file.split('/')[1]!
const feature = (file: string): string => file.split('/')[2]!
const shown = (found: Import[]): string[] => found.map(({ from, to }) => `${from} → ${to}`)

test('the imports are read: each file of a feature has some', () => {
  assert.ok(imports.length > 200)
})

test('the database, storage, mail and outgoing requests know nothing of features and HTTP, but for types', () => {
  const low = new Set([
    'database',
    'mail',
    'storage',
    'media',
    'outgoing',
    'errors.ts',
    'config.ts',
    'secrets.ts',
    'events.ts',
  ])
  const wrong = imports.filter(
    ({ from, to, type }) =>
      low.has(part(from)) && !type && ['features', 'http', 'commands'].includes(part(to)),
  )
  assert.deepEqual(shown(wrong), [])
})

test('a feature never uses the routes of another', () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      part(from) === 'features' && /routes(-v5)?\.ts$/.test(to) && feature(from) !== feature(to),
  )
  assert.deepEqual(shown(wrong), [])
})

test('in a feature only what faces the wire uses HTTP: routes, schemas, presenters and lists', () => {
  const facing =
    /((routes|schemas?|present)(-\w+)?|present\/[\w-]+|expansions|filters|cookie|same-origin|rate-limit)\.ts$/
  const wrong = imports.filter(
    ({ from, to, type }) => part(from) === 'features' && part(to) === 'http' && !type && !facing.test(from),
  )
  assert.deepEqual(shown(wrong), [])
})

test('features do not know the command line, and nothing but the command line knows itself', () => {
  const wrong = imports.filter(
    ({ from, to }) => part(to) === 'commands' && !['commands', 'main.ts'].includes(part(from)),
  )
  assert.deepEqual(shown(wrong), [])
})

test('only the configuration reads process.env', () => {
  const readers = files.filter((file) => readFileSync(file, 'utf8').includes('process.env'))
  assert.deepEqual(readers, ['src/config.ts'])
})

test('no import runs in a circle', () => {
  const next = new Map<string, string[]>()
  for (const { from, to, type } of imports) if (!type) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const to of next.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  assert.deepEqual(circles, [])
})

test('no file of the product is longer than 350 lines', () => {
  const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 350)
  assert.deepEqual(long, [])
})
