import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addAsset, addChannel, addModel, addPerson, addTag } from '../../../../test/harness/factories.ts'
import {
  addPublication,
  changePublication,
  encodings,
  type Loose,
  readerToken,
  readPublication,
  storedVersions,
  text,
} from '../../../../test/harness/publications.ts'
import { absent, eventsOf, faults } from '../../../../test/harness/records/kind.ts'

type Headers = Record<string, string>
const draftOf = (id: string) => `/publications/${id}?draft=true&fields=items`
const save = async (app: TestApp, id: string, body: object, headers: Headers = {}) => {
  const answer = await app.put(draftOf(id), body, { headers })
  assert.equal(answer.status, 200, answer.text)
  return answer
}
const readDraft = async (app: TestApp, id: string) => {
  const answer = await app.get(draftOf(id))
  assert.equal(answer.status, 200, answer.text)
  return answer
}
const publish = (app: TestApp, id: string, body?: object, headers: Headers = {}) =>
  app.post(`/publications/${id}/publish?fields=items`, body, { headers })
const published = async (app: TestApp, id: string, body?: object) => {
  const answer = await publish(app, id, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const en = (items: object) => ({ items: { 'en-US': items } })
const nl = (items: object) => ({ items: { 'nl-NL': items } })
const seen = ({ headers }: { headers: globalThis.Headers }): Headers => ({ 'if-match': headers.get('etag')! })
const bodies = (items: Loose) =>
  Object.fromEntries(Object.entries<Loose>(items).map(([api_id, value]) => [api_id, value.body]))

test('a draft is seen by who asks for it and by nobody else, until it is published as one version', async () => {
  const app = await startApp()
  const before = await addPublication(app, { 'en-US': { title: text('One'), intro: text('Intro') } })
  const { id } = before
  const saved = await save(app, id, { ...en({ title: text('Two') }), status: { 'en-US': { body: 'Done' } } })
  assert.deepEqual(bodies(saved.body.items['en-US']), { title: 'Two', intro: 'Intro' })
  await save(app, id, nl({ title: text('Drie') }))
  assert.deepEqual(await readPublication(app, id), before)
  assert.equal((await storedVersions(app, id)).length, 1)
  assert.deepEqual(await eventsOf(app, id), ['publication.created'])
  const { body: draft } = await readDraft(app, id)
  assert.deepEqual([draft.locales, draft.slug['nl-NL']], [['en-US', 'nl-NL'], 'drie'])
  assert.equal(draft.status['en-US'].body, 'Done')
  const after = await published(app, id)
  assert.deepEqual(after.items, draft.items, 'values keep their ids')
  assert.deepEqual(await readPublication(app, id), after)
  assert.deepEqual(
    (await storedVersions(app, id)).map(({ event }) => event),
    ['created', 'changed'],
  )
  assert.deepEqual((await eventsOf(app, id)).slice(1), ['publication.changed', 'publication.published'])
  assert.deepEqual(faults(await publish(app, id), 409), ['draft'])
  assert.deepEqual((await readDraft(app, id)).body, after, 'without a draft, what readers see')
})

test('everything that a publication has can be drafted, in JSON and in forms', async () => {
  const app = await startApp()
  const [model, channel, user] = await Promise.all([
    addModel(app, { fields: [{ api_id: 'title', label: 'Text' }] } as never),
    addChannel(app),
    addUser(app),
  ])
  const body = {
    model: { id: model.id },
    channels: [{ id: channel.id }],
    items: { 'en-US': { title: text('New') }, 'nl-NL': { title: text('Nieuw') } },
    slug: { 'en-US': 'chosen' },
    status: { 'en-US': { body: 'Done' }, 'nl-NL': { body: 'Review' } },
    publish_on: { 'en-US': '2026-01-01T00:00:00+00:00' },
    expire_on: { 'nl-NL': '2096-01-01T00:00:00+00:00' },
    assigned_to: { 'en-US': { id: user.id } },
  }
  const query = 'fields=items,channels,model,assigned_to,title'
  for (const [name, encode] of Object.entries(encodings)) {
    const { id } = await addPublication(app, { 'en-US': { title: text('Old') } })
    const slug = { 'en-US': `chosen-${name.toLowerCase()}` }
    const saved = await app.call('PUT', `/publications/${id}?draft=true&${query}`, encode({ ...body, slug }))
    assert.equal(saved.status, 200, `${name} ${saved.text}`)
    const { changed_on: _before, slug: _slug, ...draft } = saved.body
    assert.equal(draft.channels[0].id, channel.id)
    assert.equal(draft.assigned_to['en-US'].id, user.id)
    await published(app, id)
    const { changed_on: _after, slug: slugs, ...after } = await readPublication(app, id, query)
    assert.deepEqual(after, draft, name)
    assert.equal(slugs['en-US'], slug['en-US'])
  }
})

test('values of every shape go through a draft unchanged', async () => {
  const app = await startApp()
  const [asset, person, tag, other] = await Promise.all([
    addAsset(app),
    addPerson(app),
    addTag(app),
    addPublication(app),
  ])
  const items = {
    title: text('Title', 'H1'),
    flag: { label: 'Boolean', value: true },
    count: { label: 'Integer', value: 3 },
    size: { label: 'Float', value: 1.5 },
    place: { label: 'Coordinates', latitude: '52.1', longitude: '4.3' },
    quote: { label: 'Quote', body: 'Said', author: 'Somebody' },
    day: { label: 'DateTime', body: '2026-01-02', format: 'Y-m-d' },
    color: { label: 'Color', body: '#ff0000', format: 'Color' },
    link: { label: 'Resource', url: 'https://example.org/', type: 'Webpage' },
    hours: {
      label: 'BusinessHours',
      items: [{ open_day: 1, open_time: '09:00', close_day: 1, close_time: '17:00' }],
    },
    tags: { label: 'TagBox', items: [{ id: tag.id }, { body: 'New tag' }] },
    photo: { label: 'Asset', items: [{ id: asset.id }] },
    who: { label: 'Person', items: [{ id: person.id }] },
    related: { label: 'Publication', items: [{ id: other.id }] },
    box: { label: 'ElementBox', items: [text('a'), { label: 'Asset', items: [{ id: asset.id }] }] },
  }
  const { id } = await addPublication(app)
  const saved = await save(app, id, en(items))
  assert.equal(Object.keys(saved.body.items['en-US'].tags.items).length, 2)
  const { body: draft } = await readDraft(app, id)
  assert.deepEqual(draft.items, saved.body.items)
  await save(app, id, draft)
  assert.deepEqual((await readDraft(app, id)).body.items, draft.items, 'sent back it changes nothing')
  assert.deepEqual((await published(app, id)).items, draft.items)
})

test('a draft is judged like a write, but required fields may still be missing', async () => {
  const app = await startApp()
  const model = await addModel(app, {
    fields: [
      { api_id: 'title', label: 'Text', required: true },
      { api_id: 'count', label: 'Integer' },
    ],
  } as never)
  const { id } = await addPublication(app, { 'en-US': { count: { value: 1 } } }, { model: { id: model.id } })
  const wrong = await app.put(draftOf(id), {
    ...en({ count: { value: 'x' }, other: text('x') }),
    status: { 'en-US': { body: 'Nonsense' } },
    channels: [{ id: absent }],
    publish_on: { 'xx-XX': null },
    unknown: 1,
  })
  assert.deepEqual(faults(wrong), [
    'channels.0.id',
    'items.en-US.count.value',
    'items.en-US.other',
    'publish_on.xx-XX',
    'status.en-US.body',
    'unknown',
  ])
  assert.equal(
    (await app.get(`/publications/${id}?fields=draft`)).body.draft['en-US'],
    undefined,
    'nothing half done',
  )
  await save(app, id, { status: { 'en-US': { body: 'Done' } } })
  assert.deepEqual(faults(await publish(app, id)), ['items.en-US.title'])
  await save(app, id, en({ title: text('Now') }))
  await published(app, id)
})

test('two editors who save different fields and locales at once keep everything', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, { 'en-US': { title: text('One') } })
  const names = Array.from({ length: 20 }, (_, index) => `field_${index}`)
  const saves = names.flatMap((name) => [
    en({ [name]: text(`en ${name}`) }),
    nl({ [name]: text(`nl ${name}`) }),
  ])
  await Promise.all(saves.map((body) => save(app, id, body)))
  const { items } = (await readDraft(app, id)).body
  for (const name of names) {
    assert.equal(items['en-US'][name].body, `en ${name}`)
    assert.equal(items['nl-NL'][name].body, `nl ${name}`)
  }
  assert.deepEqual((await published(app, id)).items, items)
})

test('of the same field the later save wins, unless it says that it saw an older state', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const start = await readDraft(app, id)
  const first = await save(app, id, en({ title: text('A') }), seen(start))
  const stale = await app.put(draftOf(id), en({ title: text('B') }), { headers: seen(start) })
  assert.equal(stale.status, 412)
  await save(app, id, en({ intro: text('B') }), seen(start))
  await save(app, id, nl({ title: text('B') }), seen(start))
  await save(app, id, en({ title: text('C') }), seen(first))
  await save(app, id, en({ title: text('D') }))
  const { body } = await readDraft(app, id)
  assert.deepEqual(bodies(body.items['en-US']), { title: 'D', intro: 'B' })
  assert.deepEqual(faults(await app.put(draftOf(id), {}, { headers: { 'if-match': 'x' } })), ['If-Match'])
})

test('what was published or written since an editor read it is no longer as it was seen', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await save(app, id, en({ title: text('A') }))
  const read = await readDraft(app, id)
  await published(app, id)
  const late = (body: object) => app.put(draftOf(id), body, { headers: seen(read) })
  assert.equal((await late(en({ title: text('B') }))).status, 412)
  for (let index = 0; index < 3; index += 1) {
    await save(app, id, en({ title: text(`C ${index}`) }))
    assert.equal((await late(en({ title: text('B') }))).status, 412, 'an old version never comes true again')
  }
  assert.equal((await late(nl({ title: text('B') }))).status, 200, 'nobody touched that locale')
  const again = await readDraft(app, id)
  await changePublication(app, id, en({ intro: text('Direct') }))
  const clash = await app.put(draftOf(id), en({ intro: text('B') }), { headers: seen(again) })
  assert.equal(clash.status, 412)
})

test('a plain read tells the version that the first save can name', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const plain = await app.get(`/publications/${id}`)
  await save(app, id, en({ title: text('A') }), seen(plain))
  const second = await app.put(draftOf(id), en({ title: text('B') }), { headers: seen(plain) })
  assert.equal(second.status, 412)
})

test('an unchanged draft is a 304 to who holds it', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await save(app, id, en({ title: text('A') }))
  const { headers } = await readDraft(app, id)
  const again = await app.get(draftOf(id), { headers: { 'if-none-match': headers.get('etag')! } })
  assert.equal(again.status, 304)
})

test('a save beside a publish is in the version or stays in the draft', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await save(app, id, en({ start: text('x') }))
  const names = Array.from({ length: 30 }, (_, index) => `field_${index}`)
  const work = names.flatMap((name, index) => [
    app.put(draftOf(id), en({ [name]: text(name) })),
    ...(index % 5 === 2 ? [publish(app, id)] : []),
  ])
  for (const answer of await Promise.all(work)) assert.ok([200, 409].includes(answer.status), answer.text)
  const { items } = (await readDraft(app, id)).body
  for (const name of names) assert.equal(items['en-US'][name]?.body, name)
  if ((await publish(app, id)).status === 409) return
  const all = (await readPublication(app, id)).items['en-US']
  for (const name of names) assert.equal(all[name]?.body, name)
})

test('drafts beside direct writes lose neither', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2
        ? save(app, id, en({ [`draft_${index}`]: text('draft') }))
        : changePublication(app, id, en({ [`direct_${index}`]: text('direct') })),
    ),
  )
  const direct = Object.keys((await readPublication(app, id)).items['en-US'])
  assert.deepEqual(
    direct.filter((name) => name.startsWith('draft')),
    [],
  )
  assert.equal(direct.filter((name) => name.startsWith('direct')).length, 10)
  const all = Object.keys((await published(app, id)).items['en-US'])
  assert.equal(all.filter((name) => name.startsWith('d')).length, 20)
})

test('some locales can be published while others wait', async () => {
  const app = await startApp()
  const channel = await addChannel(app)
  const { id } = await addPublication(app)
  await save(app, id, { ...en({ title: text('EN') }), channels: [{ id: channel.id }] })
  await save(app, id, nl({ title: text('NL') }))
  assert.deepEqual(faults(await publish(app, id, { locales: ['nl-NL', 'xx-XX'] })), ['locales.1'])
  assert.deepEqual(faults(await publish(app, id, { locales: [], other: 1 })), ['locales', 'other'])
  const after = await published(app, id, { locales: ['nl-NL'] })
  assert.deepEqual([after.items['nl-NL'].title.body, after.items['en-US'].title.body], ['NL', 'Untitled'])
  assert.equal((await publish(app, id, { locales: ['nl-NL'] })).status, 409)
  const open = (await app.get(`/publications/${id}?fields=draft,channels`)).body
  assert.deepEqual([Object.keys(open.draft), open.channels], [['all', 'en-US'], []])
  assert.equal((await published(app, id)).items['en-US'].title.body, 'EN')
  const done = (await app.get(`/publications/${id}?fields=draft,channels`)).body
  assert.deepEqual([done.draft, done.channels[0].id], [{}, channel.id])
})

test('the draft tells by locale who changed it last, only to those who see everything', async () => {
  const app = await startApp()
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id })
  const { id } = await addPublication(app, undefined, { status: { 'en-US': { body: 'Done' } } })
  assert.deepEqual((await app.get(`/publications/${id}?fields=draft`)).body.draft, {})
  await app.put(draftOf(id), en({ title: text('A') }), { token })
  const { draft } = (await app.get(`/publications/${id}?fields=draft`)).body
  assert.deepEqual(Object.keys(draft), ['en-US'])
  assert.equal(draft['en-US'].updated_by.id, user.id)
  assert.deepEqual([typeof draft['en-US'].changed_on, draft['en-US'].version], ['string', 1])
  const reader = { token: await readerToken(app) }
  assert.deepEqual((await app.get(`/publications/${id}?fields=draft`, reader)).body.draft, {})
  assert.equal((await app.get(draftOf(id), reader)).status, 403)
})

test('a draft that says what readers see is none', async () => {
  const app = await startApp()
  const before = await addPublication(app, { 'en-US': { title: text('One') } })
  const { id } = before
  await save(app, id, { ...en({ title: text('Two') }), slug: { 'en-US': 'two' } })
  await save(app, id, { ...en({ title: text('One') }), slug: { 'en-US': 'one' } })
  assert.deepEqual((await app.get(`/publications/${id}?fields=draft`)).body.draft, {})
  await save(app, id, before)
  assert.equal((await publish(app, id)).status, 409)
})

test('fields and locales can be taken away by a draft', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, {
    'en-US': { title: text('One'), intro: text('Intro') },
    'nl-NL': { title: text('Een') },
  })
  await save(app, id, { items: { 'en-US': { intro: null }, 'nl-NL': null } })
  const { body } = await readDraft(app, id)
  assert.deepEqual([body.locales, Object.keys(body.items['en-US'])], [['en-US'], ['title']])
  await save(app, id, nl({ intro: text('Terug') }))
  assert.deepEqual(bodies((await readDraft(app, id)).body.items['nl-NL']), { intro: 'Terug' })
  await save(app, id, { items: { 'nl-NL': null } })
  const after = await published(app, id)
  assert.deepEqual([after.locales, Object.keys(after.items['en-US'])], [['en-US'], ['title']])
})

test('a field that is stored once is drafted once, the later save wins', async () => {
  const app = await startApp()
  const model = await addModel(app, {
    fields: [
      { api_id: 'title', label: 'Text' },
      { api_id: 'code', label: 'Text', localized: false },
    ],
  } as never)
  const { id } = await addPublication(
    app,
    { 'en-US': { title: text('One'), code: text('a', 'CODE') }, 'nl-NL': { title: text('Een') } },
    { model: { id: model.id } },
  )
  await save(app, id, en({ code: text('b', 'CODE') }))
  await save(app, id, nl({ code: text('c', 'CODE') }))
  const { items } = await published(app, id)
  assert.deepEqual([items['en-US'].code.body, items['nl-NL'].code.body], ['c', 'c'])
})

test('a draft can be discarded, whole or by locale', async () => {
  const app = await startApp()
  const before = await addPublication(app)
  const { id } = before
  const read = await save(app, id, {
    items: { 'en-US': { title: text('A') }, 'nl-NL': { title: text('B') } },
  })
  assert.deepEqual(faults(await app.delete(`/publications/${id}/draft?locale=xx-XX`)), ['locale'])
  assert.equal((await app.delete(`/publications/${id}/draft?locale=nl-NL`)).status, 204)
  const { body } = await readDraft(app, id)
  assert.deepEqual([body.locales, body.items['en-US'].title.body], [['en-US'], 'A'])
  assert.equal((await app.delete(`/publications/${id}/draft`)).status, 204)
  assert.deepEqual((await readDraft(app, id)).body, before)
  assert.equal((await app.delete(`/publications/${id}/draft`)).status, 204)
  await save(app, id, en({ title: text('C') }))
  const stale = { headers: seen(read) }
  assert.equal((await app.delete(`/publications/${id}/draft`, stale)).status, 412)
  assert.equal((await publish(app, id, undefined, stale.headers)).status, 412)
})

test('a type that changed or a reference that is gone fails at the publish by its path, and nothing is lost', async () => {
  const app = await startApp()
  const fields = [
    { api_id: 'title', label: 'Text' },
    { api_id: 'count', label: 'Integer' },
    { api_id: 'photo', label: 'Asset' },
  ]
  const model = await addModel(app, { fields } as never)
  const asset = await addAsset(app)
  const { id } = await addPublication(app, undefined, { model: { id: model.id } })
  await save(app, id, en({ title: text('New'), count: { value: 5 }, photo: { items: [{ id: asset.id }] } }))
  const changed = fields.map((field) => (field.api_id === 'count' ? { ...field, label: 'Text' } : field))
  assert.equal((await app.put(`/publication_models/${model.id}`, { fields: changed })).status, 200)
  await app.context.db.deleteFrom('assets').where('id', '=', asset.id).execute()
  assert.deepEqual(faults(await publish(app, id)), [
    'items.en-US.count.label',
    'items.en-US.photo.items.0.id',
  ])
  await save(app, id, en({ title: text('Newer') }))
  assert.equal((await app.put(`/publication_models/${model.id}`, { fields })).status, 200)
  assert.deepEqual(faults(await publish(app, id)), ['items.en-US.photo.items.0.id'])
  await save(app, id, en({ photo: null }))
  const after = await published(app, id)
  assert.deepEqual([after.items['en-US'].title.body, after.items['en-US'].count.value], ['Newer', 5])
})

test('a slug that is taken is refused at the publish', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, { 'en-US': { title: text('One') } })
  await addPublication(app, { 'en-US': { title: text('Two') } })
  await save(app, id, { slug: { 'en-US': 'two' } })
  assert.deepEqual(faults(await publish(app, id), 409), ['slug.en-US'])
  await save(app, id, { slug: { 'en-US': 'three' } })
  assert.equal((await published(app, id)).slug['en-US'], 'three')
})

test('drafts belong to their publication and environment, and end with it', async () => {
  const app = await startApp()
  const other = await startApp()
  const { id } = await addPublication(app)
  for (const [who, one] of [
    [other, id],
    [app, absent],
  ] as const) {
    assert.equal((await who.get(draftOf(one))).status, 404)
    assert.equal((await who.put(draftOf(one), en({ title: text('x') }))).status, 404)
    assert.equal((await publish(who, one)).status, 404)
    assert.equal((await who.delete(`/publications/${one}/draft`)).status, 404)
  }
  await save(app, id, en({ title: text('Draft') }))
  await app.delete(`/publications/${id}`)
  await app.post(`/publications/${id}/restore`)
  assert.equal((await readDraft(app, id)).body.items['en-US'].title.body, 'Untitled')
})

test('a publish that is repeated with its key is one publish', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await save(app, id, en({ title: text('Once') }))
  const headers = { 'idempotency-key': 'publish' }
  const [first, second] = [
    await publish(app, id, undefined, headers),
    await publish(app, id, undefined, headers),
  ]
  assert.deepEqual([first.status, second.status], [200, 200], second.text)
  assert.equal((await storedVersions(app, id)).length, 2)
})
