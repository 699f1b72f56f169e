import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addConfiguration } from '../../../test/harness/factories.ts'
import { eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { checkRecords } from '../../../test/harness/records.ts'

checkRecords({
  path: '/configurations',
  label: 'Configuration',
  table: 'configurations',
  text: 'body',
  slug: false,
  read: ['configurations'],
  write: ['configurations', 'configurations_publish'],
  remove: ['configurations', 'configurations_publish'],
  whole: {
    json: { body: 'app', settings: { theme: 'dark', 'a.b': '1', 3: 'three' } },
    form: [
      ['body', 'app'],
      ['settings[theme]', 'dark'],
      ['settings[a.b]', '1'],
      ['settings[3]', 'three'],
      ['settings[gone]', ''],
    ],
  },
  wrong: {
    body: {
      body: {},
      settings: { a: 1, b: true, c: ['x'], d: {}, e: 'x'.repeat(10_001), f: 'fine' },
      other: 1,
    },
    paths: ['body', 'other', 'settings.a', 'settings.b', 'settings.c', 'settings.d', 'settings.e'],
  },
})

const generations = ['', '/v5']

test('a configuration is read by its exact body in both generations, with fields and 304, else 404', async () => {
  const app = await startApp()
  const { id } = await addConfiguration(app, { body: 'App/start page?', settings: { a: '1' } })
  await addConfiguration(app, { body: 'foreign', environment: await app.addEnvironment() })
  for (const generation of generations) {
    const url = `${generation}/configurations/body/${encodeURIComponent('App/start page?')}`
    const found = await app.get(`${url}?fields=environment{name}`, { scopes: ['configurations'] })
    assert.equal(found.status, 200, found.text)
    assert.deepEqual([found.body.id, found.body.settings], [id, { a: '1' }])
    assert.equal(found.body.environment.name, app.environment.name)
    const etag = (await app.get(url)).headers.get('etag')!
    assert.equal((await app.get(url, { headers: { 'if-none-match': etag } })).status, 304)
    assert.deepEqual(faults(await app.get(`${url}?fields=secret`)), ['fields'])
    for (const absent of ['App', 'app%2Fstart%20page%3F', 'foreign', id, `x${'y'.repeat(300)}`])
      assert.equal((await app.get(`${generation}/configurations/body/${absent}`)).status, 404, absent)
    assert.equal((await app.get(url, { token: null })).status, 401)
    assert.equal((await app.get(url, { scopes: ['channels'] })).body.type, 'InsufficientScope')
  }
})

test('a body is taken exactly as it is written', async () => {
  const app = await startApp()
  const { id } = await addConfiguration(app, { body: 'app' })
  await addConfiguration(app, { body: 'other' })
  assert.deepEqual(faults(await app.post('/configurations', { body: 'app' }), 409), ['body'])
  assert.deepEqual(faults(await app.put(`/configurations/${id}`, { body: 'other' }), 409), ['body'])
  assert.equal((await app.post('/configurations', { body: 'APP' })).status, 201)
})

test('a list of strings takes its indexes as keys', async () => {
  const app = await startApp()
  const { body } = await app.post('/configurations', { body: 'list', settings: ['a', 'b'] })
  assert.deepEqual(body.settings, { 0: 'a', 1: 'b' })
  const form = {
    raw: 'settings[0]=c&settings[1]=',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }
  const changed = await app.call('PUT', `/configurations/${body.id}`, form)
  assert.deepEqual(changed.body.settings, { 0: 'c' }, changed.text)
  assert.deepEqual(faults(await app.post('/configurations', { body: 'bad', settings: ['a', 1] })), [
    'settings.1',
  ])
})

test('a change merges keys; null, or an empty form value, removes one; null for all removes all', async () => {
  const app = await startApp()
  const { id } = await addConfiguration(app, { settings: { a: '1', b: '2', c: '3', d: '' } })
  const url = `/configurations/${id}`
  const put = async (settings: unknown) => (await app.put(url, { settings })).body.settings
  assert.deepEqual(await put({ b: 'two', e: '5' }), { a: '1', b: 'two', c: '3', d: '', e: '5' })
  assert.deepEqual(await put({ a: null, never: null }), { b: 'two', c: '3', d: '', e: '5' })
  const form = {
    raw: 'settings[b]=&settings[c]=4',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }
  assert.deepEqual((await app.call('PUT', url, form)).body.settings, { c: '4', d: '', e: '5' })
  assert.deepEqual((await app.put(url, { body: 'renamed' })).body.settings, { c: '4', d: '', e: '5' })
  const before = (await eventsOf(app, id)).length
  assert.deepEqual(await put({ c: '4', gone: null }), { c: '4', d: '', e: '5' })
  assert.equal((await eventsOf(app, id)).length, before)
  assert.equal(await put(null), null)
  assert.deepEqual(await put({ f: '6' }), { f: '6' })
})

test('20 parallel changes of different keys are all kept', async () => {
  const app = await startApp()
  const { id } = await addConfiguration(app, { settings: {} })
  const keys = Array.from({ length: 20 }, (_, index) => `key${index}`)
  await Promise.all(keys.map((key) => app.put(`/configurations/${id}`, { settings: { [key]: key } })))
  const { body } = await app.get(`/configurations/${id}`)
  assert.deepEqual(Object.keys(body.settings).sort(), keys.toSorted())
})

test('settings hold at most 1000 keys, however they come together', async () => {
  const app = await startApp()
  const many = (count: number, prefix: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'x'.repeat(100)]))
  assert.deepEqual(faults(await app.post('/configurations', { body: 'a', settings: many(1001, 'a') })), [
    'settings',
  ])
  const { id } = made(await app.post('/configurations', { body: 'a', settings: many(1000, 'a') }))
  assert.deepEqual(faults(await app.put(`/configurations/${id}`, { settings: { b: '' } })), ['settings'])
  assert.equal((await app.put(`/configurations/${id}`, { settings: { a0: null, b: '' } })).status, 200)
  const long = await app.post('/configurations', { body: 'b', settings: { a: '𝒳'.repeat(10_000) } })
  assert.equal(long.status, 201)
})

test('names that reach into objects are refused as keys, and odd ones are only names', async () => {
  const app = await startApp()
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    const raw = `{"body":"x","settings":{"${key}":"y"}}`
    const sent = { raw, headers: { 'content-type': 'application/json' } }
    assert.deepEqual(faults(await app.call('POST', '/configurations', sent)), [`settings.${key}`])
  }
  const settings = {
    toString: 'a',
    "'; drop table tags; --": 'b',
    'with space': 'c',
    '': 'd',
    hasOwnProperty: 'e',
  }
  const { body } = await app.post('/configurations', { body: 'odd', settings })
  assert.deepEqual(body.settings, settings)
  assert.deepEqual((await app.get('/configurations/body/odd')).body.settings, settings)
})
