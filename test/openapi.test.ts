import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { formats as ownFormats } from '../src/formats.ts'
import { docsPage } from '../src/http/docs/page.ts'
import { addUser } from './harness/access.ts'
import { type Answer, startApp, type TestApp } from './harness/app.ts'
import { openSession, openUserSession } from './harness/words.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked as the plain value it is
type Any = any
type Found = { document: Any; path: string; method: string; operation: Any; name: string }

let app: TestApp
let documents: Record<string, Any>
let operations: Found[]

before(async () => {
  app = await startApp({}, { bound: true })
  documents = {
    '/openapi.json': (await app.get('/openapi.json', { token: null })).body,
    '/v5/openapi.json': (await app.get('/v5/openapi.json', { token: null })).body,
  }
  operations = Object.entries(documents).flatMap(([url, document]) =>
    Object.entries<Any>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Any>(methods).map(([method, operation]) => ({
        document,
        path,
        method,
        operation,
        name: `${url} ${method} ${path}`,
      })),
    ),
  )
})

/** Compiling schemas blocks the loop that also serves, and the service then rightly refuses for a moment. */
beforeEach(async () => {
  const deadline = Date.now() + 10_000
  while ((await app.get('/health')).status === 503 && Date.now() < deadline);
})

/** One for all: making it costs 40 ms, and most schemas are met many times. */
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: ownFormats })
formats.default(ajv)
const checks = new Map<string, ReturnType<typeof ajv.compile>>()

/** Whether a value is what a schema of the document says, as a list of faults. */
const faults = (document: Any, schema: Any, value: unknown): string[] => {
  const key = document.servers[0].url + JSON.stringify(schema)
  if (!checks.has(key)) checks.set(key, ajv.compile({ ...schema, components: document.components }))
  const check = checks.get(key)!
  return check(value) ? [] : (check.errors ?? []).map((e) => `${e.instancePath} ${e.message}`)
}

const walk = function* (value: Any): Generator<Any> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const inner of Object.values(value)) yield* walk(inner)
}

const at = (document: Any, ref: string): Any =>
  ref
    .slice(2)
    .split('/')
    .reduce((value, name) => value?.[name.replaceAll('~1', '/')], document)

test('both documents are valid OpenAPI 3.1 and name their own server', async () => {
  for (const [url, document] of Object.entries(documents)) {
    assert.equal(document.openapi, '3.1.0')
    assert.equal(document.servers[0].url, `https://marquee.test${url.replace('/openapi.json', '')}`)
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    assert.ok(valid, JSON.stringify(errors, null, 2))
  }
})

test('a document is cacheable and answers 304 to its own ETag', async () => {
  for (const url of [...Object.keys(documents), '/docs']) {
    const { headers } = await app.get(url, { token: null })
    const etag = headers.get('etag')!
    assert.match(headers.get('cache-control')!, /^public, max-age=\d+$/)
    const again = await app.get(url, { token: null, headers: { 'if-none-match': `"other", W/${etag}` } })
    assert.equal(again.status, 304)
    assert.equal(again.text, '')
  }
})

test('every reference leads somewhere, and operation ids are unique', () => {
  for (const document of Object.values(documents)) {
    const refs = [...walk(document)].map((part) => part.$ref).filter((ref) => typeof ref === 'string')
    assert.ok(refs.length > 20)
    assert.deepEqual(
      refs.filter((ref) => at(document, ref) === undefined),
      [],
    )
    const ids = operations.filter((found) => found.document === document).map((o) => o.operation.operationId)
    assert.equal(new Set(ids).size, ids.length)
  }
})

test('nothing internal is shown', () => {
  for (const document of Object.values(documents)) {
    const text = JSON.stringify(document)
    for (const word of ['x-ignored', '~kind', '"hide"', '/metrics', '"undefined"'])
      assert.ok(!text.includes(word), `${word} is in the document`)
  }
})

test('every operation has a summary, its scopes or none, a success and an error', () => {
  for (const { operation, name } of operations) {
    assert.ok(operation.summary?.length > 3, name)
    assert.equal(operation.tags.length, 1, name)
    const isPublic = operation.security.length === 0
    assert.equal(Array.isArray(operation['x-scopes']), !isPublic, name)
    if (!isPublic) assert.deepEqual(operation.security[0].oauth2, operation['x-scopes'], name)
    const statuses = Object.keys(operation.responses)
    assert.ok(
      statuses.some((status) => status.startsWith('2')),
      name,
    )
    assert.ok(
      statuses.some((status) => status >= '400'),
      name,
    )
  }
})

test('every body has an example that its own schema accepts', () => {
  const wrong = operations.flatMap(({ document, operation, name }) =>
    [operation.requestBody, ...Object.values<Any>(operation.responses)]
      .filter((part) => part?.content)
      .flatMap((part) => Object.entries<Any>(part.content))
      .flatMap(([type, media]) => {
        if (media.example === undefined) return [`${name} ${type} has no example`]
        return faults(document, media.schema, media.example).map((fault) => `${name} ${type}${fault}`)
      }),
  )
  assert.deepEqual(wrong, [])
})

test('every parameter has an example or default that its own schema accepts', () => {
  for (const { document, operation, name } of operations)
    for (const given of operation.parameters) {
      const parameter = given.$ref ? at(document, given.$ref) : given
      if (parameter.example !== undefined)
        assert.deepEqual(
          faults(document, parameter.schema, parameter.example),
          [],
          `${name} ${parameter.name}`,
        )
    }
})

test('the shared error answers have examples that fit', () => {
  for (const document of Object.values(documents))
    for (const [name, response] of Object.entries<Any>(document.components.responses))
      for (const media of Object.values<Any>(response.content))
        assert.deepEqual(faults(document, media.schema, media.example), [], name)
})

const parameter = (found: Found, name: string) =>
  found.operation.parameters.find((one: Any) => one.name === name)
const find = (name: string): Found => operations.find((found) => found.name === name)!

test('a list tells its limits, sorts, names for fields, and exactly the operators of each filter', () => {
  const list = find('/openapi.json get /channels')
  const limit = parameter(list, 'limit').schema
  assert.deepEqual([limit.default, limit.minimum, limit.maximum], [25, 1, 1000])
  assert.ok(parameter(list, 'sort').schema.items.enum.includes('-created_on'))
  assert.ok(parameter(list, 'fields')['x-fields'].includes('created_by'))
  const name = parameter(list, 'name')
  assert.equal(name.style, 'deepObject')
  assert.ok(name.description.includes('name[0][fz]=web'))
  assert.deepEqual(Object.keys(name.schema.properties), ['eq', 'in', 'sw', 'fz'])
  assert.equal(name.schema.properties.in.type, 'array')
  assert.ok(parameter(list, 'or'))
})

/** Of a user, for what only users are asked. */
let session = ''

test('what a list says it takes is taken: every sort, and every filter by its example', async () => {
  session = await openUserSession(app, (await addUser(app)).id)
  const { body } = await app.post('/publications', { label: 'Publication', locales: ['en-US'] })
  const person = await app.post('/persons', {})
  const others = {
    webhooks: await app.post('/webhooks', { url: 'https://example.org/', events: ['tag.created'] }),
    persons: person,
    messages: await app.post('/v5/messages', { label: 'Sms', body: 'Hello' }),
    comments: await app.post(`/v5/publications/${body.id}/comments`, {
      body: 'Hello',
      session_hash: await openSession(app, person.body.id),
    }),
    recommendations: await app.post('/recommendations', { name: 'Home', type: 'recommended_for_you' }),
    segments: await app.post('/segments', {
      body: 'Women',
      rules: { items: { a: { gender: { eq: 'female' } } } },
    }),
  }
  const csv = { raw: 'last_name\nOne', headers: { 'content-type': 'text/csv' } }
  const imported: Record<string, Answer<Any>> = { '/persons': await app.call('POST', '/persons/import', csv) }
  const songs = { artists: 'body\nOne', tracks: 'body\nOne', timelines: 'body,from\nOne,2026-01-01 10:00:00' }
  for (const [kind, raw] of Object.entries(songs)) {
    const sent = await app.call('POST', `/v5/${kind}/bulk/import`, { raw, headers: csv.headers })
    assert.ok(sent.status < 300, sent.text)
    imported[`/${kind}`] = sent
  }
  for (const { method, path, document, operation, name } of operations) {
    const known = path.includes('/imports/')
      ? imported[path.split('/imports')[0]!]
      : others[path.split('/')[1] as keyof typeof others]
    const { id } = known?.body ?? body
    if (method !== 'get' || !operation.parameters.some((one: Any) => one.name === 'limit')) continue
    const prefix = new URL(document.servers[0].url).pathname.replace(/\/$/, '')
    for (const query of operation.parameters.flatMap(asQueries)) {
      const answer = await app.get(`${prefix}${path.replace('{id}', id)}?${query}${needed(operation, query)}`)
      assert.equal(answer.status, 200, `${name}?${query}: ${answer.text}`)
    }
  }
})

/** What some filters, or the whole list, cannot do without. */
const needed = ({ parameters }: Any, query: string): string => {
  const plain = Object.entries({ locale: 'en-US', event: 'publication.updated' })
    .filter(([name]) => parameters.some((one: Any) => one.name === name && !one.style))
    .map(([name, value]) => `&${name}=${value}`)
  const filters = parameters
    .filter((one: Any) => one.required && one.style === 'deepObject' && !query.startsWith(one.name))
    .map(({ name, example }: Any) => `&${name}[${flat(example)}`)
  const user = parameters.some((one: Any) => one.name === 'favorites') ? [`&session_hash=${session}`] : []
  return [...plain, ...filters, ...user].join('')
}

const asQueries = ({ name, style, schema, example }: Any): string[] => {
  if (name === 'sort') return [schema.items.enum.map((key: string) => `sort=${key}`)].flat()
  if (name === 'or') return [`or[0][${flat(example[0])}`]
  if (style !== 'deepObject') return []
  return [`${name}[0][${flat(example)}`, `${name}[${flat(example)}`]
}
/** `{name: {fz: 'web'}}` → `name][fz]=web` */
const flat = (value: Any): string => {
  const [[key, inner]] = Object.entries<Any>(value) as [[string, Any]]
  if (typeof inner === 'object' && !Array.isArray(inner)) return `${key}][${flat(inner)}`
  return `${key}]=${encodeURIComponent(String(inner))}`
}

test('a write takes three content types and tells the headers that make it safe', () => {
  const create = find('/openapi.json post /channels')
  assert.deepEqual(Object.keys(create.operation.requestBody.content), [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ])
  const refs = (found: Found) => found.operation.parameters.map((one: Any) => one.$ref?.split('/').at(-1))
  assert.ok(refs(create).includes('IdempotencyKey'))
  assert.ok(refs(find('/openapi.json put /channels/{id}')).includes('IfMatch'))
  assert.ok(refs(find('/openapi.json get /channels/{id}')).includes('IfNoneMatch'))
  for (const header of ['ETag', 'Location', 'traceparent'])
    assert.ok(create.operation.responses[201].headers[header], header)
  for (const status of ['400', '401', '403', '405', '409', '413', '415', '503'])
    assert.ok(create.operation.responses[status], status)
})

test('the example bodies of the first resources are accepted by the service as they stand', async () => {
  for (const resource of [
    'channels',
    'containers',
    'statuses',
    'tags',
    'configurations',
    'publication_models',
    'assets',
  ])
    for (const [url, prefix] of [
      ['/openapi.json', ''],
      ['/v5/openapi.json', '/v5'],
    ]) {
      const fresh = await startApp()
      const { requestBody } = find(`${url} post /${resource}`).operation
      const made = await fresh.post(`${prefix}/${resource}`, requestBody.content['application/json'].example)
      assert.equal(made.status, 201, made.text)
    }
})

test('real answers are what the documents say', async () => {
  const check = (name: string, status: number, body: unknown) => {
    const { document, operation } = find(name)
    const given = operation.responses[status]
    const response = given.$ref ? at(document, given.$ref) : given
    assert.deepEqual(faults(document, response.content['application/json'].schema, body), [], name)
  }
  for (const [url, prefix] of [
    ['/openapi.json', ''],
    ['/v5/openapi.json', '/v5'],
  ]) {
    const made = await app.post(`${prefix}/channels`, { name: 'Website', type: 'website' })
    check(`${url} post /channels`, 201, made.body)
    const fields = 'fields=environment,created_by,updated_by'
    check(`${url} get /channels`, 200, (await app.get(`${prefix}/channels?${fields}`)).body)
    check(`${url} get /channels`, 200, (await app.get(`${prefix}/channels?total=false`)).body)
    const one = await app.get(`${prefix}/channels/${made.body.id}?${fields}`)
    check(`${url} get /channels/{id}`, 200, one.body)
    check(`${url} get /channels/{id}`, 404, (await app.get(`${prefix}/channels/none`)).body)
    check(`${url} post /channels`, 400, (await app.post(`${prefix}/channels`, { nope: 1 })).body)
    check(`${url} get /channels`, 401, (await app.get(`${prefix}/channels`, { token: null })).body)
  }
  check('/openapi.json get /health', 200, (await app.get('/health')).body)
})

test('the reference page shows every operation and can run and load nothing', async () => {
  const { text, headers } = await app.get('/docs', { token: null })
  assert.match(headers.get('content-type')!, /^text\/html/)
  const policy = headers.get('content-security-policy')!
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/]{43}='/)
  assert.doesNotMatch(policy, /unsafe|script-src/)
  assert.doesNotMatch(text, /<script|<link|<img|<iframe|javascript:|\son\w+=|\sstyle=|url\(|@import/i)
  for (const { document, operation, name } of operations) {
    const prefix = document === documents['/openapi.json'] ? 'unversioned' : 'v5'
    assert.ok(text.includes(`id="${prefix}-${operation.operationId}"`), name)
    assert.ok(text.includes(`href="#${prefix}-${operation.operationId}"`), name)
  }
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
  const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  assert.deepEqual(
    links.filter((link) => !ids.includes(link!)),
    [],
  )
  assert.doesNotMatch(text, /undefined|\[object /)
})

test('whatever a schema says, it stays text on the reference page', () => {
  const evil = '"><script>alert(1)</script>\'&`<img src=x>`'
  const spoilt = structuredClone(documents['/openapi.json'])
  for (const part of walk(spoilt))
    for (const name of [
      'summary',
      'description',
      'example',
      'operationId',
      'tags',
      'enum',
      'x-scopes',
      'format',
    ])
      if (typeof part[name] === 'string') part[name] = evil
      else if (Array.isArray(part[name]) && typeof part[name][0] === 'string') part[name] = [evil]
  const { html } = docsPage(spoilt, documents['/v5/openapi.json'])
  assert.ok(html.includes('&lt;script&gt;'))
  assert.doesNotMatch(html, /<script|<img|"">|'>/i)
})
