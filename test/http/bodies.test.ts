import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Call, startApp, type TestApp } from '../harness/app.ts'
import { formOf, json, multipart, urlencoded } from './forms.ts'
import { exchange, statuses, tlsSocket } from './raw.ts'

const channel = {
  name: 'Radio «Ü» & more = 100%',
  slug: 'radio',
  type: 'radio',
  share_construct_url: null,
  streams: [
    { name: 'High', url: 'http://a.example/high.mp3' },
    { name: 'Low', custom: 'a+b' },
  ],
}
const pairs: [string, string][] = [
  ['name', channel.name],
  ['slug', 'radio'],
  ['type', 'radio'],
  ['share_construct_url', ''],
  ['streams[0][name]', 'High'],
  ['streams[0][url]', 'http://a.example/high.mp3'],
  ['streams[1][name]', 'Low'],
  ['streams[1][custom]', 'a+b'],
]
const fields = '?fields=type,share_construct_url,preview_construct_url,streams'

const post = (app: TestApp, call: Call) => app.call('POST', `/channels${fields}`, call)
const pathsOf = (answer: { body: { errors?: { path: string }[] } }) =>
  answer.body.errors?.map(({ path }) => path)

test('JSON, urlencoded and multipart bodies give the same record', async () => {
  const forms = [
    json(JSON.stringify(channel)),
    urlencoded(new URLSearchParams(pairs).toString()),
    multipart(pairs),
    { raw: formOf(pairs) },
    urlencoded(
      new URLSearchParams(
        pairs.map(([name, value]): [string, string] => [name.replace('[1]', '[7]'), value]),
      ).toString(),
    ),
  ]
  const bodies = await Promise.all(
    forms.map(async (form) => {
      const answer = await post(await startApp(), form)
      assert.equal(answer.status, 201, answer.text)
      const { id: _id, created_on: _on, ...rest } = answer.body
      return rest
    }),
  )
  for (const body of bodies) assert.deepEqual(body, bodies[0])
  assert.deepEqual(bodies[0].streams, channel.streams)
})

test('an empty value in a form is null or the empty list', async () => {
  const app = await startApp()
  const made = await post(app, json(JSON.stringify(channel)))
  const empty: [string, string][] = [
    ['type', ''],
    ['streams', ''],
  ]
  for (const form of [urlencoded('type=&streams='), multipart(empty)]) {
    const changed = await app.call('PUT', `/channels/${made.body.id}${fields}`, form)
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual([changed.body.type, changed.body.streams, changed.body.name], [null, [], channel.name])
  }
  const nested = await post(app, urlencoded('name=A&streams[0][name]=&streams[0][url]=x'))
  assert.deepEqual(nested.body.streams, [{ name: null, url: 'x' }])
  const required = await post(app, urlencoded('name='))
  assert.equal(required.status, 400)
  assert.ok(pathsOf(required)?.includes('name'))
})

test('a content type that is not taken is refused and nothing is done', async () => {
  const app = await startApp()
  const good = JSON.stringify({ name: 'Never' })
  const refused = [
    'text/plain',
    'application/json\ttext',
    'application/jsonx',
    'application',
    'application/',
    '/json',
    'text/json',
    'application/xml',
    'json',
    'application/json, text/plain',
    'application/json; charset=latin1',
    'application/json;charset="iso-8859-1"',
    'application/x-www-form-urlencoded; charset=utf-16',
    ';application/json',
    'application /json',
    'multipart/mixed; boundary=x',
    '*/*',
  ]
  for (const type of refused) {
    const answer = await post(app, { raw: good, headers: { 'content-type': type } })
    assert.ok([400, 415].includes(answer.status), `${type}: ${answer.status}`)
  }
  const none = `POST /channels HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await app.tokenFor(['channels', 'channels_publish'])}\r\n`
  for (const head of ['', 'Content-Type: \r\n', 'Content-Type: \t\r\n']) {
    const answer = await exchange(
      await tlsSocket(app.port),
      `${none}${head}Content-Length: ${good.length}\r\nConnection: close\r\n\r\n${good}`,
    )
    assert.deepEqual(statuses(answer), [415], head)
  }
  const encoded = await post(app, {
    raw: good,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  })
  assert.equal(encoded.status, 415)
  assert.equal((await app.get('/channels')).body.total, 0)
})

test('other spellings of a content type that is taken are taken', async () => {
  const app = await startApp()
  const types = [
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json;\tcharset=utf-8',
    'Application/Json; odata=x',
  ]
  for (const type of types) {
    const answer = await post(app, { raw: '{"name":"Taken"}', headers: { 'content-type': type } })
    assert.equal(answer.status, 201, type)
  }
})

test('a body that cannot be read is 400', async () => {
  const app = await startApp()
  const bad: Call[] = [
    ...[
      '',
      ' ',
      '{',
      '{"name":"A"',
      'null',
      '[]',
      '"x"',
      '5',
      'true',
      "{'name':'A'}",
      '{"name":"A"}x',
      'NaN',
      '[{"name":"A"}]',
    ].map(json),
    json(Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')])),
    json(Buffer.from('{"name":"A"}', 'utf16le')),
    urlencoded('name=%'),
    urlencoded('name=%ff'),
    urlencoded('name=a&name[x]=b'),
    urlencoded('name[=a'),
    urlencoded('[name]=a'),
    urlencoded('=a'),
    urlencoded(''),
    urlencoded('0=a&1=b'),
    { raw: '--x\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    { raw: 'x', headers: { 'content-type': 'multipart/form-data' } },
    { raw: 'x', headers: { 'content-type': 'multipart/form-data; boundary=' } },
    { ...multipart(pairs), raw: multipart(pairs).raw.slice(0, -20) },
    { ...multipart(pairs), raw: multipart(pairs).raw.slice(0, 60) },
    { raw: '', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
  ]
  for (const call of bad) {
    const answer = await post(app, call)
    assert.equal(answer.status, 400, `${call.headers?.['content-type']} ${call.raw}: ${answer.text}`)
    assert.equal(answer.body.type, 'ValidationFailed')
    assert.ok(answer.body.errors.length > 0)
  }
  assert.equal((await app.get('/channels')).body.total, 0)
})

test("names that reach into JavaScript's objects are refused with their path", async () => {
  const app = await startApp()
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    const cases: [Call, string][] = [
      [json(`{"name":"A","${name}":{"x":1}}`), name],
      [json(`{"name":"A","streams":[{"${name}":"x"}]}`), `streams.0.${name}`],
      [urlencoded(`name=A&${name}[x]=1`), `${name}[x]`],
      [urlencoded(`name=A&streams[0][${name}]=1`), `streams[0][${name}]`],
      [urlencoded(`name=A&${encodeURIComponent(name)}=1`), name],
      [
        multipart([
          ['name', 'A'],
          [`streams[${name}][x]`, '1'],
        ]),
        `streams[${name}][x]`,
      ],
    ]
    for (const [call, path] of cases) {
      const answer = await post(app, call)
      assert.equal(answer.status, 400, path)
      assert.deepEqual(pathsOf(answer), [path])
    }
    const query = await app.get(`/channels?name[${name}][x]=1`)
    assert.deepEqual(pathsOf(query), [`name[${name}][x]`])
  }
  assert.equal(({} as Record<string, unknown>).x, undefined)
})

test('too deep, too many and characters that cannot be stored are 400 with a path', async () => {
  const app = await startApp()
  const deep = `streams${'[a]'.repeat(100)}`
  const many = Array.from({ length: 10_000 }, (_, index) => `p${index}=1`).join('&')
  const parts: [string, string][] = Array.from({ length: 100_000 }, (_, index) => [`p${index}`, ''])
  const cases: [Call, string | undefined][] = [
    [urlencoded(`name=A&${deep}=1`), undefined],
    [multipart([[deep, '1']]), undefined],
    [json(`{"name":"A","streams":${'['.repeat(100)}1${']'.repeat(100)}}`), undefined],
    [json('['.repeat(1_000_000)), ''],
    [urlencoded(many), 'p1000'],
    [urlencoded(Array(10_000).fill('streams[]=1').join('&')), 'streams[]'],
    [multipart(parts), ''],
    [json(JSON.stringify({ name: 'A', streams: Array(300_000).fill(1) })), ''],
    [json('{"name":"a\\u0000b"}'), 'name'],
    [json('{"name":"a\\ud800b"}'), 'name'],
    [json('{"name":"A","streams":[{"url":"\\udc00"}]}'), 'streams.0.url'],
    [json('{"name":"A","a\\u0000":1}'), 'a\0'],
    [urlencoded('name=a%00b'), 'name'],
    [multipart([['name', 'a\0b']]), 'name'],
    [urlencoded(`${'n'.repeat(600)}=1`), `${'n'.repeat(100)}…`],
    [multipart([['n'.repeat(2000), '1']]), undefined],
  ]
  for (const [call, path] of cases) {
    const from = performance.now()
    const answer = await post(app, call)
    const what = `${String(call.raw).slice(0, 60)}: ${answer.text.slice(0, 300)}`
    assert.equal(answer.status, 400, what)
    assert.ok(answer.text.length < 10_000, what)
    if (path !== undefined) assert.ok(pathsOf(answer)?.includes(path), what)
    assert.ok(performance.now() - from < 5000, what)
  }
  assert.equal((await app.get('/channels')).body.total, 0)
})

test('a file where none is expected is named', async () => {
  const app = await startApp()
  const form = formOf([
    ['name', 'A'],
    ['streams[0][url]', new File(['x'.repeat(200_000)], 'evil.mp3')],
  ])
  const answer = await post(app, { raw: form })
  assert.equal(answer.status, 400)
  assert.deepEqual(pathsOf(answer), ['streams[0][url]'])
})
