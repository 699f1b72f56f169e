import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { buildApp } from '../../src/http/app.ts'
import type { Route } from '../../src/http/openapi/collect.ts'
import { startApp } from '../harness/app.ts'
import { endpoints } from './endpoints.ts'

type Named = { generation: string; method: string; path: string }
const nameOf = ({ generation, method, path }: Named): string =>
  `${method} ${generation === 'v5' ? '/v5' : ''}${path}`

let routes: Map<string, Route>
before(async () => {
  const { context } = await startApp()
  const app = await buildApp(context)
  routes = new Map(app.routeTable.map((route) => [nameOf(route), route]))
  await app.close()
})

const scopesOf = ({ config }: Route): string =>
  config.access === 'public' ? 'public' : [...config.scopes!].sort().join()

test('the table names every endpoint once', () => {
  const names = endpoints.map(nameOf)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

test('every endpoint that is said to be implemented is there', () => {
  const missing = endpoints.filter(({ state }) => state === 'implemented').map(nameOf)
  assert.deepEqual(
    missing.filter((name) => !routes.has(name)),
    [],
  )
})

test('every endpoint needs the scopes that the table says, and no others', () => {
  const wrong = endpoints.flatMap((endpoint) => {
    const route = routes.get(nameOf(endpoint))
    const { scopes } = endpoint
    const wanted = scopes === 'public' ? scopes : [...scopes].sort().join()
    return route && scopesOf(route) !== wanted
      ? [`${nameOf(endpoint)} needs "${scopesOf(route)}", not "${wanted}"`]
      : []
  })
  assert.deepEqual(wrong, [])
})

test('what exists is no longer called planned', () => {
  const open = endpoints.filter(({ state }) => state === 'planned').map(nameOf)
  assert.deepEqual(
    open.filter((name) => routes.has(name)),
    [],
  )
})

test('no route exists that the table does not know', () => {
  const known = new Set(endpoints.map(nameOf))
  assert.deepEqual(
    [...routes.keys()].filter((name) => !known.has(name)),
    [],
  )
})
