import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addChannel, addInteraction, addPerson } from '../../../../test/harness/factories.ts'
import { addPublication } from '../../../../test/harness/publications.ts'
import { eventsOf, faults, made } from '../../../../test/harness/records/kind.ts'
import { timeZone } from '../../../time-zones.ts'

const startIn = async (time_zone: string): Promise<TestApp> => {
  const app = await startApp({}, { bound: true })
  const { status } = await app.put(`/environments/${app.environment.id}`, { time_zone })
  assert.equal(status, 200)
  return app
}
const add = async (app: TestApp, body: object) => {
  const answer = await app.post('/v5/timelines', body)
  made(answer)
  return answer.body
}
const epoch = (text: string): number => Date.parse(text) / 1000
type Entry = { body: string; timecode: string; from: string; until: string }
const day = async (app: TestApp, date: string, more = ''): Promise<Entry[]> => {
  const { status, body, text } = await app.get(`/v5/timelines?date=${date}${more}`)
  assert.equal(status, 200, text)
  return body.items
}

test('a timeline has the forms of the specification, in the time zone of the environment', async () => {
  const app = await startIn('Europe/Amsterdam')
  const entry = await add(app, {
    body: 'Night Ferry',
    published_on: '2026-07-01T12:30:00Z',
    unpublish_on: epoch('2026-07-01T12:33:20Z'),
  })
  assert.deepEqual(entry, {
    id: entry.id,
    created_on: entry.created_on,
    changed_on: null,
    label: 'Timeline',
    body: 'Night Ferry',
    published_on: epoch('2026-07-01T12:30:00Z'),
    timecode: `2026-07-01:${14.5 * 3600}`,
    unpublish_on: epoch('2026-07-01T12:33:20Z'),
    from: '2026-07-01 14:30:00',
    until: '2026-07-01 14:33:20',
  })
  assert.deepEqual(await day(app, '2026-07-01'), [entry])
  assert.deepEqual((await app.get(`/v5/timelines/${entry.id}`)).body, entry)
  // Any of the ways to say it gives the same.
  for (const sent of [
    { from: '2026-07-01 14:30:00', until: '2026-07-01 14:33:20' },
    { timecode: '2026-07-01:52200', duration: 200 },
    { from: '2026-07-01T14:30:00', published_on: entry.published_on, unpublish_on: entry.unpublish_on },
  ]) {
    const { id, created_on, ...same } = await add(app, { body: 'Night Ferry', ...sent })
    assert.deepEqual({ ...same, id: entry.id, created_on: entry.created_on }, entry)
  }
})

/** Zone, day, hours that it has, what the seconds of its clocks at noon are, and what clocks show twice or never. */
const changes = [
  ['Europe/Amsterdam', '2026-03-29', 23, 11, '02:30:00', 0],
  ['Europe/Amsterdam', '2026-10-25', 25, 13, '02:30:00', 2],
  ['America/New_York', '2026-03-08', 23, 11, '02:30:00', 0],
  ['America/New_York', '2026-11-01', 25, 13, '01:30:00', 2],
  ['Australia/Lord_Howe', '2026-10-04', 23.5, 11.5, '02:15:00', 0],
  ['Australia/Lord_Howe', '2026-04-05', 24.5, 12.5, '01:45:00', 2],
  ['Asia/Beirut', '2026-03-29', 23, 11, '00:30:00', 0],
  ['America/Havana', '2026-11-01', 25, 13, '00:30:00', 2],
  ['Asia/Tokyo', '2026-03-29', 24, 12, '02:30:00', 1],
] as const

test('a day is as long as its clocks make it, and seconds are counted from its first moment', () => {
  for (const [name, date, hours, noon, shown, times] of changes) {
    const zone = timeZone(name)
    const [start, end] = [zone.startOf(date)!, zone.endOf(date)!]
    assert.equal((end - start) / 3_600_000, hours, `${name} ${date}`)
    assert.equal((zone.momentsOf(`${date} 12:00:00`)![0]! - start) / 3_600_000, noon, `${name} ${date}`)
    const moments = zone.momentsOf(`${date} ${shown}`)!
    assert.equal(moments.length, times, `${name} ${date} ${shown}`)
    for (const moment of moments) assert.equal(zone.shownAt(moment), `${date} ${shown}`)
    assert.equal(zone.shownAt(start - 1000).slice(0, 10) < date, true)
    assert.equal(zone.shownAt(end - 1000).slice(0, 10), date)
  }
  assert.equal(timeZone('Pacific/Apia').startOf('2011-12-30'), timeZone('Pacific/Apia').endOf('2011-12-30'))
  assert.equal(timeZone('UTC').startOf('2026-02-30'), undefined)
})

for (const [zone, spring, autumn] of [
  ['Europe/Amsterdam', '2026-03-29', '2026-10-25'],
  ['America/New_York', '2026-03-08', '2026-11-01'],
] as const)
  test(`${zone}: both days on which clocks change are read whole, and hold each entry once`, async () => {
    const app = await startIn(zone)
    for (const [date, hours] of [
      [spring, 23],
      [autumn, 25],
    ] as const) {
      const first = timeZone(zone).startOf(date)! / 1000
      for (let hour = -1; hour <= hours; hour += 1)
        await add(app, { body: `${hour}`, published_on: first + hour * 3600, duration: 3600 })
      const entries = await day(app, date)
      assert.deepEqual(
        entries.map(({ body, timecode }) => [body, timecode]),
        Array.from({ length: hours }, (_, hour) => [`${hour}`, `${date}:${hour * 3600}`]),
      )
      assert.equal(entries[0]!.from, `${date} 00:00:00`)
      assert.match(entries.at(-1)!.from, / 23:00:00$/)
      assert.match(entries.at(-1)!.until, / 00:00:00$/)
      const shown = entries.map(({ from }) => from.slice(11, 13))
      const repeated = shown.filter((hour, index) => shown.indexOf(hour) !== index)
      assert.equal(repeated.length, hours === 25 ? 1 : 0)
    }
    const missing = { body: 'x', from: `${spring} 02:30:00`, duration: 60 }
    assert.deepEqual(faults(await app.post('/v5/timelines', missing)), ['from'])
    // The hour that comes twice: the first is meant unless something else says which.
    const twice = `${autumn} 01:30:00`.replace('01', zone.startsWith('E') ? '02' : '01')
    const [one, other] = timeZone(zone).momentsOf(twice)!
    assert.equal((await add(app, { body: 'x', from: twice, duration: 60 })).published_on, one! / 1000)
    const second = {
      body: 'x',
      from: twice,
      published_on: other! / 1000,
      until: twice.replace(':30:', ':45:'),
    }
    const stored = await add(app, second)
    assert.deepEqual([stored.published_on, stored.unpublish_on], [other! / 1000, other! / 1000 + 900])
  })

test('the day of an entry follows the time zone when that changes, and a channel has its own entries', async () => {
  const app = await startIn('Asia/Tokyo')
  const channel = await addChannel(app)
  await add(app, { body: 'Late', published_on: '2026-05-01T20:00:00Z', duration: 60, channel_id: channel.id })
  assert.equal((await day(app, '2026-05-02')).length, 1)
  assert.equal((await day(app, '2026-05-02', `&channel_id=${channel.id}`)).length, 1)
  assert.equal((await day(app, '2026-05-02', '&channel_id=other')).length, 0)
  await app.put(`/environments/${app.environment.id}`, { time_zone: 'America/New_York' })
  assert.deepEqual([(await day(app, '2026-05-02')).length, (await day(app, '2026-05-01')).length], [0, 1])
  assert.equal((await day(app, '2026-05-01'))[0]!.from, '2026-05-01 16:00:00')
  await app.delete(`/channels/${channel.id}`)
  assert.equal((await app.get('/v5/timelines?date=2026-05-01&fields=channel')).body.items[0].channel, null)
})

test('what GET returned changes nothing; what is sent differently moves the entry, if it agrees', async () => {
  const app = await startIn('Europe/Amsterdam')
  const entry = await add(app, { body: 'A', from: '2026-10-25 02:30:00', duration: 60 })
  const url = `/v5/timelines/${entry.id}`
  const shown = (await app.get(`${url}?fields=channel,track,environment`)).body
  assert.equal((await app.put(url, shown)).body.changed_on, null)
  const moved = (await app.put(url, { ...entry, from: '2026-10-25 12:00:00', until: '2026-10-25 12:05:00' }))
    .body
  assert.deepEqual([moved.timecode, moved.unpublish_on - moved.published_on], ['2026-10-25:46800', 300])
  const disagreeing = { from: '2026-10-25 13:00:00', published_on: 1000, until: '2026-10-24 13:00:00' }
  assert.deepEqual(faults(await app.put(url, disagreeing)), ['from'])
  assert.deepEqual(faults(await app.put(url, { until: '2026-10-25 12:00:00' })), ['until'])
  assert.deepEqual(faults(await app.put(url, { unpublish_on: '2026-10-26T12:00:00Z' })), ['unpublish_on'])
  assert.equal((await app.delete(url)).status, 204)
  assert.equal((await app.get(url)).status, 404)
  assert.deepEqual(await day(app, '2026-10-25'), [])
  assert.deepEqual(await eventsOf(app, entry.id), [
    'timeline.created',
    'timeline.changed',
    'timeline.deleted',
  ])
})

test('every wrong field is named, and nothing of another environment can be named', async () => {
  const app = await startIn('Europe/Amsterdam')
  assert.deepEqual(faults(await app.post('/v5/timelines', {})), ['body', 'published_on', 'unpublish_on'])
  const other = await app.addEnvironment()
  const channel = await addChannel(app, { environment: other })
  const wrong = {
    channel_id: channel.id,
    track_id: 'none',
    timecode: '2026-03-29:82800',
    until: '2026-02-30 10:00:00',
    isrc: 'unknown',
  }
  assert.deepEqual(faults(await app.post('/v5/timelines', wrong)), [
    'body',
    'channel_id',
    'timecode',
    'track_id',
    'until',
  ])
  assert.deepEqual(faults(await app.post('/v5/timelines', { body: 'x', published_on: -5, duration: 1 })), [
    'published_on',
  ])
  for (const query of [
    '',
    '?date=2026-02-30',
    '?date=today',
    '?date=2026-03-29&limit=5',
    '?date[gt]=2026-01-01',
  ])
    faults(await app.get(`/v5/timelines${query}`))
  const entry = await add(app, { body: 'x', from: '2026-03-29 10:00:00', duration: 60 })
  const { value: token } = await app.addToken({ environment: other })
  assert.equal((await app.get(`/v5/timelines/${entry.id}`, { token })).status, 404)
  assert.equal((await app.get('/v5/timelines?date=2026-03-29', { token })).body.total, 0)
})

test('a day is kept as it was sent until something changes, and a reader that holds it gets 304', async () => {
  const app = await startIn('UTC')
  const entry = await add(app, { body: 'A', published_on: 86_400, duration: 60 })
  const url = '/v5/timelines?date=1970-01-02'
  const first = await app.get(url)
  const held = { headers: { 'if-none-match': first.headers.get('etag')! } }
  assert.equal((await app.get(url, held)).status, 304)
  await app.put(`/v5/timelines/${entry.id}`, { body: 'B' })
  const second = await app.get(url, held)
  assert.deepEqual([second.status, second.body.items[0].body], [200, 'B'])
})

test('now is what began last and still runs, next what begins then; it may be kept until that changes', async () => {
  const app = await startIn('Europe/Amsterdam')
  const channel = await addChannel(app)
  const read = () => app.get(`/v5/timelines/now?channel_id=${channel.id}`)
  assert.deepEqual((await read()).body, { now: null, next: null })
  const second = Math.floor(Date.now() / 1000)
  const put = (body: string, from: number, until: number) =>
    add(app, { body, channel_id: channel.id, published_on: second + from, unpublish_on: second + until })
  await put('over', -300, -200)
  const show = await put('show', -3600, 3600)
  await put('short', -100, -50)
  await put('later', 600, 700)
  await add(app, { body: 'elsewhere', published_on: second - 1, duration: 100 })
  const answer = await read()
  assert.deepEqual([answer.body.now, answer.body.next.body], [show, 'later'])
  assert.equal(answer.headers.get('cache-control'), 'private, max-age=10')
  await put('song', -10, 5)
  const song = await read()
  assert.equal(song.body.now.body, 'song')
  const left = Number(/max-age=(\d+)/.exec(song.headers.get('cache-control')!)![1])
  assert.ok(left <= 4, String(left))
  const held = { headers: { 'if-none-match': answer.headers.get('etag')! } }
  assert.equal((await app.get(`/v5/timelines/now?channel_id=${channel.id}`, held)).status, 200)
  assert.equal((await app.get('/v5/timelines/now')).body.now.body, 'elsewhere')
})

test('an entry names its track by id, reference or isrc, is called by it, and hides it from who must not see it', async () => {
  const app = await startIn('Europe/Amsterdam')
  const track = (
    await app.post('/v5/tracks', {
      body: 'Tide',
      artist_text: 'Quay',
      reference_unique: 'T-1',
      streamtracks: [{ isrc: 'NL-A12-26-00009' }],
    })
  ).body
  const from = { from: '2026-05-01 10:00:00', duration: 60 }
  for (const named of [{ track_id: track.id }, { track_reference: 'T-1' }, { isrc: 'nla122600009' }])
    assert.equal((await add(app, { ...from, ...named })).body, 'Quay - Tide')
  await add(app, { ...from, isrc: 'NLA122600000', body: 'Unknown' })
  const url = '/v5/timelines?date=2026-05-01&fields=track{body}'
  const shown = async (token?: string) =>
    (await app.get(url, token ? { token } : {})).body.items.map(
      ({ track }: { track: object | null }) => track,
    )
  const known = { id: track.id, body: 'Tide' }
  assert.deepEqual(await shown(), [known, known, known, null])
  const { value } = await app.addToken({ scopes: ['content_items'] })
  assert.deepEqual(await shown(value), [null, null, null, null])
  await app.put(`/v5/tracks/${track.id}`, { status: 'published' })
  assert.deepEqual(await shown(value), [known, known, known, null])
  await app.delete(`/v5/tracks/${track.id}`)
  assert.deepEqual(await shown(), [null, null, null, null])
})

test('on-air moments tell what listeners of a channel did by track and minute, each once', async () => {
  const app = await startIn('Europe/Amsterdam')
  const [channel, other] = [await addChannel(app), await addChannel(app)]
  const publish = async ({ id }: { id: string }): Promise<string> =>
    (await addPublication(app, undefined, { channels: [{ id }] })).id
  const [live, elsewhere] = [await publish(channel), await publish(other)]
  const track = (await app.post('/v5/tracks', { body: 'Tide', artist_text: 'Quay', status: 'published' }))
    .body
  const on = { channel_id: channel.id }
  const show = await add(app, {
    ...on,
    body: 'Show',
    from: '2026-05-01 10:00:00',
    until: '2026-05-01 11:00:00',
  })
  const song = await add(app, {
    ...on,
    track_id: track.id,
    from: '2026-05-01 10:10:00',
    until: '2026-05-01 10:12:00',
  })
  const person = await addPerson(app)
  const act = (time: string, label = 'Like', publication_id = live) =>
    addInteraction(app, { person, publication_id, label, created_on: new Date(`2026-05-01T${time}+02:00`) })
  await act('10:09:59.900')
  await act('10:10:00')
  await act('10:10:59.500')
  await act('10:10:30', 'View')
  await act('10:11:10')
  await act('10:12:00')
  await act('10:10:10', 'Like', elsewhere)
  await act('11:00:00')
  await act('09:59:59')
  const { status, body, text } = await app.get(
    `/v5/timelines/moments?channel_id=${channel.id}&date=2026-05-01`,
  )
  assert.equal(status, 200, text)
  const played = { id: track.id, body: 'Tide', artist_text: 'Quay' }
  assert.deepEqual(
    body.items.map(
      (item: { minute: string; timeline: { id: string }; track: object | null; interactions: object }) => [
        item.minute,
        item.timeline.id,
        item.track,
        item.interactions,
      ],
    ),
    [
      ['2026-05-01 10:09', show.id, null, { Like: 1 }],
      ['2026-05-01 10:10', song.id, played, { Like: 2, View: 1 }],
      ['2026-05-01 10:11', song.id, played, { Like: 1 }],
      ['2026-05-01 10:12', show.id, null, { Like: 1 }],
    ],
  )
  assert.equal(body.items[1].published_on, epoch('2026-05-01T10:10:00+02:00'))
  assert.deepEqual(body.tracks[0], {
    track: played,
    body: 'Quay - Tide',
    total: 4,
    interactions: { Like: 3, View: 1 },
  })
  assert.equal(body.total, 6)
  const query = `channel_id=${channel.id}&date=2026-05-02`
  assert.deepEqual((await app.get(`/v5/timelines/moments?${query}`)).body, {
    items: [],
    tracks: [],
    total: 0,
  })
})
