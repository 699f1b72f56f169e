import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addAsset, addTag } from '../../../../test/harness/factories.ts'
import { absent, eventsOf, faults, made } from '../../../../test/harness/records/kind.ts'
import { musicStatuses } from '../table.ts'

const start = () => startApp({ MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' }, { bound: true })
const add = async (app: TestApp, path: string, body: object) => (await app.post(`/v5${path}`, body)).body
const bodies = (page: { items: { body: string }[] }): string[] => page.items.map(({ body }) => body)

test('an artist and a track have the fields of the specification, in its order', async () => {
  const app = await start()
  const sent = { body: 'Harbour Lights', status: 'published', published_on: '2026-03-01T10:00:00+01:00' }
  const artist = await add(app, '/artists', { ...sent, reference_unique: 'a-1' })
  assert.deepEqual(artist, {
    id: artist.id,
    created_on: artist.created_on,
    changed_on: null,
    published_on: '2026-03-01T09:00:00+00:00',
    unpublish_on: null,
    published_on_int: Date.parse('2026-03-01T09:00:00Z') / 1000,
    label: 'Artist',
    status: 'published',
    body: 'Harbour Lights',
    reference_unique: 'a-1',
  })
  const track = await add(app, '/tracks', { ...sent, artists: [{ id: artist.id }] })
  assert.deepEqual(Object.keys(track), [...Object.keys(artist), 'artist_text'])
  assert.deepEqual(
    [track.label, track.artist_text, track.reference_unique],
    ['Track', 'Harbour Lights', null],
  )
  assert.deepEqual((await app.get(`/v5/tracks/${track.id}`)).body, track)
})

test('a record is changed and deleted, each is told once, and what GET returned changes nothing', async () => {
  const app = await start()
  const all = 'custom,artists,musicdbtracks,streamtracks,storetracks,cover,tags,environment,created_by'
  const cover = await addAsset(app, { label: 'Cover' })
  const { id } = await add(app, '/tracks', {
    body: 'Night Ferry',
    custom: ['one'],
    cover: cover.id,
    tags: [{ body: 'Jazz' }],
    artists: ['The Night Ferries'],
    musicdbtracks: [{ id: '77', duration: 201 }],
    streamtracks: [{ isrc: 'NL-A12-26-00001', explicit: false, release_date: '2026-05-01' }],
    storetracks: [{ url: 'https://store.example.org/1' }],
  })
  const url = `/v5/tracks/${id}?fields=${all}`
  const shown = await app.get(url)
  const again = await app.put(url, shown.body)
  assert.deepEqual([again.status, again.body], [200, shown.body])
  assert.match(again.headers.get('etag')!, /^"1-/)
  const changed = await app.put(`/v5/tracks/${id}`, { body: 'Night Ferry (live)', tags: null })
  assert.notEqual(changed.body.changed_on, null)
  const stale = { headers: { 'if-match': shown.headers.get('etag')! } }
  assert.equal((await app.put(`/v5/tracks/${id}`, { body: 'x' }, stale)).status, 412)
  const after = (await app.get(url)).body
  assert.deepEqual(
    [after.body, after.tags.total, after.custom, after.cover.id],
    ['Night Ferry (live)', 0, ['one'], cover.id],
  )
  assert.equal((await app.delete(`/v5/tracks/${id}`)).status, 204)
  assert.equal((await app.get(`/v5/tracks/${id}`)).status, 404)
  assert.deepEqual(await eventsOf(app, id), ['track.created', 'track.changed', 'track.deleted'])
})

test('providers tell what they know, under their own ids, which keep their times over a change', async () => {
  const app = await start()
  const streamtracks = [
    { id: 'st-1', body: 'Tide', isrc: 'NLA122600002', duration: 200, popularity: 61, explicit: true },
    { url: 'https://stream.example.org/2' },
  ]
  const { id } = await add(app, '/tracks', { body: 'Tide', streamtracks })
  const shown = async () => (await app.get(`/v5/tracks/${id}?fields=streamtracks`)).body.streamtracks
  const before = await shown()
  assert.deepEqual(before.items[0], {
    id: 'st-1',
    created_on: before.items[0].created_on,
    changed_on: null,
    label: 'StreamTrack',
    ...streamtracks[0],
    release_date: null,
    url: null,
    cover_url: null,
    preview_url: null,
  })
  assert.deepEqual([before.total, before.items[1].body], [2, 'Tide'])
  await app.put(`/v5/tracks/${id}`, { streamtracks: [{ id: 'st-1', popularity: 62 }, before.items[1]] })
  const after = await shown()
  assert.deepEqual(after.items[1], before.items[1])
  assert.deepEqual([after.items[0].popularity, after.items[0].created_on], [62, before.items[0].created_on])
  assert.notEqual(after.items[0].changed_on, null)
  const musicdbartists = [{ id: '9', gender: 'group', summary: 'Five', biography: 'Long', url: null }]
  const artist = await add(app, '/artists', { body: 'Quay', musicdbartists })
  const [known] = (await app.get(`/v5/artists/${artist.id}?fields=musicdbartists`)).body.musicdbartists.items
  assert.deepEqual([known.label, known.id, known.body, known.gender], ['MusicDbArtist', '9', 'Quay', 'group'])
})

test('a token that is bound to no user reads music, and writes none', async () => {
  const app = await start()
  const { value: token } = await app.addToken({ user_id: null })
  for (const path of ['/v5/artists', '/v5/tracks', '/v5/timelines', '/v5/tracks/bulk/import']) {
    const refused = await app.post(path, { body: 'x' }, { token })
    assert.deepEqual([refused.status, refused.body.type], [403, 'UserRequired'], path)
  }
  assert.equal((await app.get('/v5/artists', { token })).status, 200)
})

test('every wrong field is named and nothing is written, not even a tag or an artist', async () => {
  const app = await start()
  const wrong = {
    body: ' ',
    status: 'Done',
    published_on: null,
    custom: [1],
    reference_unique: '',
    artists: [{}],
    streamtracks: [{ isrc: 'x', url: 'javascript:alert(1)', other: 1 }],
    tracks: [],
    nothing: 1,
  }
  assert.deepEqual(
    [...new Set(faults(await app.post('/v5/tracks', wrong)))],
    [
      'body',
      'custom.0',
      'nothing',
      'published_on',
      'reference_unique',
      'status',
      'streamtracks.0.isrc',
      'streamtracks.0.other',
      'streamtracks.0.url',
      'tracks',
    ],
  )
  const asset = await addAsset(app, { environment: await app.addEnvironment() })
  const unknown = {
    body: 'x',
    cover: asset.id,
    tags: [{ id: absent }, { body: 'New' }, {}],
    artists: [{ id: absent }, { reference_unique: 'none' }, {}, 'New'],
    published_on: 1000,
    unpublish_on: 1000,
  }
  assert.deepEqual(faults(await app.post('/v5/tracks', unknown)), [
    'artists.0.id',
    'artists.1.reference_unique',
    'artists.2',
    'cover',
    'tags.0.id',
    'tags.2',
    'unpublish_on',
  ])
  for (const path of ['/v5/tracks', '/v5/artists', '/v5/tags'])
    assert.equal((await app.get(path)).body.total, 0)
})

test('a reference is taken once in an environment, by POST and by PUT', async () => {
  const app = await start()
  await add(app, '/artists', { body: 'One', reference_unique: 'r' })
  const other = await add(app, '/artists', { body: 'Two' })
  assert.deepEqual(faults(await app.post('/v5/artists', { body: 'x', reference_unique: 'r' }), 409), [
    'reference_unique',
  ])
  assert.deepEqual(faults(await app.put(`/v5/artists/${other.id}`, { reference_unique: 'r' }), 409), [
    'reference_unique',
  ])
  assert.equal((await app.post('/v5/tracks', { body: 'x', reference_unique: 'r' })).status, 201)
})

test('artists and tracks are linked by id, reference and name, in their order, and show each other by braces', async () => {
  const app = await start()
  const known = await add(app, '/artists', { body: 'Ébb', reference_unique: 'ebb', status: 'published' })
  const track = await add(app, '/tracks', {
    body: 'Both',
    artists: ['Flow', { reference_unique: 'ebb' }, 'EBB'],
  })
  assert.equal(track.artist_text, 'Flow, Ébb')
  const shown = (await app.get(`/v5/tracks/${track.id}?fields=artists{body,tags,tracks{body}}`)).body.artists
  assert.deepEqual([shown.total, bodies(shown)], [2, ['Flow', 'Ébb']])
  assert.deepEqual(shown.items[1], {
    id: known.id,
    body: 'Ébb',
    tags: { total: 0, items: [] },
    tracks: { total: 1, items: [{ id: track.id, body: 'Both' }] },
  })
  const flow = shown.items[0]
  for (let n = 0; n < 3; n += 1) await add(app, '/tracks', { body: `T${n}`, artists: [{ id: flow.id }] })
  assert.equal((await app.get(`/v5/tracks?artists[eq]=${flow.id}`)).body.total, 4)
  assert.deepEqual(bodies((await app.get('/v5/artists?tracks[0][eq]=T1&tracks[0][param]=body')).body), [
    'Flow',
  ])
  await app.put(`/v5/tracks/${track.id}`, { artists: [{ id: known.id }] })
  const after = (await app.get(`/v5/artists/${flow.id}?fields=tracks`)).body.tracks
  assert.deepEqual([after.total, after.items[0].label], [3, 'Track'])
  await app.delete(`/v5/artists/${known.id}`)
  assert.equal((await app.get(`/v5/tracks/${track.id}?fields=artists`)).body.artists.total, 0)
  assert.ok(faults(await app.get('/v5/tracks?fields=artists{password}')).includes('fields'))
})

test('20 tracks that name one unknown artist at once make it once', async () => {
  const app = await start()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      app.post('/v5/tracks', { body: `T${n}`, artists: ['Same', `Own ${n % 3}`] }),
    ),
  )
  for (const answer of answers) made(answer)
  assert.deepEqual(bodies((await app.get('/v5/artists?sort=body')).body), ['Own 0', 'Own 1', 'Own 2', 'Same'])
})

test('q finds titles and performers in spite of typing errors, case and accents, the best fit first', async () => {
  const app = await start()
  for (const [body, artist_text] of [
    ['Midnight Harbour', 'The Quays'],
    ['Harbour', 'Zoë Lighthouse'],
    ['Sunrise', 'Harbor Boys'],
    ['Nothing like it', 'Nobody'],
  ])
    await add(app, '/tracks', { body, artist_text, status: 'published' })
  const found = async (q: string) => bodies((await app.get(`/v5/tracks?q=${encodeURIComponent(q)}`)).body)
  assert.deepEqual(await found('harbour'), ['Harbour', 'Midnight Harbour', 'Sunrise'])
  assert.deepEqual(await found('habrour quays'), ['Midnight Harbour'])
  assert.deepEqual(await found('zoe lighthuose'), ['Harbour'])
  assert.deepEqual(await found('xylophone'), [])
  await add(app, '/artists', { body: 'Zoë Lighthouse' })
  assert.equal((await app.get('/v5/artists?q=LIGTHHOUSE')).body.total, 1)
})

test('lists are filtered by every status, tag, reference, isrc and date, and by the wrong ones not at all', async () => {
  const app = await start()
  const tag = await addTag(app, { body: 'Jazz', slug: 'jazz' })
  for (const [place, status] of musicStatuses.entries())
    await add(app, '/tracks', {
      body: status,
      status,
      reference_unique: `r${place}`,
      published_on: `2026-01-0${place + 1}`,
      tags: place < 2 ? [{ id: tag.id }] : [],
      streamtracks: place === 0 ? [{ isrc: 'nl-a12-26-00003' }] : [],
    })
  for (const [query, expected] of [
    ...musicStatuses.map((status) => [`status=${status}`, [status]] as const),
    ['status[in]=draft,pending', ['draft', 'pending']],
    ['tags[0][eq]=jazz&tags[0][param]=slug', ['pending', 'published']],
    [`tags[has]=false&status[neq]=draft`, ['approval', 'unpublished']],
    ['reference_unique[in]=r0,r4,r9', ['published', 'unpublished']],
    ['isrc[eq]=NLA122600003', ['published']],
    ['published_on[gte]=2026-01-04', ['draft', 'unpublished']],
    ['cover[has]=true', []],
  ] as const) {
    const { body } = await app.get(`/v5/tracks?sort=body&${query}`)
    assert.deepEqual([body.total, bodies(body)], [expected.length, [...expected].sort()], query)
  }
  for (const query of ['status=Done', 'status[sw]=p', 'isrc[fz]=x', 'date=2026-01-01', 'sort=status'])
    faults(await app.get(`/v5/tracks?${query}`))
})

test('a token that sees what is published finds nothing else, by the clock, in lists, singles and links', async () => {
  const app = await start()
  const options = { token: (await app.addToken({ scopes: ['content_items'] })).value }
  const artist = await add(app, '/artists', { body: 'Hidden' })
  const soon = new Date(Date.now() + 2500)
  const states = {
    shown: { status: 'published', artists: [{ id: artist.id }] },
    ending: { status: 'published', unpublish_on: soon.toISOString() },
    coming: { status: 'published', published_on: soon.toISOString() },
    draft: { status: 'draft' },
  }
  const ids: Record<string, string> = {}
  for (const [body, state] of Object.entries(states))
    ids[body] = (await add(app, '/tracks', { body, ...state })).id
  const seen = async () => {
    const { body } = await app.get('/v5/tracks?sort=body&fields=artists', options)
    assert.equal(body.total, body.items.length)
    return bodies(body).join()
  }
  assert.equal(await seen(), 'ending,shown')
  assert.equal((await app.get(`/v5/tracks/${ids.coming}`, options)).status, 404)
  assert.equal((await app.get(`/v5/tracks/${ids.shown}?fields=artists`, options)).body.artists.total, 0)
  assert.equal((await app.get(`/v5/tracks/${ids.shown}?fields=artists`)).body.artists.total, 1)
  assert.equal((await app.get(`/v5/artists/${artist.id}`, options)).status, 404)
  assert.equal(await eventually(async () => (await seen()) === 'coming,shown' && 'moved', 8000), 'moved')
  // What has ended says so, and is told.
  await eventually(
    async () => (await app.get(`/v5/tracks/${ids.ending}`)).body.status === 'unpublished',
    8000,
  )
  assert.deepEqual(await eventsOf(app, ids.ending!), ['track.created', 'track.changed'])
})

test('a cover is fetched from its address, and what cannot be fetched is told', async () => {
  const app = await start()
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const server = createServer(({ url }, response) => {
    response.statusCode = url === '/no' ? 404 : 200
    response.end(url === '/other.png' ? Buffer.concat([png, Buffer.from('other')]) : png)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { id } = await add(app, '/artists', { body: 'Pictured', cover: { url: `${origin}/cover.png` } })
  const { cover } = (await app.get(`/v5/artists/${id}?fields=cover{label,storage_file{size}}`)).body
  assert.deepEqual([cover.label, cover.storage_file.size], ['Cover', png.length])
  assert.deepEqual(faults(await app.put(`/v5/artists/${id}`, { cover: { url: `${origin}/no` } })), ['cover'])
  const other = { body: 'x', cover: { url: `${origin}/other.png` } }
  assert.equal((await app.put(`/v5/artists/${absent}`, other)).status, 404)
  assert.deepEqual(faults(await app.post('/v5/tracks', { ...other, tags: [{}] })), ['tags.0'])
  assert.equal((await app.get('/v5/assets')).body.total, 1, 'what was not written has no asset')
  server.close()
})

test('nothing of another environment is found, changed or linked', async () => {
  const app = await start()
  const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
  const artist = await add(app, '/artists', { body: 'Foreign', reference_unique: 'f' })
  for (const call of [
    () => app.get(`/v5/artists/${artist.id}`, { token }),
    () => app.put(`/v5/artists/${artist.id}`, { body: 'x' }, { token }),
    () => app.delete(`/v5/artists/${artist.id}`, { token }),
  ])
    assert.equal((await call()).status, 404)
  const linked = { body: 'x', artists: [{ id: artist.id }] }
  assert.deepEqual(faults(await app.post('/v5/tracks', linked, { token })), ['artists.0.id'])
  assert.equal((await app.get('/v5/artists', { token })).body.total, 0)
  assert.equal((await app.post('/v5/artists', { body: 'x', reference_unique: 'f' }, { token })).status, 201)
})
