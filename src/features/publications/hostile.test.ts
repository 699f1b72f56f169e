import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addModel } from '../../../test/harness/factories.ts'
import {
  addPublication,
  bodyOf,
  changePublication,
  encodings,
  readPublication,
  text,
} from '../../../test/harness/publications.ts'
import { absent, eventsOf, faults } from '../../../test/harness/records/kind.ts'
import { json, urlencoded } from '../../../test/http/forms.ts'

const [en, nl] = ['en-US', 'nl-NL'] as const

test('a body that is wrong everywhere is refused with every path at once', async () => {
  const app = await startApp()
  const body = {
    label: 7,
    model: { id: 5 },
    locales: ['en-US', 8, 'de-DE'],
    items: {
      [en]: { a: 'x', b: { label: 'Integer', value: 'y' }, 'c d': text('z') },
      [nl]: 'text',
      'de-DE': {},
    },
    slug: { [en]: 'a b', [nl]: 5 },
    status: { [en]: 'Done', [nl]: { body: 'None' } },
    publish_on: { [en]: 'soon', [nl]: {} },
    expire_on: { [en]: '2026-02-30', [nl]: true },
    channels: [{ id: absent }, {}, 'x'],
    containers: { id: absent },
    assigned_to: { [en]: { id: absent }, [nl]: 'me' },
    other: 1,
  }
  const answer = await app.post('/publications', body)
  const paths = [
    ...['assigned_to.en-US.id', 'assigned_to.nl-NL', 'channels.0.id', 'channels.1.id', 'channels.2'],
    ...['containers', 'expire_on.en-US', 'expire_on.nl-NL', 'items.de-DE', 'items.en-US.a'],
    ...['items.en-US.b.value', 'items.en-US.c d', 'items.nl-NL', 'label', 'locales.1', 'locales.2'],
    ...['model.id', 'other', 'publish_on.en-US', 'publish_on.nl-NL', 'slug.en-US', 'slug.nl-NL'],
    ...['status.en-US', 'status.nl-NL.body'],
  ]
  assert.deepEqual([...new Set(faults(answer))], paths)
  const { id } = await addPublication(app)
  const { label: _label, ...change } = body
  const put = await app.put(`/publications/${id}`, change)
  assert.deepEqual(
    [...new Set(faults(put))],
    paths.filter((path) => path !== 'label'),
  )
  assert.deepEqual(await eventsOf(app, id), ['publication.created'])
  assert.equal((await app.get('/tags')).body.total, 0)
})

test('bodies that are no objects, and values of every wrong type in every place, are 400', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  for (const raw of ['[]', '"x"', '7', 'null', 'true', '', '{', '[{}]'])
    for (const [method, path] of [
      ['POST', '/publications'],
      ['PUT', `/publications/${id}`],
    ] as const) {
      const { status, text: told } = await app.call(method, path, json(raw))
      assert.equal(status, 400, `${method} ${raw} ${told}`)
    }
  const names = ['model', 'locales', 'items', 'slug', 'status', 'publish_on', 'expire_on', 'channels']
  for (const name of [...names, 'containers', 'assigned_to'])
    for (const value of [0, 'x', true, [[]], { a: 1 }, [null]]) {
      const answer = await app.put(`/publications/${id}`, { [name]: value })
      assert.ok(
        faults(answer).every((path) => path.startsWith(name)),
        `${name} ${answer.text}`,
      )
    }
  const places = names.filter((name) => !['model', 'locales', 'channels'].includes(name))
  for (const name of places)
    for (const value of [true, [1], [[]], 1.5]) {
      const answer = await app.put(`/publications/${id}`, { [name]: { [en]: value } })
      assert.ok(
        faults(answer).every((path) => path.startsWith(`${name}.en-US`)),
        `${name} ${answer.text}`,
      )
    }
})

test('NUL characters and lone surrogates are refused or stored as they can be, never a failure', async () => {
  const app = await startApp()
  const nasty = [
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfffy',
    '\ufffe',
    '\u202e',
    'e\u0301',
    '𝔘𝔫',
    "'; drop table publications; --",
    '%00',
    '\\u0000',
    '{{7*7}}',
  ]
  const places: ((value: string) => object)[] = [
    (value) => ({ items: { [en]: { title: text(value) } } }),
    (value) => ({ items: { [en]: { title: text(value, 'CODE') } } }),
    (value) => ({ items: { [en]: { [value]: text('x') } } }),
    (value) => ({ items: { [en]: { quote: { body: value, author: value } } } }),
    (value) => ({ items: { [en]: { tags: { label: 'TagBox', items: [{ body: value }] } } } }),
    (value) => ({ items: { [en]: { more: { label: 'Publication', items: [{ id: value }] } } } }),
    (value) => ({ items: { [en]: { quiz: { label: 'QuizPost', id: value } } } }),
    (value) => ({ items: { [value]: {} } }),
    (value) => ({ slug: { [en]: value } }),
    (value) => ({ status: { [en]: { body: value } } }),
    (value) => ({ status: { [en]: { id: value } } }),
    (value) => ({ publish_on: { [en]: value } }),
    (value) => ({ channels: [{ id: value }] }),
    (value) => ({ model: { id: value } }),
    (value) => ({ assigned_to: { [en]: { id: value } } }),
    (value) => ({ locales: [value] }),
  ]
  const { id } = await addPublication(app)
  for (const value of nasty) {
    for (const place of places) {
      const answer = await app.put(`/publications/${id}?fields=items`, place(value))
      assert.ok([200, 400].includes(answer.status), `${JSON.stringify(place(value))} ${answer.text}`)
    }
    assert.equal(
      (await app.get(`/publications/${encodeURIComponent(value.toWellFormed())}`)).status < 500,
      true,
    )
  }
  const plain = 'e\u0301 𝔘𝔫 \u202e \\u0000'
  const kept = await changePublication(app, id, { items: { [en]: { title: text(plain, 'H1') } } })
  assert.equal(kept.items[en].title.body, plain)
})

test('names of object machinery are no locales, fields or properties', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])
    for (const body of [
      `{"items":{"en-US":{"${name}":{"label":"Text","body":"x"}}}}`,
      `{"items":{"${name}":{"title":{"label":"Text","body":"x"}}}}`,
      `{"items":{"en-US":{"title":{"label":"Text","body":"x","${name}":1}}}}`,
      `{"items":{"en-US":{"title":{"label":"${name}","body":"x"}}}}`,
      `{"status":{"${name}":{"body":"Done"}}}`,
      `{"status":{"en-US":{"body":"${name}"}}}`,
      `{"${name}":{"x":1}}`,
    ]) {
      const answer = await app.call('PUT', `/publications/${id}`, json(body))
      assert.equal(answer.status, 400, `${body} ${answer.text}`)
    }
  const form = urlencoded('items[en-US][__proto__][body]=x')
  assert.equal((await app.call('PUT', `/publications/${id}`, form)).status, 400)
  assert.equal(({} as { body?: string }).body, undefined)
  assert.deepEqual(await eventsOf(app, id), ['publication.created'])
})

test('texts up to a million characters are stored, longer ones and too much of anything refused', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const long = 'wörd '.repeat(200_000)
  const kept = await changePublication(app, id, { items: { [en]: { body: text(long, 'CODE') } } })
  assert.equal(kept.items[en].body.body, long)
  const put = (items: object) => app.put(`/publications/${id}`, { items: { [en]: items } })
  assert.deepEqual(faults(await put({ body: text(`${long}x`) })), ['items.en-US.body.body'])
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, text('x')]))
  assert.deepEqual(faults(await put(many)), ['items.en-US'])
  const ids = Array.from({ length: 20_000 }, () => ({ id: absent }))
  assert.deepEqual(faults(await put({ more: { label: 'Publication', items: ids } })), [
    'items.en-US.more.items',
  ])
  const locales = Array.from({ length: 10_000 }, () => en)
  assert.deepEqual([...new Set(faults(await app.put(`/publications/${id}`, { locales })))], ['locales'])
  const channels = faults(await app.put(`/publications/${id}`, { channels: ids }))
  assert.deepEqual([channels[0], channels.length], ['channels', 100])
  let nested: object = text('deep')
  for (let depth = 0; depth < 20; depth += 1) nested = { label: 'ElementBox', items: [nested] }
  assert.equal(faults(await put({ box: nested })).length, 1)
  const deep = `{"items":{"en-US":{"x":${'['.repeat(5000)}${']'.repeat(5000)}}}}`
  assert.equal((await app.call('PUT', `/publications/${id}`, json(deep))).status, 400)
  const tags = `<b>${'<i>'.repeat(20_000)}x`
  const html = await put({ body: text(tags) })
  assert.ok([200, 400].includes(html.status))
  assert.equal(
    (await app.call('PUT', `/publications/${id}`, json(`{"x":"${'x'.repeat(10_000_001)}"}`))).status,
    413,
  )
})

test('only rich text is sanitized; every other text is stored and shown as it was sent', async () => {
  const app = await startApp()
  const evil =
    '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)" onclick="x">a</a><b>b</b>'
  const model = await addModel(app, {
    fields: ['Text', 'Quote', 'CardItem', 'Number'].map((label) => ({ api_id: label, label })) as never,
  })
  for (const encode of Object.values(encodings)) {
    const items = {
      [en]: {
        Text: { body: evil },
        Quote: { body: evil, author: evil },
        CardItem: { body: evil, sub_title: evil, description: evil, url_label: evil },
        Number: { title: evil, number: 1, description: evil, body: evil },
      },
    }
    const made = await app.call('POST', '/publications', encode(bodyOf(items, { model: { id: model.id } })))
    assert.equal(made.status, 201, made.text)
    const shown = (await readPublication(app, made.body.id)).items[en]
    assert.equal(shown.Text.body, '<a>a</a><b>b</b>')
    for (const [name, sent] of Object.entries(items[en]).slice(1))
      for (const [property, value] of Object.entries(sent)) assert.equal(shown[name][property], value)
  }
  for (const format of ['H1', 'H6', 'CODE']) {
    const { items } = await addPublication(app, { [en]: { title: text(evil, format) } })
    assert.equal(items[en].title.body, evil)
  }
  const { id } = await addPublication(app, { [en]: { title: text(evil, 'CODE') } })
  const changed = await changePublication(app, id, { items: { [en]: { title: { format: null } } } })
  assert.equal(changed.items[en].title.body, '<a>a</a><b>b</b>')
})

test('dates are epoch seconds or ISO 8601 in any offset, kept to the second; others are refused', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  for (const [sent, shown] of [
    [0, '1970-01-01T00:00:00+00:00'],
    ['1700000000', '2023-11-14T22:13:20+00:00'],
    ['2026-11-01', '2026-11-01T00:00:00+00:00'],
    ['2026-11-01T09:30', '2026-11-01T09:30:00+00:00'],
    ['2026-11-01 09:30:15', '2026-11-01T09:30:15+00:00'],
    ['2026-11-01T09:30:15.999Z', '2026-11-01T09:30:15+00:00'],
    ['2026-11-01T00:30:00+02:00', '2026-10-31T22:30:00+00:00'],
  ] as const) {
    const { publish_on, expire_on } = await changePublication(app, id, {
      publish_on: { [en]: sent },
      expire_on: { [en]: sent },
    })
    assert.deepEqual([publish_on[en], expire_on[en]], [shown, shown])
  }
  for (const bad of [
    '',
    'tomorrow',
    '2026-13-01',
    '2026-02-29',
    1.5,
    1e15,
    '99999999999999',
    '2026-11-01T25:00',
    -1e14,
  ])
    assert.ok(
      faults(await app.put(`/publications/${id}`, { publish_on: { [en]: bad } })).includes(
        'publish_on.en-US',
      ),
      String(bad),
    )
})
