import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addChannel } from '../../../../test/harness/factories.ts'
import { csv, type Fault, type Import, ndjson } from '../../../../test/harness/imports.ts'
import { absent, eventsOf, faults, made } from '../../../../test/harness/records/kind.ts'

const start = () => startApp({ MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' }, { bound: true })
type Kind = 'artists' | 'tracks' | 'timelines'

const run = async (app: TestApp, kind: Kind, raw: string, query = '', headers = csv) => {
  const sent = await app.call('POST', `/v5/${kind}/bulk/import${query}`, { raw, headers })
  assert.equal(sent.status, 202, sent.text)
  const { id, label } = sent.body
  assert.equal(sent.headers.get('location'), `/v5/${kind}/imports/${id}`)
  assert.equal(label, `${kind[0]!.toUpperCase()}${kind.slice(1, -1)}Import`)
  const url = `/v5/${kind}/imports/${id}`
  const ended = await eventually(async () => {
    const { body } = await app.get(url)
    return !['pending', 'running'].includes(body.status) && (body as Import)
  }, 20_000)
  const { items } = (await app.get(`${url}/errors`)).body as { items: Fault[] }
  const { status, created, updated, failed } = ended
  return {
    status,
    counts: [created, updated, failed],
    errors: items.map(({ row, column }) => `${row} ${column}`),
  }
}
const done = (counts: number[], errors: string[] = []) => ({ status: 'done', counts, errors })
const bodies = (page: { items: { body: string }[] }): string[] => page.items.map(({ body }) => body)

const tracks = `reference_unique,body,artists,tags,streamtrack.isrc,streamtrack.duration,custom
t-1,Tide,Quay;Ebb,Jazz,NL-A12-26-00001,201,a;b
t-2,Flow,quay,Jazz;Live,,,
t-3,,Quay,,,,
t-4,Wrong,,,no-isrc,x,
t-1,Tide (live),Quay,,,,
`

test('a file of tracks makes tracks, artists and tags once, and a row that names a track again changes it', async () => {
  const app = await start()
  const dry = await run(app, 'tracks', tracks, '?dry_run=true&status=published')
  assert.deepEqual(dry, done([2, 1, 2], ['4 body', '5 streamtrack.duration', '5 streamtrack.isrc']))
  for (const path of ['tracks', 'artists', 'tags']) assert.equal((await app.get(`/v5/${path}`)).body.total, 0)
  assert.deepEqual(await run(app, 'tracks', tracks, '?status=published'), dry)
  const fields = 'artists{body},tags,streamtracks,custom'
  const { items, total } = (await app.get(`/v5/tracks?sort=body&fields=${fields}`)).body
  assert.equal(total, 2)
  assert.deepEqual(
    items.map((item: Record<string, string>) => [
      item.body,
      item.artist_text,
      item.status,
      item.reference_unique,
    ]),
    [
      ['Flow', 'Quay', 'published', 't-2'],
      ['Tide (live)', 'Quay, Ebb', 'published', 't-1'],
    ],
  )
  const [flow, tide] = items
  assert.deepEqual([bodies(tide.artists), tide.streamtracks.items[0].isrc], [['Quay'], 'NL-A12-26-00001'])
  assert.deepEqual([tide.streamtracks.items[0].duration, tide.custom], [201, ['a', 'b']])
  assert.deepEqual(bodies(flow.tags), ['Jazz', 'Live'])
  assert.deepEqual(bodies((await app.get('/v5/artists?sort=body')).body), ['Ebb', 'Quay'])
  assert.deepEqual(await eventsOf(app, tide.id), ['track.created', 'track.changed'])
  assert.deepEqual(
    await run(app, 'tracks', 'reference_unique,body\nt-1,Tide (live)\nt-9,New'),
    done([1, 1, 0]),
  )
  assert.equal((await eventsOf(app, tide.id)).length, 2)
})

test('artists are matched by name, tracks by isrc or id, and what cannot be told is an error of the row', async () => {
  const app = await start()
  assert.deepEqual(await run(app, 'artists', 'body\nÉbb\nQuay\nebb', '?match=body'), done([2, 1, 0]))
  const lines = [
    { body: 'One', streamtracks: [{ isrc: 'NLA122600001' }] },
    { body: 'Two', streamtracks: [{ isrc: 'nl-a12-26-00002' }] },
    { body: 'Uno', streamtracks: [{ isrc: 'NL-A12-26-00001' }] },
    { body: 'None' },
    { body: 'Far', artists: [{ id: absent }], streamtracks: [{ isrc: 'NLA122600003' }] },
  ]
  const file = lines.map((line) => JSON.stringify(line)).join('\n')
  const byIsrc = await run(app, 'tracks', file, '?match=isrc', ndjson)
  assert.deepEqual(byIsrc, done([2, 1, 2], ['4 streamtracks', '5 artists.0.id']))
  const { items } = (await app.get('/v5/tracks?sort=body')).body
  assert.deepEqual(bodies({ items }), ['Two', 'Uno'])
  const byId = `id,status\n${items[0].id},approval\n${absent},draft\n`
  assert.deepEqual(await run(app, 'tracks', byId), done([0, 1, 1], ['3 id']))
  assert.equal((await app.get(`/v5/tracks/${items[0].id}`)).body.status, 'approval')
})

test('covers that a file names by their addresses are fetched afterwards', async () => {
  const app = await start()
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const server = createServer((_request, response) => response.end(Buffer.from(png, 'base64'))).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cover.png`
  assert.deepEqual(
    await run(app, 'artists', `body,cover\nPictured,${url}\nPlain,\nWrong,nothing`),
    done([2, 0, 1], ['4 cover']),
  )
  await eventually(async () => (await app.get('/v5/artists?cover[has]=true')).body.total === 1, 10_000)
  server.close()
})

test('a playout log follows its clocks through the hour that comes twice, and may be sent again', async () => {
  const app = await start()
  await app.put(`/environments/${app.environment.id}`, { time_zone: 'Europe/Amsterdam' })
  const channel = await addChannel(app)
  made(
    await app.post('/v5/tracks', {
      body: 'Tide',
      artist_text: 'Quay',
      streamtracks: [{ isrc: 'NLA122600001' }],
    }),
  )
  const log = (title: string) => `Time,Length,Title,ISRC
2026-10-25 01:58:00,120,A,
2026-10-25 02:20:00,120,B,
2026-10-25 02:50:00,120,${title},
2026-10-25 02:10:00,120,D,
2026-10-25 02:55:00,120,,NL-A12-26-00001
2026-10-25 03:05:00,120,F,NLA129900001
2026-03-29 02:30:00,120,never,
`
  const query = `?channel_id=${channel.id}&mapping=${JSON.stringify({ Time: 'from', Length: 'duration', Title: 'body', ISRC: 'isrc' })}`
  assert.deepEqual(await run(app, 'timelines', log('C'), query), done([6, 0, 1], ['8 Time']))
  const read = async () => {
    const { body } = await app.get(`/v5/timelines?date=2026-10-25&channel_id=${channel.id}`)
    return body.items.map(
      ({ body, timecode }: { body: string; timecode: string }) => `${timecode.slice(11)} ${body}`,
    )
  }
  const hour = 3600
  const expected = (title: string) => [
    `${2 * hour - 120} A`,
    `${2 * hour + 1200} B`,
    `${2 * hour + 3000} ${title}`,
    `${3 * hour + 600} D`,
    `${3 * hour + 3300} Quay - Tide`,
    `${4 * hour + 300} F`,
  ]
  assert.deepEqual(await read(), expected('C'))
  assert.deepEqual(
    await run(app, 'timelines', log('C2'), `${query}&dry_run=true`),
    done([0, 6, 1], ['8 Time']),
  )
  assert.deepEqual(await run(app, 'timelines', log('C2'), query), done([0, 6, 1], ['8 Time']))
  assert.deepEqual(await read(), expected('C2'))
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (
      select event, environment_id from outbox union all select event, environment_id from events) as told
    where event = 'timeline.changed' and environment_id = ${app.environment.id}`.execute(app.context.db)
  assert.equal(rows[0]!.count, 1)
  assert.equal((await app.get('/v5/tracks/imports')).body.total, 0)
  assert.equal((await app.get('/v5/timelines/imports')).body.total, 3)
})

test('an import is watched and stopped by its own kind, with the scopes of music', async () => {
  const app = await start()
  const sent = await app.call('POST', '/v5/artists/bulk/import', { raw: 'body\nx', headers: csv })
  assert.equal((await app.get(`/v5/tracks/imports/${sent.body.id}`)).status, 404)
  assert.equal((await app.get(`/persons/imports/${sent.body.id}`)).status, 404)
  const reader = { scopes: ['content_items'] }
  assert.equal((await app.get(`/v5/artists/imports/${sent.body.id}`, reader)).status, 200)
  const refused = await app.call('POST', '/v5/artists/bulk/import', {
    raw: 'body\nx',
    headers: csv,
    ...reader,
  })
  assert.equal(refused.status, 403)
  assert.deepEqual(
    faults(await app.call('POST', '/v5/artists/bulk/import?match=isrc', { raw: 'body\nx', headers: csv })),
    ['match'],
  )
})

test('duplicates are found by isrc and by reference, and merged into the oldest with all that names them', async () => {
  const app = await start()
  const add = async (path: string, body: object) => {
    const answer = await app.post(`/v5/${path}`, body)
    made(answer)
    return answer.body
  }
  const isrc = (code: string) => ({ streamtracks: [{ id: code, isrc: code }] })
  const first = await add('tracks', { body: 'Tide', tags: [{ body: 'Jazz' }], ...isrc('NLA122600001') })
  const second = await add('tracks', {
    body: 'Tide (remaster)',
    artists: ['Quay'],
    tags: [{ body: 'Live' }],
    custom: ['x'],
    reference_unique: 'T-2',
    ...isrc('NL-A12-26-00001'),
  })
  const other = await add('tracks', { body: 'Other', reference_unique: 't.2', ...isrc('NLA122600005') })
  const entry = await add('timelines', { track_id: second.id, published_on: 86_400, duration: 60 })
  const found = (await app.get('/v5/tracks/duplicates')).body
  assert.deepEqual(
    [found.total, found.items[0].mark, bodies(found.items[0])],
    [1, 'NLA122600001', ['Tide', 'Tide (remaster)']],
  )
  assert.deepEqual(bodies((await app.get('/v5/tracks/duplicates?by=reference_unique')).body.items[0]), [
    'Tide (remaster)',
    'Other',
  ])
  const dry = (await app.post('/v5/tracks/bulk/merge', { dry_run: true })).body
  assert.deepEqual(
    [dry.merged, dry.items],
    [1, [{ mark: 'NLA122600001', id: first.id, merged: [second.id] }]],
  )
  assert.equal((await app.get('/v5/tracks')).body.total, 3)
  assert.equal((await app.post('/v5/tracks/bulk/merge')).body.merged, 1)
  const merged = (await app.get(`/v5/tracks/${first.id}?fields=artists,tags,custom,streamtracks`)).body
  assert.deepEqual(
    [merged.body, merged.reference_unique, merged.artist_text, merged.custom],
    ['Tide', 'T-2', 'Quay', ['x']],
  )
  assert.deepEqual(
    [bodies(merged.tags), merged.artists.total, merged.streamtracks.total],
    [['Jazz', 'Live'], 1, 2],
  )
  assert.equal((await app.get(`/v5/timelines/${entry.id}?fields=track`)).body.track.id, first.id)
  assert.equal((await app.get(`/v5/tracks/${second.id}`)).status, 404)
  assert.deepEqual(await eventsOf(app, second.id), ['track.created', 'track.deleted'])
  const url = `/v5/tracks/${other.id}/merge`
  assert.deepEqual(faults(await app.post(url, { tracks: [{ id: other.id }, { id: absent }] })), [
    'tracks.0.id',
    'tracks.1.id',
  ])
  assert.equal((await app.post(url, { tracks: [{ id: first.id }] })).body.reference_unique, 't.2')
  // What was merged is found by its reference when it is sent again.
  assert.deepEqual(await run(app, 'tracks', 'reference_unique,body\nT-2,Again'), done([0, 1, 0]))
  const after = (await app.get('/v5/tracks')).body
  assert.deepEqual([after.total, bodies(after), after.items[0].reference_unique], [1, ['Again'], 't.2'])
})

test('artists are merged with their tracks', async () => {
  const app = await start()
  const one = (await app.post('/v5/tracks', { body: 'One', artists: ['Quay', 'The Quay'] })).body
  await app.post('/v5/tracks', { body: 'Two', artists: ['The Quay'] })
  const { items } = (await app.get('/v5/artists?sort=body')).body
  const merged = await app.post(`/v5/artists/${items[0].id}/merge`, { artists: [{ id: items[1].id }] })
  assert.equal(merged.status, 200, merged.text)
  assert.equal((await app.get(`/v5/artists/${items[0].id}?fields=tracks`)).body.tracks.total, 2)
  assert.deepEqual(bodies((await app.get(`/v5/tracks/${one.id}?fields=artists`)).body.artists), ['Quay'])
  assert.equal((await app.get('/v5/artists')).body.total, 1)
})
