import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byOrganisation } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { type Heard, type Listening, listenTo } from '../../../test/harness/events.ts'
import {
  addChannel,
  addConfiguration,
  addContainer,
  addModel,
  addStatus,
  addTag,
} from '../../../test/harness/factories.ts'
import { addPublication, changePublication, readerToken, text } from '../../../test/harness/publications.ts'
import { faults } from '../../../test/harness/records/kind.ts'
import { eventCatalogue } from '../../events.ts'
import { scopes as allScopes, type Scope } from '../access/scopes.ts'
import { offered } from './names.ts'

const [en, nl] = ['en-US', 'nl-NL'] as const
const done = { body: 'Done' }
const both = { [en]: { title: text('English') }, [nl]: { title: text('Dutch') } }

/** What was heard by the time a tag, which any token hears of, has come through; the tag itself left out. */
const heardBy = async (app: TestApp, streams: Listening[]): Promise<Heard[][]> => {
  const { id } = await addTag(app)
  return Promise.all(
    streams.map(async (stream) => {
      const isMark = ({ data }: Heard) => data.payload.id === id
      return (await stream.until((events) => events.some(isMark))).filter((event) => !isMark(event))
    }),
  )
}
/** The same for streams with a filter, which tags never pass: by a publication that they all let through. */
const untilMark = async (streams: Listening[], id: string): Promise<Heard[][]> =>
  Promise.all(
    streams.map(async (stream) => {
      const events = await stream.until((all) => all.some(({ data }) => data.payload.id === id))
      return events.filter(({ data }) => data.payload.id !== id)
    }),
  )
const told = (events: Heard[]): string[] => events.map(({ event }) => event)
const closeAll = (streams: Listening[]): void => {
  for (const stream of streams) stream.close()
}

test('every event that is offered says which scope reads it', () => {
  const names = Object.keys(eventCatalogue).filter((name) => !eventCatalogue[name]!.internal)
  assert.deepEqual([...offered].sort(), names.sort())
})

test('a token hears of the records that it may read, and of nothing internal', async () => {
  const app = await startApp()
  const needed: [Scope[], string[]][] = [
    [[], ['container.created', 'status.created']],
    [['channels'], ['channel.created', 'container.created', 'status.created']],
    [['configurations'], ['configuration.created', 'container.created', 'status.created']],
    [['publication_models'], ['container.created', 'publication_model.created', 'status.created']],
    // By itself it sees only what is published.
    [['publications'], ['container.created', 'status.created']],
    [
      ['publications', 'publications_publish'],
      ['container.created', 'publication.created', 'status.created'],
    ],
  ]
  const streams = await Promise.all(needed.map(([scopes]) => listenTo(app, '', { scopes })))
  await addChannel(app)
  await addContainer(app)
  await addStatus(app)
  await addConfiguration(app)
  await addModel(app)
  await app.addToken()
  await addPublication(app)
  const heard = await heardBy(app, streams)
  for (const [index, [scopes, names]] of needed.entries())
    assert.deepEqual(told(heard[index]!).sort(), names, scopes.join())
  closeAll(streams)
})

test('a name that the token may not read is refused with its scope; one that is not offered is 400', async () => {
  const app = await startApp()
  const refused = await app.get('/events?events=container.created,channel.created', {
    scopes: ['publications'],
  })
  assert.deepEqual([refused.status, refused.body.type], [403, 'InsufficientScope'])
  assert.match(refused.headers.get('www-authenticate')!, /scope="channels"$/)
  const filtered = await app.get('/events?filter[status][eq]=Done', { scopes: ['channels'] })
  assert.deepEqual([filtered.status, filtered.body.type], [403, 'InsufficientScope'])
  for (const name of ['token.created', 'nothing', 'constructor', '__proto__', ''])
    assert.deepEqual(faults(await app.get(`/events?events=${name}`)), ['events'], name)
  assert.equal((await app.get('/events', { token: null })).status, 401)
})

test('names choose, by comma, repeated, and by what a registration calls them', async () => {
  const app = await startApp()
  const scopes = allScopes
  const streams = await Promise.all([
    listenTo(app, 'events=publication.updated,tag.created', { scopes }),
    listenTo(app, 'events=channel.created&events=tag.created', { scopes }),
    listenTo(app, 'events[]=channel.deleted&events[]=tag.created', { scopes }),
  ])
  const { id } = await addPublication(app)
  await changePublication(app, id, { slug: { [en]: 'changed' } })
  await addChannel(app)
  const heard = await heardBy(app, streams)
  assert.deepEqual(heard.map(told), [['publication.changed'], ['channel.created'], []])
  closeAll(streams)
})

test('everything that is wrong is told at once', async () => {
  const app = await startApp()
  const wrong = await app.get(
    '/events?events=no,channel.created&filter[nothing][eq]=1&filter[status][gt]=1&locale=xx-XX&more=1&last_event_id=x',
    { headers: { 'last-event-id': '999999999' } },
  )
  assert.equal(wrong.status, 400)
  assert.deepEqual([...new Set(faults(wrong))].sort(), [
    'Last-Event-ID',
    'events',
    'filter.nothing',
    'filter.status.gt',
    'last_event_id',
    'locale',
    'more',
  ])
  for (const id of ['-1', '1.5', '1e3', ' ', 'abc', '9'.repeat(40), ''])
    assert.deepEqual(faults(await app.get(`/events?last_event_id=${id}`)), ['last_event_id'], id)
  assert.deepEqual(faults(await app.get('/events?last_event_id[a]=1')), ['last_event_id'])
  assert.deepEqual(faults(await app.get('/events?filter=Done')), ['filter'])
  assert.deepEqual(faults(await app.get('/events?locale[a]=Done')), ['locale'])
})

test('a filter is the one of the list, held against the publication as the event left it', async () => {
  const app = await startApp()
  const model = await addModel(app, {
    fields: [
      { api_id: 'title', label: 'Text' },
      { api_id: 'price', label: 'Float', filterable: true },
    ] as never,
  })
  const scopes = allScopes
  const streams = await Promise.all([
    listenTo(app, 'filter[status][eq]=Done', { scopes }),
    listenTo(app, 'filter[status][eq]=Done&locale=nl-NL', { scopes }),
    listenTo(app, `filter[model][eq]=${model.id}&filter[items][en-US][price][gte]=5`, { scopes }),
    listenTo(app, 'filter[or][0][title][fz]=harbour&filter[or][1][title][fz]=mark', { scopes }),
    listenTo(app, 'filter[status][eq]=Done&events=publication.deleted,publication.published', { scopes }),
  ])
  const made = await addPublication(app, both, { status: { [en]: done } })
  await changePublication(app, made.id, { status: { [nl]: done } })
  await changePublication(app, made.id, { status: { [en]: { body: 'Review' }, [nl]: { body: 'Review' } } })
  await addPublication(app, { [en]: { price: { label: 'Float', value: 4 } } }, { model: { id: model.id } })
  await addPublication(app, { [en]: { price: { label: 'Float', value: 5 } } }, { model: { id: model.id } })
  await addPublication(app, { [en]: { title: text('The harbour') } })
  const gone = await addPublication(app, both, { status: { [en]: done } })
  await app.delete(`/publications/${gone.id}`)
  const mark = await addPublication(
    app,
    {
      [en]: { title: text('Mark'), price: { label: 'Float', value: 9 } },
      [nl]: { title: text('Mark'), price: { label: 'Float', value: 9 } },
    },
    { status: { [en]: done, [nl]: done }, model: { id: model.id } },
  )
  const heard = await untilMark(streams, mark.id)
  const [created, changed, published] = [
    'publication.created',
    'publication.changed',
    'publication.published',
  ]
  assert.deepEqual(heard.map(told), [
    [
      created,
      published,
      changed,
      published,
      created,
      published,
      'publication.unpublished',
      'publication.deleted',
    ],
    [changed, published],
    [created],
    [created],
    [published, published, published, 'publication.deleted'],
  ])
  assert.deepEqual(
    heard[2]!.map(({ data }) => data.payload.items[en].price.value),
    [5],
  )
  closeAll(streams)
})

test('a filter follows the names that it uses', async () => {
  const app = await startApp()
  const stream = await listenTo(app, 'filter[status][eq]=Later&events=publication.created', {
    scopes: allScopes,
  })
  await addPublication(app)
  await addStatus(app, { body: 'Later' })
  const { id } = await addPublication(app, undefined, { status: { [en]: { body: 'Later' } } })
  const [first] = await stream.count(1)
  assert.equal(first!.data.payload.id, id)
  stream.close()
})

test('a token that sees what is published hears of published locales alone', async () => {
  const app = await startApp()
  const token = await readerToken(app)
  const streams = [
    await listenTo(app, '', { token }),
    await listenTo(app, 'filter[status][eq]=Done', { token }),
  ]
  const secret = await addPublication(app, { [en]: { title: text('Secret') } })
  const open = await addPublication(app, both, { status: { [en]: done } })
  const more = { label: 'Publication', items: [{ id: secret.id }, { id: open.id }] }
  const box = { label: 'ElementBox', items: [more] }
  const { id } = await addPublication(
    app,
    { [en]: { title: text('Shown'), more, box }, [nl]: { title: text('Hidden') } },
    { status: { [en]: done } },
  )
  await streams[0]!.until((all) => all.some(({ data }) => data.payload.id === id))
  await changePublication(app, id, { items: { [nl]: { title: text('Hidden twice') } } })
  await changePublication(app, id, { status: { [en]: { body: 'Review' } } })
  await app.delete(`/publications/${id}`)
  await app.delete(`/publications/${secret.id}`)
  await app.delete(`/publications/${open.id}`)
  const [events] = await heardBy(app, [streams[0]!])
  const own = events!.filter(({ data }) => data.payload.id === id)
  assert.deepEqual(told(own), [
    'publication.created',
    'publication.published',
    'publication.changed',
    'publication.unpublished',
  ])
  const [created] = own
  const { payload } = created!.data
  assert.deepEqual(payload.locales, [en])
  for (const name of ['slug', 'publish_on', 'status', 'expire_on', 'items'])
    assert.deepEqual(Object.keys(payload[name]), [en], name)
  const targets = (value: { items: object }) => Object.entries(value.items).map(([key, { id }]) => [key, id])
  assert.deepEqual(targets(payload.items[en].more), [['0', open.id]])
  assert.deepEqual(targets(payload.items[en].box.items[0]), [['0', open.id]])
  assert.deepEqual(own[3]!.data.payload, { id })
  const ofOpen = events!.filter(({ data }) => data.payload.id === open.id).slice(-2)
  assert.deepEqual(
    ofOpen.map(({ event, data }) => [event, data.payload]),
    [
      ['publication.unpublished', { id: open.id }],
      ['publication.deleted', { id: open.id }],
    ],
  )
  const whole = JSON.stringify(events)
  for (const word of ['Secret', 'Hidden', nl, secret.id]) assert.ok(!whole.includes(word), word)
  const filtered = await streams[1]!.until((all) => all.some(({ event }) => event === 'publication.deleted'))
  assert.deepEqual(
    told(filtered),
    told(events!.filter(({ event }) => event.startsWith('publication.'))),
    'what readers lose is told whatever the filter',
  )
  closeAll(streams)
})

test('history shows nothing of what is no longer published', async () => {
  const app = await startApp()
  const token = await readerToken(app)
  const add = (title: string) =>
    addPublication(
      app,
      { [en]: { title: text(title) }, [nl]: { title: text(`${title} in Dutch`) } },
      { status: { [en]: done, [nl]: done } },
    )
  const review = { body: 'Review' }
  const half = await add('Half')
  await changePublication(app, half.id, { status: { [nl]: review } })
  const back = await add('Withdrawn')
  await changePublication(app, back.id, { status: { [en]: review, [nl]: review } })
  const late = await add('Expired')
  await changePublication(app, late.id, { expire_on: { [en]: '2020-01-01', [nl]: '2020-01-01' } })
  const gone = await add('Deleted')
  await app.delete(`/publications/${gone.id}`)
  const stream = await listenTo(app, 'last_event_id=0', { token })
  const [events] = await heardBy(app, [stream])
  const whole = JSON.stringify(events)
  for (const word of ['in Dutch', 'Withdrawn', 'Expired', 'Deleted']) assert.ok(!whole.includes(word), word)
  const of = ({ id }: { id: string }) => events!.filter(({ data }) => data.payload.id === id)
  for (const lost of [back, late, gone]) {
    assert.ok(of(lost).length >= 3)
    for (const { data } of of(lost)) assert.deepEqual(data.payload, { id: lost.id })
  }
  for (const { data } of of(half)) assert.equal(data.payload.items[en].title.body, 'Half')
  closeAll([stream])
})

test('of what stays published in another locale that locale is shown', async () => {
  const app = await startApp()
  const token = await readerToken(app)
  const { id } = await addPublication(app, both, { status: { [en]: done, [nl]: done } })
  await changePublication(app, id, { status: { [nl]: { body: 'Review' } } })
  const streams = [
    await listenTo(app, 'last_event_id=0&events=publication.unpublished,tag.created', { token }),
    await listenTo(app, 'last_event_id=0&filter[status][eq]=Review&events=publication.unpublished', {
      token,
    }),
  ]
  const [events] = await heardBy(app, [streams[0]!])
  const [{ data }] = events as [Heard]
  assert.deepEqual([data.payload.locales, Object.keys(data.payload.items)], [[en], [en]])
  // Of what such a filter finds nothing is left.
  assert.deepEqual((await streams[1]!.count(1))[0]!.data.payload, { id })
  closeAll(streams)
})

test('a token of the organisation listens to the environment that it names', async () => {
  const app = await startApp()
  const { token, headers } = await byOrganisation(app)
  assert.deepEqual(faults(await app.get('/events', { token })), ['Environment-Id'])
  const stream = await listenTo(app, '', { token, headers })
  const { id } = await addChannel(app)
  assert.equal((await stream.count(1))[0]!.data.payload.id, id)
  stream.close()
})
