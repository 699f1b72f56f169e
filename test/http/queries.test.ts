import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type Call, startApp } from '../harness/app.ts'

type Faults = { errors?: { path: string; message: string }[] }
const faults = ({ status, body }: Answer<Faults>): string[] => {
  assert.equal(status, 400)
  return (body.errors ?? []).map(({ path }) => path)
}
const messages = ({ body }: Answer<Faults>): string[] => (body.errors ?? []).map(({ message }) => message)

type Operation = { requestBody?: { content: Record<string, object> } }

/** A body of a type that the operation takes. */
const bodyFor = (method: string, { requestBody }: Operation): Call => {
  if (method === 'get' || method === 'delete') return {}
  const [type = 'application/json'] = Object.keys(requestBody?.content ?? {})
  return type === 'application/json' ? { body: {} } : { raw: 'x', headers: { 'content-type': type } }
}

test('every operation refuses a name in its query that it does not know, probes and files excepted', async () => {
  const app = await startApp({}, { bound: true })
  for (const prefix of ['', '/v5']) {
    const { body } = await app.get(`${prefix}/openapi.json`, { token: null })
    for (const [path, operations] of Object.entries<object>(body.paths))
      for (const method of path.startsWith('/media/') ? [] : Object.keys(operations)) {
        const url = `${prefix}${path.replace(/\{\w+\}/g, 'x')}?nonsense=1`
        const sent = bodyFor(method, operations[method as never])
        const { status, text } = await app.call(method.toUpperCase(), url, sent)
        const known = /^\/(livez|readyz)\?/.test(url)
        assert.deepEqual([status, text.includes('nonsense')], known ? [200, false] : [400, true], url)
      }
  }
})

test('the token in the query is no name of it', async () => {
  const app = await startApp()
  const token = await app.tokenFor(['tags'])
  for (const path of ['/tags', '/health', '/docs', '/openapi.json'])
    assert.equal((await app.get(`${path}?access_token=${token}`, { token: null })).status, 200, path)
})

test('names inside braces are held against what there is at every level', async () => {
  const app = await startApp()
  const { id } = (await app.post('/channels', { name: 'One' })).body
  for (const fields of ['created_by{name{x}}', 'environment{locales{x}}', 'environment{name{__proto__}}'])
    for (const path of ['/channels', `/channels/${id}`, `/v5/channels/${id}`])
      assert.deepEqual(faults(await app.get(`${path}?fields=${fields}`)), ['fields'], `${path} ${fields}`)
  const both = await app.get(`/channels/${id}?fields=nope,environment{nor,name{that}}`)
  assert.match(messages(both).join(), /"nope".*"nor".*"that" is not a field of name/)
  assert.deepEqual(faults(await app.get(`/channels/${id}?fields[a]=b`)), ['fields'])
})

test('what is wrong with the query and with the body is told at once, and nothing is done', async () => {
  const app = await startApp()
  const made = await app.post('/channels?fields=nope&foo=1', { name: '', slug: 5 })
  assert.deepEqual(faults(made).sort(), ['fields', 'foo', 'name', 'slug'])
  const { id } = (await app.post('/channels', { name: 'Kept' })).body
  const changed = await app.put(`/channels/${id}?fields=created_by{name{x}}`, { name: 'Lost', colour: 'red' })
  assert.deepEqual(faults(changed), ['fields', 'colour'])
  const sent = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, raw: 'name=&a=b' }
  assert.deepEqual(faults(await app.call('POST', '/channels?foo=1', sent)).sort(), ['a', 'foo', 'name'])
  assert.deepEqual(faults(await app.delete(`/channels/${id}?foo=1`)), ['foo'])
  assert.equal((await app.get(`/channels/${id}`)).body.name, 'Kept')
  assert.equal((await app.get('/channels')).body.total, 1)
  const optional = await app.post(`/tokens/${id}/renew?foo=1`)
  assert.deepEqual(faults(optional), ['foo'], 'a body that may be left out is not missed')
})
