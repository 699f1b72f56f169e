import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addChannel } from '../../../test/harness/factories.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'
import { checkRecords } from '../../../test/harness/records.ts'

const streams = [{ name: 'High', url: 'http://a.example/1', url_ssl: null, custom: '320' }, { name: 'Low' }]

checkRecords({
  path: '/channels',
  label: 'Channel',
  table: 'channels',
  text: 'name',
  slug: true,
  extra: { type: 'website' },
  read: ['channels'],
  write: ['channels', 'channels_publish'],
  remove: ['channels', 'channels_delete'],
  whole: {
    json: {
      name: 'Wébsite',
      slug: 'site',
      type: 'website',
      share_construct_url: 'https://example.org/{slug}',
      preview_construct_url: null,
      streams,
      record: true,
    },
    form: [
      ['name', 'Wébsite'],
      ['slug', 'site'],
      ['type', 'website'],
      ['share_construct_url', 'https://example.org/{slug}'],
      ['preview_construct_url', ''],
      ['streams[0][name]', 'High'],
      ['streams[0][url]', 'http://a.example/1'],
      ['streams[0][url_ssl]', ''],
      ['streams[0][custom]', '320'],
      ['streams[1][name]', 'Low'],
      ['record', 'true'],
    ],
  },
  expandable: ['type', 'share_construct_url', 'preview_construct_url', 'streams', 'record'],
  wrong: {
    body: {
      name: 1,
      type: {},
      slug: 'a b',
      share_construct_url: [],
      streams: [{ url: 5, port: 1 }],
      other: 1,
    },
    paths: ['name', 'other', 'share_construct_url', 'slug', 'streams.0.port', 'streams.0.url', 'type'],
  },
  operators: { type: ['eq', 'neq', 'in', 'has'] },
})

test('the unversioned channel is short and shows the rest on request; version 5 shows all of it', async () => {
  const app = await startApp()
  const { body: created } = await app.post('/channels', { name: 'App' })
  assert.deepEqual(Object.keys(created), ['id', 'created_on', 'changed_on', 'label', 'name', 'slug'])
  const whole = {
    type: null,
    share_construct_url: null,
    preview_construct_url: null,
    streams: [],
    record: false,
  }
  const { body } = await app.get(`/v5/channels/${created.id}`)
  assert.deepEqual(body, { ...created, ...whole })
  const asked = await app.get(`/channels/${created.id}?fields=${Object.keys(whole)}`)
  assert.deepEqual(asked.body, body)
})

test('version 5 wants name and type on every write, the unversioned generation only a name to create', async () => {
  const app = await startApp()
  assert.deepEqual(faults(await app.post('/v5/channels', {})), ['name', 'type'])
  assert.deepEqual(faults(await app.post('/v5/channels', { name: 'App', type: null })), ['type'])
  const channel = await addChannel(app, { name: 'App', slug: 'app', type: 'app' })
  assert.deepEqual(faults(await app.put(`/v5/channels/${channel.id}`, { slug: 'x' })), ['name', 'type'])
  const changed = await app.put(`/channels/${channel.id}`, { slug: 'x' })
  assert.deepEqual([changed.status, changed.body.name, changed.body.slug], [200, 'App', 'x'])
})

test('a change leaves what is not sent, replaces the streams, and null takes a value away', async () => {
  const app = await startApp()
  const share_construct_url = 'https://example.org/{slug}'
  const { id } = await addChannel(app, { name: 'Radio', type: 'radio', share_construct_url, streams })
  const url = `/v5/channels/${id}`
  const sent = { name: 'Radio', type: 'radio' }
  assert.deepEqual((await app.put(url, { ...sent, streams: [{ name: 'Only' }] })).body.streams, [
    { name: 'Only' },
  ])
  assert.equal((await app.get(url)).body.share_construct_url, share_construct_url)
  assert.equal((await app.put(url, { ...sent, share_construct_url: null })).body.share_construct_url, null)
  assert.deepEqual((await app.put(url, { ...sent, streams: null })).body.streams, [])
  assert.equal((await eventsOf(app, id)).length, 4)
})

test('equal streams are no change, whatever the order of their keys', async () => {
  const app = await startApp()
  const { id } = await addChannel(app, {
    name: 'Radio',
    streams: [{ name: 'High', url: 'http://a.example' }],
  })
  const again = { streams: [{ url: 'http://a.example', name: 'High' }], name: 'Radio', type: null }
  assert.equal((await app.put(`/channels/${id}`, again)).body.changed_on, null)
  assert.deepEqual(await eventsOf(app, id), ['channel.created'])
  const other = { streams: [{ name: 'High', url: 'http://b.example' }] }
  assert.notEqual((await app.put(`/channels/${id}`, other)).body.changed_on, null)
})

test('channels are found by their type and by having none', async () => {
  const app = await startApp()
  for (const [name, type] of [
    ['A', 'website'],
    ['B', 'app'],
    ['C', null],
  ] as const)
    await addChannel(app, { name, type })
  for (const [query, expected] of [
    ['type[eq]=website', 'A'],
    ['type[neq]=website', 'BC'],
    ['type[in]=website,app', 'AB'],
    ['type[has]=true', 'AB'],
    ['type[has]=false', 'C'],
  ] as const)
    for (const url of ['/channels', '/v5/channels']) {
      const { body } = await app.get(`${url}?sort=name&${query}`)
      assert.equal(body.items.map((item: { name: string }) => item.name).join(''), expected, query)
    }
})
