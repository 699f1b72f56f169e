import assert from 'node:assert/strict'
import { once } from 'node:events'
import https from 'node:https'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { absent, eventsOf, faults } from '../../../test/harness/records/kind.ts'
import { madeUp, sendForm, sha256, stored, upload } from '../../../test/harness/uploads.ts'
import { cleanUpUploads } from './jobs.ts'

const start = async (app: TestApp, values: Record<string, string | number | { bytes: Buffer }> = {}) => {
  const answer = await sendForm(app, '/assets', { label: 'Video', upload_phase: 'start', ...values })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const transfer = (app: TestApp, id: string, bytes: Buffer, more: object = {}, call: object = {}) =>
  sendForm(
    app,
    `/assets/${id}/multipart`,
    { upload_phase: 'transfer', video_file_chunk: { bytes, name: 'v.mp4' }, ...more },
    call,
  )
const finish = (app: TestApp, id: string, call: object = {}) =>
  app.post(`/v5/assets/${id}/multipart?fields=storage_file`, { upload_phase: 'finish' }, call)
const offsets = ({ body }: { body: { start_offset: number; end_offset: number } }) => [
  body.start_offset,
  body.end_offset,
]

test('a video comes in chunks: start, transfer, finish', async () => {
  const app = await startApp()
  const bytes = madeUp('mp4', 300_000)
  const started = await start(app, { file_size: bytes.length, name: 'Film', 'tags[0]': 'Sea' })
  assert.deepEqual([started.status, started.start_offset, started.end_offset], ['uploading', 0, 300_000])
  const { id } = started
  assert.deepEqual((await finish(app, id)).body.type, 'UploadIncomplete')
  const first = await transfer(app, id, bytes.subarray(0, 100_000), { original_name: 'the film.mp4' })
  assert.deepEqual([first.status, ...offsets(first)], [200, 100_000, 300_000], first.text)
  assert.deepEqual((await finish(app, id)).status, 409)
  const second = await sendForm(app, `/v5/assets/${id}/multipart`, {
    upload_phase: 'transfer',
    file_chunk: { bytes: bytes.subarray(100_000) },
    start_offset: 100_000,
  })
  assert.deepEqual(offsets(second), [300_000, 300_000])
  assert.deepEqual(await eventsOf(app, id), [], 'nobody is told before the end')
  assert.equal((await app.get('/assets')).body.total, 0)
  const done = await finish(app, id)
  assert.deepEqual([done.status, ...offsets(done)], [200, 300_000, 300_000], done.text)
  assert.equal(done.body.original_name, 'the film.mp4', 'and not as a chunk is called')
  assert.deepEqual([done.body.id, done.body.name, done.body.status], [id, 'Film', 'processing'])
  assert.equal(done.body.storage_file.checksum, `sha256:${sha256(bytes)}`)
  const again = await finish(app, id)
  assert.deepEqual([again.status, again.body.id], [200, id])
  const late = await transfer(app, id, madeUp('mp4'), { start_offset: 0 })
  assert.deepEqual([late.status, late.body.type], [409, 'UploadFinished'])
  assert.equal((await eventsOf(app, id)).filter((event) => event === 'asset.created').length, 1)
  for (const prefix of ['uploads/', 'originals/'])
    assert.equal((await stored(app, `${prefix}${app.environment.id}/`)).length, prefix === 'uploads/' ? 0 : 1)
})

test('a first chunk may come with the start, without a size, and a whole video at once', async () => {
  const app = await startApp()
  const bytes = madeUp('mp4', 20_000)
  const begun = await start(app, { video_file_chunk: { bytes: bytes.subarray(0, 12_000) } })
  assert.deepEqual([begun.start_offset, begun.end_offset], [12_000, 12_000 + 52_428_800])
  assert.equal((await transfer(app, begun.id, bytes.subarray(12_000))).status, 200)
  assert.equal((await finish(app, begun.id)).body.storage_file.checksum, `sha256:${sha256(bytes)}`)
  const whole = {
    label: 'Video',
    upload_phase: 'finish',
    video_file_chunk: { bytes: madeUp('mp4'), name: 'w.mp4' },
  }
  const { status, body } = await sendForm(app, '/v5/assets', whole)
  assert.deepEqual([status, body.status, body.original_name], [201, 'processing', 'w.mp4'])
  assert.equal((await upload(app, madeUp('mp4'), { label: 'Video' })).status, 'processing')
  const single = madeUp('mp4')
  const { id } = await start(app, { video_file_chunk: { bytes: single } })
  const ends = await Promise.all(Array.from({ length: 4 }, () => finish(app, id)))
  for (const { text, body } of ends)
    assert.equal(body.storage_file?.checksum, `sha256:${sha256(single)}`, text)
})

test('with an offset a repeated chunk is harmless and a wrong one refused; the offset can be asked', async () => {
  const app = await startApp()
  const bytes = madeUp('mp4', 30_000)
  const { id } = await start(app, { file_size: 30_000 })
  const parts = [0, 10_000, 20_000].map((from) => bytes.subarray(from, from + 10_000))
  const send = (at: number, part: Buffer) => transfer(app, id, part, { start_offset: at })
  for (const at of [0, 0, 10_000, 0, 10_000]) assert.equal((await send(at, parts[at / 10_000]!)).status, 200)
  assert.deepEqual(offsets(await app.get(`/assets/${id}/multipart`)), [20_000, 30_000])
  assert.deepEqual(offsets(await app.get(`/v5/assets/${id}`)), [20_000, 30_000])
  for (const [at, part] of [
    [25_000, parts[2]],
    [0, parts[1]],
    [5000, parts[1]],
    [0, bytes.subarray(0, 9000)],
    [20_000, madeUp('mp4', 10_001)],
  ] as [number, Buffer][]) {
    const wrong = await send(at, part)
    assert.deepEqual([wrong.status, wrong.body.type], [409, 'OffsetMismatch'], String(at))
  }
  const ranged = (range: string, part: Buffer, more = {}) =>
    transfer(app, id, part, more, { headers: { 'content-range': range } })
  assert.equal((await ranged('bytes 0-9999/30000', parts[0]!)).status, 200)
  for (const [range, more] of [
    ['bytes 0-9998/30000', {}],
    ['bytes 20000-29999/30000', { start_offset: 0 }],
    ['bytes 5-1/9', {}],
    ['items 0-9', {}],
  ] as const)
    assert.deepEqual(faults(await ranged(range, parts[2]!, more)), ['Content-Range'])
  assert.deepEqual(offsets(await ranged('bytes 20000-29999/*', parts[2]!)), [30_000, 30_000])
  assert.equal((await finish(app, id)).body.storage_file.checksum, `sha256:${sha256(bytes)}`)
})

test('without an offset a chunk is appended, once by its key; side by side none is lost', async () => {
  const app = await startApp()
  const { id } = await start(app, { video_file_chunk: { bytes: madeUp('mp4', 5000) } })
  const part = madeUp('mp4', 5000)
  const headers = { 'idempotency-key': 'chunk' }
  for (let attempt = 0; attempt < 3; attempt += 1)
    assert.deepEqual(offsets(await transfer(app, id, part, {}, { headers }))[0], 10_000)
  const other = await transfer(app, id, madeUp('mp4', 5000), {}, { headers })
  assert.deepEqual([other.status, other.body.type], [409, 'IdempotencyKeyReused'])
  const all = await Promise.all(Array.from({ length: 6 }, () => transfer(app, id, madeUp('mp4', 5000))))
  assert.deepEqual(
    all.map((answer) => offsets(answer)[0]!).sort((a, b) => a - b),
    [15_000, 20_000, 25_000, 30_000, 35_000, 40_000],
  )
  const ends = await Promise.all(Array.from({ length: 4 }, () => finish(app, id)))
  assert.deepEqual(
    ends.map(({ status, body }) => [status, body.storage_file.size]),
    Array(4).fill([200, 40_000]),
  )
  assert.equal((await eventsOf(app, id)).filter((event) => event === 'asset.created').length, 1)
  assert.deepEqual((await stored(app, `uploads/${app.environment.id}/`)).length, 0)
})

test('a video whose bytes are there already ends as the earlier asset, and says so again', async () => {
  const app = await startApp()
  const bytes = madeUp('mp4', 9000)
  const earlier = await upload(app, bytes, { label: 'Video', name: 'Earlier' })
  const { id } = await start(app, { file_size: 9000, name: 'Later' })
  for (const at of [0, 4500]) await transfer(app, id, bytes.subarray(at, at + 4500))
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { status, body } = await finish(app, id)
    assert.deepEqual([status, body.id, body.name, body.start_offset], [200, earlier.id, 'Earlier', 9000])
  }
  const late = await transfer(app, id, madeUp('mp4'))
  assert.deepEqual([late.status, late.body.type], [409, 'UploadFinished'])
  assert.equal((await app.get(`/assets/${id}`)).status, 404)
  assert.deepEqual(await eventsOf(app, id), [])
  assert.deepEqual(await stored(app, `uploads/${app.environment.id}/`), [])
  assert.deepEqual((await app.get('/assets')).body.total, 1)
})

test('what is no upload takes no chunks, and what is said of a phase must fit it', async () => {
  const app = await startApp()
  const photo = await upload(app, madeUp('png'))
  assert.equal((await transfer(app, photo.id, madeUp('mp4'))).status, 409)
  assert.equal((await finish(app, photo.id)).status, 200)
  assert.equal((await transfer(app, absent, madeUp('mp4'))).status, 404)
  const { id } = await start(app, { file_size: 100 })
  assert.deepEqual(faults(await app.post(`/assets/${id}/multipart`, {})), ['upload_phase'])
  assert.deepEqual(faults(await app.post(`/assets/${id}/multipart`, { upload_phase: 'transfer' })), [
    'video_file_chunk',
  ])
  const wrong = {
    upload_phase: 'end',
    start_offset: -1,
    original_name: 'a/b',
    zork: 1,
    video_file_chunk: 'text',
  }
  assert.deepEqual(faults(await app.post(`/assets/${id}/multipart`, wrong)), [
    'original_name',
    'start_offset',
    'upload_phase',
    'video_file_chunk',
    'zork',
  ])
  const ended = await sendForm(app, `/assets/${id}/multipart`, {
    upload_phase: 'finish',
    video_file_chunk: { bytes: madeUp('mp4', 100) },
  })
  assert.deepEqual(faults(ended), ['video_file_chunk'])
  const large = await app.post('/assets', { label: 'Video', upload_phase: 'start', file_size: 1_000_000_001 })
  assert.deepEqual(
    [large.status, large.body.type, large.body.message],
    [408, 'AssetTooLarge', 'Request Timeout'],
  )
  const text = Buffer.from('no video at all')
  const { id: short } = await start(app, { video_file_chunk: { bytes: text } })
  assert.deepEqual(faults(await finish(app, short)), ['video_file_chunk'])
  assert.equal((await app.delete(`/assets/${id}`)).status, 204)
  assert.equal((await app.get(`/assets/${id}`)).status, 404)
})

test('uploads that nobody goes on with are gone after a day, and so is what never became anything', async () => {
  const app = await startApp()
  const { storage, db } = app.context
  const chunk = { video_file_chunk: { bytes: madeUp('mp4') } }
  const [old, recent] = [await start(app, chunk), await start(app, chunk)]
  await sql`update asset_uploads set touched_on = now() - interval '25 hours' where asset_id = ${old.id}`.execute(
    db,
  )
  const [past, present] = ['incoming/01890000-0000-7000-8000-000000000000', `incoming/${recent.id}`]
  for (const key of [past, present]) await storage.put(key, Buffer.from('x'))
  await cleanUpUploads(app.context)
  assert.deepEqual(await stored(app, 'incoming/'), [present])
  await storage.remove(present)
  assert.deepEqual(await stored(app, `uploads/${app.environment.id}/`), [
    `uploads/${app.environment.id}/${recent.id}/0`,
  ])
  assert.equal((await app.get(`/assets/${old.id}`)).status, 404)
  assert.equal((await transfer(app, old.id, madeUp('mp4'))).status, 404)
  assert.equal((await transfer(app, recent.id, madeUp('mp4'))).status, 200)
})

const boundary = 'a-boundary'
const head = (name: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n`

/** A request that is begun by hand. */
const begin = async (app: TestApp, path: string, length?: number) => {
  const token = await app.tokenFor(['assets', 'assets_publish', 'persons', 'persons_publish'])
  const request = https.request(`${app.origin}${path}`, {
    method: 'POST',
    rejectUnauthorized: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(length !== undefined && { 'content-length': length }),
    },
  })
  request.on('error', () => {})
  return request
}
const answerOf = async (request: ReturnType<typeof https.request>) => {
  const [response] = await once(request, 'response')
  response.setEncoding('utf8')
  let text = ''
  for await (const part of response) text += part
  return { status: response.statusCode as number, body: JSON.parse(text) }
}

test('uploads that are broken off, too many parts and too many bytes leave nothing behind', async () => {
  const app = await startApp()
  const before = (await stored(app, 'temporary/')).length
  const broken = Array.from({ length: 200 }, async (_, index) => {
    const request = await begin(app, index % 2 ? '/assets' : '/v5/assets')
    request.write(head('source'))
    request.write(madeUp('png', 1000 + index))
    await new Promise((resolve) => setTimeout(resolve, index % 20))
    request.destroy()
  })
  await Promise.all(broken)
  const many = await begin(app, '/assets')
  many.write(head('a').repeat(2000))
  many.end(`--${boundary}--`)
  assert.deepEqual((await answerOf(many)).status, 400)
  const twice = await begin(app, '/assets')
  twice.end(`${head('source')}a\r\n${head('source')}b\r\n--${boundary}--\r\n`)
  assert.deepEqual((await answerOf(twice)).body.errors[0], {
    path: 'source',
    message: 'is sent twice; one file is taken',
  })
  const strange = await begin(app, '/assets')
  strange.end(`${head('source')}a\r\n${head('other')}b\r\n--${boundary}--\r\n`)
  assert.equal((await answerOf(strange)).body.errors[0].path, 'other')
  const told = await begin(app, '/assets', 3_100_000_000)
  told.write(head('source'))
  const refused = await answerOf(told)
  assert.deepEqual([refused.status, refused.body.type], [408, 'AssetTooLarge'])
  told.destroy()
  const endless = await begin(app, '/persons')
  endless.write(head('profile_photo'))
  const block = madeUp('png', 1_000_000)
  const over = answerOf(endless)
  for (let sent = 0; sent < 55 && !endless.destroyed; sent += 1)
    if (!endless.write(block)) await Promise.race([once(endless, 'drain'), over])
  const cut = await over
  assert.deepEqual([cut.status, cut.body.errors[0].path], [408, 'profile_photo'])
  endless.destroy()
  await eventually(async () => {
    const left = [...(await stored(app, 'incoming/')), ...(await stored(app, 'temporary/'))]
    return left.length === before
  }, 10_000)
  assert.deepEqual(await stored(app, `originals/${app.environment.id}/`), [])
})
