import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser } from '../../../../test/harness/access.ts'
import { startApp } from '../../../../test/harness/app.ts'
import {
  bodies,
  draftOf,
  en,
  nl,
  publish,
  published,
  readDraft,
  saveDraft,
  seen,
} from '../../../../test/harness/drafts.ts'
import { addAsset, addChannel, addModel, addPerson, addTag } from '../../../../test/harness/factories.ts'
import {
  addPublication,
  encodings,
  readPublication,
  storedVersions,
  text,
} from '../../../../test/harness/publications.ts'
import { absent, eventsOf, faults } from '../../../../test/harness/records/kind.ts'

test('a draft is seen by who asks for it and by nobody else, until it is published as one version', async () => {
  const app = await startApp()
  const before = await addPublication(app, { 'en-US': { title: text('One'), intro: text('Intro') } })
  const { id } = before
  const saved = await saveDraft(app, id, {
    ...en({ title: text('Two') }),
    status: { 'en-US': { body: 'Done' } },
  })
  assert.deepEqual(bodies(saved.body.items['en-US']), { title: 'Two', intro: 'Intro' })
  await saveDraft(app, id, nl({ title: text('Drie') }))
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
  const saved = await saveDraft(app, id, en(items))
  assert.equal(Object.keys(saved.body.items['en-US'].tags.items).length, 2)
  const { body: draft } = await readDraft(app, id)
  assert.deepEqual(draft.items, saved.body.items)
  await saveDraft(app, id, draft)
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
  await saveDraft(app, id, { status: { 'en-US': { body: 'Done' } } })
  assert.deepEqual(faults(await publish(app, id)), ['items.en-US.title'])
  await saveDraft(app, id, en({ title: text('Now') }))
  await published(app, id)
})

test('a draft that says what readers see is none', async () => {
  const app = await startApp()
  const before = await addPublication(app, { 'en-US': { title: text('One') } })
  const { id } = before
  await saveDraft(app, id, { ...en({ title: text('Two') }), slug: { 'en-US': 'two' } })
  await saveDraft(app, id, { ...en({ title: text('One') }), slug: { 'en-US': 'one' } })
  assert.deepEqual((await app.get(`/publications/${id}?fields=draft`)).body.draft, {})
  await saveDraft(app, id, before)
  assert.equal((await publish(app, id)).status, 409)
})

test('fields and locales can be taken away by a draft', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, {
    'en-US': { title: text('One'), intro: text('Intro') },
    'nl-NL': { title: text('Een') },
  })
  await saveDraft(app, id, { items: { 'en-US': { intro: null }, 'nl-NL': null } })
  const { body } = await readDraft(app, id)
  assert.deepEqual([body.locales, Object.keys(body.items['en-US'])], [['en-US'], ['title']])
  await saveDraft(app, id, nl({ intro: text('Terug') }))
  assert.deepEqual(bodies((await readDraft(app, id)).body.items['nl-NL']), { intro: 'Terug' })
  await saveDraft(app, id, { items: { 'nl-NL': null } })
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
  await saveDraft(app, id, en({ code: text('b', 'CODE') }))
  await saveDraft(app, id, nl({ code: text('c', 'CODE') }))
  const { items } = await published(app, id)
  assert.deepEqual([items['en-US'].code.body, items['nl-NL'].code.body], ['c', 'c'])
})

test('a draft can be discarded, whole or by locale', async () => {
  const app = await startApp()
  const before = await addPublication(app)
  const { id } = before
  const read = await saveDraft(app, id, {
    items: { 'en-US': { title: text('A') }, 'nl-NL': { title: text('B') } },
  })
  assert.deepEqual(faults(await app.delete(`/publications/${id}/draft?locale=xx-XX`)), ['locale'])
  assert.equal((await app.delete(`/publications/${id}/draft?locale=nl-NL`)).status, 204)
  const { body } = await readDraft(app, id)
  assert.deepEqual([body.locales, body.items['en-US'].title.body], [['en-US'], 'A'])
  assert.equal((await app.delete(`/publications/${id}/draft`)).status, 204)
  assert.deepEqual((await readDraft(app, id)).body, before)
  assert.equal((await app.delete(`/publications/${id}/draft`)).status, 204)
  await saveDraft(app, id, en({ title: text('C') }))
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
  await saveDraft(
    app,
    id,
    en({ title: text('New'), count: { value: 5 }, photo: { items: [{ id: asset.id }] } }),
  )
  const changed = fields.map((field) => (field.api_id === 'count' ? { ...field, label: 'Text' } : field))
  assert.equal((await app.put(`/publication_models/${model.id}`, { fields: changed })).status, 200)
  await app.context.db.deleteFrom('assets').where('id', '=', asset.id).execute()
  assert.deepEqual(faults(await publish(app, id)), [
    'items.en-US.count.label',
    'items.en-US.photo.items.0.id',
  ])
  await saveDraft(app, id, en({ title: text('Newer') }))
  assert.equal((await app.put(`/publication_models/${model.id}`, { fields })).status, 200)
  assert.deepEqual(faults(await publish(app, id)), ['items.en-US.photo.items.0.id'])
  await saveDraft(app, id, en({ photo: null }))
  const after = await published(app, id)
  assert.deepEqual([after.items['en-US'].title.body, after.items['en-US'].count.value], ['Newer', 5])
})

test('what a draft says of a field that is gone waits for the field, and the rest is published', async () => {
  const app = await startApp()
  const fields = ['title', 'extra'].map((api_id) => ({ api_id, label: 'Text' }))
  const model = await addModel(app, { fields } as never)
  const { id } = await addPublication(app, undefined, { model: { id: model.id } })
  await saveDraft(app, id, en({ title: text('New'), extra: text('Later') }))
  await app.put(`/publication_models/${model.id}`, { fields: fields.slice(0, 1) })
  assert.equal((await published(app, id)).items['en-US'].title.body, 'New')
  await app.put(`/publication_models/${model.id}`, { fields })
  assert.equal((await published(app, id)).items['en-US'].extra.body, 'Later')
})

test('a slug that is taken is refused at the publish', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, { 'en-US': { title: text('One') } })
  await addPublication(app, { 'en-US': { title: text('Two') } })
  await saveDraft(app, id, { slug: { 'en-US': 'two' } })
  assert.deepEqual(faults(await publish(app, id), 409), ['slug.en-US'])
  await saveDraft(app, id, { slug: { 'en-US': 'three' } })
  assert.equal((await published(app, id)).slug['en-US'], 'three')
})
