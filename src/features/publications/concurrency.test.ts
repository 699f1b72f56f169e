import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addModel } from '../../../test/harness/factories.ts'
import {
  addPublication,
  bodyOf,
  changePublication,
  manyLocales,
  readPublication,
  setLocales,
  storedVersions,
  text,
  versionOf,
} from '../../../test/harness/publications.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'

const [en, nl] = ['en-US', 'nl-NL'] as const
const titled = (title: string, locale: string = en) => ({ [locale]: { title: text(title) } })

test('50 parallel PUTs to 50 locales of one publication are all kept', async () => {
  const app = await startApp()
  const locales = manyLocales(50)
  await setLocales(app, locales)
  const { id } = await addPublication(app, titled('Start', locales[0]!))
  const answers = await Promise.all(
    locales.map((locale, index) => app.put(`/publications/${id}`, { items: titled(`T${index}`, locale) })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { items, slug } = await readPublication(app, id)
  assert.deepEqual(
    locales.map((locale) => items[locale].title.body),
    locales.map((_, index) => `T${index}`),
  )
  assert.equal(Object.keys(slug).length, 50)
  const versions = await storedVersions(app, id)
  assert.deepEqual(
    versions.map(({ version }) => version),
    Array.from({ length: 51 }, (_, index) => index + 1),
  )
  assert.equal((await eventsOf(app, id)).length, 51)
  assert.deepEqual(
    answers.map(versionOf).toSorted((one, other) => one - other),
    versions.slice(1).map(({ version }) => version),
  )
})

test('50 parallel PUTs to 50 fields of one locale are all kept, stored once or not', async () => {
  const app = await startApp()
  const fields = Array.from({ length: 50 }, (_, index) => ({
    api_id: `f${index}`,
    label: 'Text',
    localized: index % 2 === 0,
  }))
  const model = { id: (await addModel(app, { fields: fields as never })).id }
  const { id } = await addPublication(app, { [en]: { f0: text('Start') } }, { model })
  const answers = await Promise.all(
    fields.map(({ api_id }) =>
      app.put(`/publications/${id}`, { items: { [en]: { [api_id]: text(api_id) } } }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { items } = await readPublication(app, id)
  for (const { api_id } of fields) assert.equal(items[en][api_id].body, api_id)
})

test('parallel writes of publications that refer to each other, with the same new tags, all pass', async () => {
  const app = await startApp()
  const [one, other] = [await addPublication(app), await addPublication(app)]
  const change = (id: string, index: number) => ({
    [en]: {
      more: { label: 'Publication', items: [{ id }] },
      tags: { label: 'TagBox', items: [{ body: `New ${index % 3}` }, { body: `New ${(index + 1) % 3}` }] },
    },
  })
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => {
      const [self, target] = index % 2 === 0 ? [one, other] : [other, one]
      return app.put(`/publications/${self.id}`, { items: change(target.id, index) })
    }),
  )
  assert.deepEqual(
    [...new Set(answers.map(({ status, text: raw }) => (status === 200 ? status : raw)))],
    [200],
  )
  assert.equal((await app.get('/tags')).body.total, 3)
})

test('an old If-Match stops a write of a locale only when that locale has changed since', async () => {
  const app = await startApp()
  const model = {
    id: (
      await addModel(app, {
        fields: [
          { api_id: 'title', label: 'Text' },
          { api_id: 'once', label: 'Integer', localized: false },
        ],
      })
    ).id,
  }
  const { id } = await addPublication(app, { ...titled('A'), ...titled('B', nl) }, { model })
  const url = `/publications/${id}`
  const put = (body: object, etag: string) => app.put(url, body, { headers: { 'if-match': etag } })
  const first = (await app.get(url)).headers.get('etag')!
  assert.equal((await put({ items: titled('A2') }, first)).status, 200)
  assert.equal((await put({ items: titled('B2', nl) }, first)).status, 200)
  for (const body of [
    { items: titled('B3', nl) },
    { items: titled('A3') },
    { status: { [nl]: { body: 'Done' } } },
    { publish_on: { [nl]: 1 } },
    { expire_on: { [nl]: 1 } },
    { slug: { [nl]: 'x' } },
    { assigned_to: { [nl]: null } },
    { channels: [] },
    { model: null },
    { items: titled('B3', nl), locales: [nl] },
    { items: titled('A3'), status: { [nl]: { body: 'Done' } } },
    {},
  ])
    assert.equal((await put(body, first)).status, 412, JSON.stringify(body))
  const second = (await app.get(url)).headers.get('etag')!
  assert.equal((await put({ items: { [en]: { once: { value: 1 } } } }, second)).status, 200)
  assert.equal((await put({ items: titled('B4', nl) }, second)).status, 412)
  const third = (await app.get(url)).headers.get('etag')!
  await changePublication(app, id, { channels: [] })
  assert.equal((await app.delete(url, { headers: { 'if-match': second } })).status, 412)
  for (const bad of ['junk', '', '"1']) assert.deepEqual(faults(await put({}, bad)), ['If-Match'])
  for (const other of ['"x"', '"99999999999"']) assert.equal((await put({}, other)).status, 412)
  assert.equal((await put({ items: titled('X') }, '"999-abc"')).status, 412)
  assert.equal((await put({ items: titled('A5') }, '*')).status, 200)
  assert.equal((await put({ items: titled('B5', nl) }, third)).status, 200)
  const last = (await app.get(url)).headers.get('etag')!
  assert.equal((await app.delete(url, { headers: { 'if-match': last } })).status, 204)
})

test('of 20 parallel writes of two locales with one If-Match one of each passes', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, { ...titled('A'), ...titled('B', nl) })
  const etag = (await app.get(`/publications/${id}`)).headers.get('etag')!
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      app.put(
        `/publications/${id}`,
        { items: titled(`W${index}`, index % 2 ? en : nl) },
        { headers: { 'if-match': etag } },
      ),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, ...Array(18).fill(412)])
  assert.equal((await storedVersions(app, id)).length, 3)
})

test('a body that is held is 304; the ETag tells locale, fields and what is seen apart', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, { ...titled('A'), ...titled('B', nl) })
  const queries = ['', '?fields=items', '?locale=nl-NL', '?fields=items&locale=nl-NL', '?fields=title']
  const tags = new Set<string>()
  for (const query of queries) {
    const etag = (await app.get(`/publications/${id}${query}`)).headers.get('etag')!
    tags.add(etag)
    const held = await app.get(`/publications/${id}${query}`, { headers: { 'if-none-match': etag } })
    assert.deepEqual([held.status, held.text], [304, ''])
  }
  assert.equal(tags.size, queries.length)
})

test('50 parallel posts with one Idempotency-Key make one publication and get one answer', async () => {
  const app = await startApp()
  const body = bodyOf({ [en]: { title: text('Once'), tags: { label: 'Tag', items: [{ body: 'new' }] } } })
  const post = (sent: object) =>
    app.post('/publications?fields=items', sent, { headers: { 'idempotency-key': 'k-1' } })
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(body)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map(({ text: raw }) => raw)).size, 1)
  assert.equal(answers.filter(({ headers }) => !headers.has('idempotency-replayed')).length, 1)
  assert.deepEqual(faults(await post({ ...body, locales: [en, nl] }), 409), ['Idempotency-Key'])
  assert.equal((await eventsOf(app, answers[0]!.body.id)).length, 1)
})

test('a deletion beside writes leaves nothing behind, whoever comes first', async () => {
  const app = await startApp()
  for (let round = 0; round < 5; round += 1) {
    const { id } = await addPublication(app, titled('A'))
    const [gone, again, ...writes] = await Promise.all([
      app.delete(`/publications/${id}`),
      app.delete(`/publications/${id}`),
      ...Array.from({ length: 8 }, (_, index) =>
        app.put(`/publications/${id}`, { items: titled(`W${index}`) }),
      ),
    ])
    assert.deepEqual([gone!.status, again!.status].toSorted(), [204, 404])
    for (const { status } of writes) assert.ok(status === 200 || status === 404, String(status))
    const events = await eventsOf(app, id)
    assert.equal(events.at(-1), 'publication.deleted')
    assert.equal(events.length, 2 + writes.filter(({ status }) => status === 200).length)
    const left = await app.sql`select 1 from publication_locales where id = ${id}`
    assert.equal(left.length, 0)
  }
})

test('a publication of 40 locales with 60 fields each is written and read', async () => {
  const app = await startApp()
  const locales = manyLocales(40)
  await setLocales(app, locales)
  const fields = Array.from({ length: 60 }, (_, index) => ({ api_id: `f${index}`, label: 'Text' }))
  const model = { id: (await addModel(app, { fields: fields as never })).id }
  const items = Object.fromEntries(
    locales.map((locale) => [
      locale,
      Object.fromEntries(fields.map(({ api_id }) => [api_id, text(`<p>${locale} ${api_id}</p>`)])),
    ]),
  )
  const { id } = await addPublication(app, items, { model })
  const read = await readPublication(app, id)
  assert.deepEqual(read.locales, locales.toSorted())
  for (const locale of locales)
    for (const { api_id } of fields)
      assert.equal(read.items[locale][api_id].body, `<p>${locale} ${api_id}</p>`)
  assert.equal((await changePublication(app, id, read)).changed_on, null)
})
