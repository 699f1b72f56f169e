import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser } from '../../../test/harness/access.ts'
import { startApp } from '../../../test/harness/app.ts'
import { addModel } from '../../../test/harness/factories.ts'
import {
  addPublication,
  bodyOf,
  changePublication,
  encodings,
  readPublication,
  setLocales,
  text,
} from '../../../test/harness/publications.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'

const [en, nl] = ['en-US', 'nl-NL'] as const

test('a locale is linked when it is named and a field of it is filled', async () => {
  const app = await startApp()
  const cases: [object, string[]][] = [
    [{ locales: [en], items: { [en]: { title: text('A') } } }, [en]],
    [{ locales: [en], items: { [en]: { title: text('A') }, [nl]: { title: text('B') } } }, [en, nl]],
    [{ locales: [en, nl], items: { [en]: { title: text('A') } } }, [en]],
    [{ locales: [nl, nl, en], items: { [nl]: { title: text('A') } } }, [nl]],
    [{ locales: [en], items: { [en]: { title: text('') } } }, []],
    [{ locales: [en], items: { [en]: { title: text('<p> </p>') } } }, []],
    [{ locales: [en], items: { [en]: { title: text(' ', 'H1') } } }, []],
    [{ locales: [en], items: { [en]: {} } }, []],
    [{ locales: [en], items: { [en]: null } }, []],
    [{ locales: [en], items: { [en]: { title: null } } }, []],
    [{ locales: [en], items: {} }, []],
    [{ locales: [en], items: null }, []],
    [{ locales: [en] }, []],
    [{ locales: [en], status: { [nl]: { body: 'Done' } }, items: { [en]: { on: { value: false } } } }, [en]],
    [{ locales: [en], items: { [en]: { n: { value: 0 } } } }, [en]],
    [{ locales: [en], items: { [en]: { tags: { label: 'TagBox', items: [] } } } }, []],
    [{ locales: [en], items: { [en]: { c: { label: 'Color', format: 'Color' } } } }, []],
  ]
  for (const [body, linked] of cases) {
    const answer = await app.post('/publications', { label: 'Publication', ...body })
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual(answer.body.locales, linked, JSON.stringify(body))
    assert.deepEqual(Object.keys(answer.body.status), linked)
    assert.deepEqual(Object.keys(answer.body.slug), linked)
  }
})

test('a locale is unlinked by emptying its fields, together or one by one, and by nothing else', async () => {
  const app = await startApp()
  const both = { [en]: { title: text('A'), body: text('a') }, [nl]: { title: text('B'), body: text('b') } }
  const empty: [object, string][] = [
    [{ items: { [nl]: null } }, en],
    [{ items: { [nl]: { title: null, body: null } } }, en],
    [{ items: { [nl]: { title: { body: '' }, body: null } } }, en],
    [{ items: { [nl]: { title: null } } }, `${en},${nl}`],
    [{ locales: [en] }, `${en},${nl}`],
    [{ items: { [nl]: {} } }, `${en},${nl}`],
    [{ items: {} }, `${en},${nl}`],
    [{ items: null }, ''],
    [{ items: { [en]: null, [nl]: null } }, ''],
  ]
  for (const [change, linked] of empty)
    for (const [way, encode] of Object.entries(encodings)) {
      if (way !== 'JSON' && /\{\}|"items":null/.test(JSON.stringify(change))) continue
      const { id } = await addPublication(app, both)
      const put = await app.call('PUT', `/publications/${id}?fields=items`, encode(change))
      assert.equal(put.status, 200, put.text)
      assert.equal(put.body.locales.join(), linked, `${way} ${JSON.stringify(change)}`)
      assert.equal(Object.keys(put.body.items).join(), linked)
      const status = linked.includes(nl) ? 200 : 404
      assert.equal((await app.get(`/publications/${id}?locale=${nl}`)).status, status)
    }
})

test('null in place of all locales takes back what each had', async () => {
  const app = await startApp()
  const set = { [en]: '2026-12-01T08:00:00+00:00', [nl]: '2026-12-02T08:00:00+00:00' }
  const both = { [en]: { title: text('A') }, [nl]: { title: text('B') } }
  const { id } = await addPublication(app, both, { publish_on: set, expire_on: set })
  const { body } = await app.put(`/publications/${id}`, { publish_on: null })
  assert.deepEqual([body.publish_on, body.expire_on], [{ [en]: null, [nl]: null }, set])
})

test('what was set for a locale that is not linked holds from when it is', async () => {
  const app = await startApp()
  const user = await addUser(app)
  const settings = {
    status: { [nl]: { body: 'Review' } },
    publish_on: { [nl]: '2027-01-01' },
    expire_on: { [nl]: '2028-01-01' },
    assigned_to: { [nl]: { id: user.id } },
    slug: { [nl]: 'kept' },
  }
  const { id } = await addPublication(app, { [en]: { title: text('A') } }, settings)
  assert.deepEqual((await readPublication(app, id, 'fields=assigned_to')).assigned_to, {})
  await changePublication(app, id, { items: { [nl]: { title: text('B') } } })
  const expected = { body: 'Review', slug: 'kept', publish_on: '2027-01-01T00:00:00+00:00', user: user.id }
  const seen = async () => {
    const body = await readPublication(app, id, 'fields=assigned_to')
    const { slug, publish_on, assigned_to, status } = body
    return { body: status[nl].body, slug: slug[nl], publish_on: publish_on[nl], user: assigned_to[nl].id }
  }
  assert.deepEqual(await seen(), expected)
  await changePublication(app, id, { items: { [nl]: null } })
  assert.equal((await readPublication(app, id)).status[nl], undefined)
  await changePublication(app, id, { items: { [nl]: { title: text('C') } } })
  assert.deepEqual(await seen(), expected)
})

test('a locale that the environment does not have is refused wherever it is named', async () => {
  const app = await startApp()
  const body = {
    label: 'Publication',
    locales: [en, 'de-DE', 'nl-nl', ''],
    items: { 'de-DE': { title: text('x') }, 'fr-FR': null, constructor_: {} },
    status: { 'de-DE': { body: 'Done' } },
    publish_on: { 'de-DE': 1 },
    expire_on: { 'de-DE': null },
    slug: { 'de-DE': 'x' },
    assigned_to: { 'de-DE': null },
  }
  const paths = ['assigned_to.de-DE', 'expire_on.de-DE', 'items.constructor_', 'items.de-DE', 'items.fr-FR']
  paths.push('locales.1', 'locales.2', 'locales.3', 'publish_on.de-DE', 'slug.de-DE', 'status.de-DE')
  assert.deepEqual(faults(await app.post('/publications', body)), paths)
  const { id } = await addPublication(app)
  const { label: _label, ...change } = body
  assert.deepEqual(faults(await app.put(`/publications/${id}`, change)), paths)
  for (const locale of ['de-DE', 'xx', '', 'en-US,nl-NL'])
    assert.deepEqual(faults(await app.get(`/publications/${id}?locale=${locale}`)), ['locale'])
  assert.deepEqual(await eventsOf(app, id), ['publication.created'])
})

test('a locale taken from the environment stays stored, can be read and is left alone', async () => {
  const app = await startApp()
  await setLocales(app, [en, nl, 'fr-FR'])
  const items = { [en]: { title: text('A') }, 'fr-FR': { title: text('F') } }
  const { id } = await addPublication(app, items)
  await setLocales(app, [en, nl])
  const read = await readPublication(app, id)
  assert.deepEqual(read.locales, [en, 'fr-FR'])
  const back = await changePublication(app, id, read)
  assert.equal(back.changed_on, null)
  await setLocales(app, [en, nl, 'fr-FR'])
  assert.equal((await readPublication(app, id)).items['fr-FR'].title.body, 'F')
})

const shared = [
  { api_id: 'title', label: 'Text' },
  { api_id: 'price', label: 'Integer', localized: false },
  { api_id: 'tags', label: 'TagBox', localized: false },
]

test('a field that is not localized is stored once and shown in every linked locale', async () => {
  const app = await startApp()
  const model = { id: (await addModel(app, { fields: shared })).id }
  const { id, items } = await addPublication(
    app,
    { [en]: { title: text('A'), price: { value: 1 } }, [nl]: { title: text('B') } },
    { model },
  )
  assert.deepEqual(items[en].price, items[nl].price)
  const changed = await changePublication(app, id, { items: { [nl]: { price: { value: 2 } } } })
  assert.deepEqual([changed.items[en].price.value, changed.items[nl].price.value], [2, 2])
  assert.equal(changed.items[en].price.id, items[en].price.id)
  const repeated = { [en]: { price: { value: 2 } }, [nl]: { price: { value: 3 } } }
  assert.equal((await changePublication(app, id, { items: repeated })).items[en].price.value, 3)
  const twice = { [en]: { price: { value: 4 } }, [nl]: { price: { value: 4 } } }
  assert.equal((await changePublication(app, id, { items: twice })).items[nl].price.value, 4)
  const against = { [en]: { price: { value: 5 } }, [nl]: { price: { value: 6 } } }
  assert.deepEqual(faults(await app.put(`/publications/${id}`, { items: against })), ['items.nl-NL.price'])
  const removed = { [en]: { price: { value: 5 } }, [nl]: { price: null } }
  assert.deepEqual(faults(await app.put(`/publications/${id}`, { items: removed })), ['items.nl-NL.price'])
  const created = bodyOf(against, { model })
  assert.deepEqual(faults(await app.post('/publications', created)), ['items.nl-NL.price'])
  const alone = await addPublication(app, { [en]: { price: { value: 1 } } }, { model, locales: [en, nl] })
  assert.deepEqual(alone.locales, [en, nl])
  const gone = await changePublication(app, alone.id, { items: { [nl]: { price: null } } })
  assert.deepEqual(gone.locales, [])
})

test('tags by body that are stored once agree when they name the same tags', async () => {
  const app = await startApp()
  const model = { id: (await addModel(app, { fields: shared })).id }
  const tags = (...bodies: string[]) => ({ tags: { items: bodies.map((body) => ({ body })) } })
  const { items, id } = await addPublication(app, { [en]: tags('One'), [nl]: tags('One') }, { model })
  assert.deepEqual(items[en], items[nl])
  const against = { items: { [en]: tags('One', 'Two'), [nl]: tags('Three') } }
  assert.deepEqual(faults(await app.put(`/publications/${id}`, against)), ['items.nl-NL.tags'])
  const { body } = await app.get('/tags')
  assert.deepEqual(
    body.items.map((tag: { body: string }) => tag.body),
    ['One'],
  )
})

test('locale shows one locale alone, and fallback fills what it lacks from the default one', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, {
    [en]: { title: text('Title'), intro: text('Intro'), lead: text('Lead') },
    [nl]: { title: text('Titel'), intro: text('') },
  })
  const seen = async (query: string) => {
    const { locales, slug, status, items } = await readPublication(app, id, `fields=items&${query}`)
    assert.deepEqual(
      [Object.keys(slug), Object.keys(status), Object.keys(items)],
      [locales, locales, locales],
    )
    return Object.fromEntries(
      Object.entries(items as Record<string, Record<string, { body: string }>>).map(([locale, fields]) => [
        locale,
        Object.entries(fields)
          .map(([name, { body }]) => `${name}=${body}`)
          .toSorted()
          .join(),
      ]),
    )
  }
  const whole = 'intro=Intro,lead=Lead,title=Title'
  assert.deepEqual(await seen(''), { [en]: whole, [nl]: 'intro=,title=Titel' })
  assert.deepEqual(await seen('locale=nl-NL'), { [nl]: 'intro=,title=Titel' })
  assert.deepEqual(await seen('locale=nl-NL&fallback=true'), { [nl]: 'intro=Intro,lead=Lead,title=Titel' })
  assert.deepEqual(await seen('fallback=1'), { [en]: whole, [nl]: 'intro=Intro,lead=Lead,title=Titel' })
  assert.deepEqual(await seen('locale=en-US&fallback=false'), { [en]: whole })
  assert.deepEqual(faults(await app.get(`/publications/${id}?fallback=maybe`)), ['fallback'])
  const only = await addPublication(app, { [en]: { title: text('Only') } })
  assert.equal((await app.get(`/publications/${only.id}?locale=nl-NL`)).status, 404)
  assert.equal((await app.get(`/publications/${only.id}?locale=nl-NL&fallback=true`)).status, 404)
})
