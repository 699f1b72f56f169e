import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Decoder, Demuxer } from 'node-av/api'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addChannel } from '../../../test/harness/factories.ts'
import { tone } from '../../../test/harness/media.ts'
import { faults } from '../../../test/harness/records/kind.ts'
import { pruneRecordings } from './jobs.ts'
import { joinHours } from './pieces.ts'
import { recordStream } from './record.ts'
import { startRecorder } from './recorder.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-recordings-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const start = () => startApp({ MARQUEE_RECORDINGS: folder, MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' })

/** Until it holds, for 15 seconds at the most. */
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 15_000
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, 'it never held')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

const rate = 48_000
const burst = 1.5

/** A station: a second and a half at once, as they all do, and then as fast as it is heard. */
const station = async (sound: Buffer, seconds: number, type = 'audio/mpeg') => {
  const open = new Set<ServerResponse>()
  const seen = { most: 0, asked: 0 }
  const server = createServer((_request, response) => {
    open.add(response.on('close', () => open.delete(response)))
    seen.most = Math.max(seen.most, open.size)
    seen.asked += 1
    response.writeHead(200, { 'content-type': type })
    const from = performance.now()
    let sent = 0
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - from) / 1000 + burst) * (sound.length / seconds))
      response.write(sound.subarray(sent, due))
      sent = Math.max(sent, due)
      if (sent >= sound.length) response.end()
    }, 50)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, open, seen }
}

const channelRow = (app: TestApp, id: string) =>
  app.context.db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const samplesOf = async (app: TestApp, id: string): Promise<Int16Array> => {
  const { sha256 } = await app.context.db
    .selectFrom('assets')
    .select('sha256')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const path = app.context.storage.localPath(`originals/${app.environment.id}/${sha256}`)!
  const input = await Demuxer.open(path)
  const stream = input.audio()!
  const decoder = await Decoder.create(stream)
  const found: number[] = []
  for await (const frame of decoder.frames(input.packets(stream.index))) {
    const [bytes] = frame?.data ?? []
    for (let n = 0; frame && n < frame.nbSamples; n += 1) found.push(bytes!.readInt16LE(n * 2))
  }
  decoder.close()
  await input.close()
  return Int16Array.from(found)
}

const code = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ')
const pace = { pieceSeconds: 0.5, settling: 300, patience: 5000 }

test('a stream is recorded in pieces and cut to the sample, before and after the pieces of an hour are joined', async () => {
  const app = await start()
  const seconds = 4
  const { url } = await station(await tone({ seconds, rate, extension: 'mp3' }), seconds)
  const { id } = await addChannel(app, { name: 'Radio: one/two', streams: [{ name: 'Main', url }] })
  const channel = await channelRow(app, id)
  const began = Date.now() - burst * 1000
  await recordStream(app.context, channel, { ...pace, pieceSeconds: 1.2 }, new AbortController().signal)
  const pieces = await app.context.db
    .selectFrom('recordings')
    .selectAll()
    .where('channel_id', '=', id)
    .execute()
  assert.ok(pieces.length >= 3, `${pieces.length} pieces`)
  const first = Math.min(...pieces.map(({ starts_on }) => starts_on.getTime()))
  assert.ok(Math.abs(first - began) < 500, `${first - began} ms off`)
  const heard = pieces.reduce((sum, { samples }) => sum + samples, 0) / rate
  assert.ok(heard > seconds - 0.1, `${heard} s, for what came last is kept when the stream breaks off`)

  const from = new Date(Math.ceil(first / 1000) * 1000)
  const span = (hours: number) => ({
    start_timecode: code(new Date(from.getTime() - hours * 3_600_000)),
    end_timecode: code(new Date(from.getTime() + 2000 - hours * 3_600_000)),
  })
  const cut = await app.post('/v5/assets/audiotool/cut', span(0))
  assert.equal(cut.status, 201, cut.text)
  assert.deepEqual([cut.body.label, cut.body.name], ['Audio', `Radio: one/two ${span(0).start_timecode}`])
  const samples = await samplesOf(app, cut.body.id)
  assert.equal(samples.length, 2 * rate)
  // A sine goes on from any two samples; a click between pieces would not.
  const turn = 2 * Math.cos((2 * Math.PI * 440) / rate)
  const middle = samples.subarray(100, -100)
  const jumps = middle.subarray(2).map((sample, n) => Math.abs(sample - turn * middle[n + 1]! + middle[n]!))
  assert.ok(Math.max(...jumps) < 200, `a jump of ${Math.max(...jumps)}`)
  assert.ok(Math.max(...middle) > 14_000)

  await sql`update recordings set starts_on = starts_on - interval '3 hours', ends_on = ends_on - interval '3 hours'
    where channel_id = ${id}`.execute(app.context.db)
  await joinHours(app.context, channel)
  const joined = await app.context.db
    .selectFrom('recordings')
    .selectAll()
    .where('channel_id', '=', id)
    .execute()
  assert.ok(joined.length <= 2)
  const stored = await Array.fromAsync(app.context.storage.list(`recordings/${app.environment.id}/${id}/`))
  assert.deepEqual(stored.map(({ key }) => key).sort(), joined.map(({ key }) => key).sort())
  const again = await app.post('/assets/audiotool/cut', span(3))
  // Identical bytes are the same asset.
  assert.deepEqual([again.status, again.body.id], [201, cut.body.id])
  assert.equal((await app.post('/assets/audiotool/cut', span(2))).status, 404)
})

/** Samples that tell where they stand. */
const wave = (from: number, count: number): Buffer => {
  const bytes = Buffer.alloc(44 + count * 2)
  bytes.write('RIFF')
  bytes.writeUInt32LE(36 + count * 2, 4)
  bytes.write('WAVEfmt \x10\0\0\0\x01\0\x01\0', 8, 'latin1')
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * 2, 28)
  bytes.write('\x02\0\x10\0data', 32, 'latin1')
  bytes.writeUInt32LE(count * 2, 40)
  for (let n = 0; n < count; n += 1) bytes.writeInt16LE(valueAt(from + n), 44 + n * 2)
  return bytes
}
const valueAt = (n: number): number => ((n * 7) % 30_011) - 15_000

test('recordings of a folder are joined across their borders without a sample too many or too few', async () => {
  const app = await start()
  await app.put(`/environments/${app.environment.id}`, { time_zone: 'Europe/Amsterdam' })
  const { id } = await addChannel(app, { name: 'Radio' })
  const { id: silent } = await addChannel(app, { name: 'Silent' })
  mkdirSync(join(folder, id, '2026'), { recursive: true })
  // Recorders drift: the first file is 17 samples longer than the names say.
  writeFileSync(join(folder, id, '2026', 'Radio 2026-07-01 08-00-00.wav'), wave(0, 3 * rate + 17))
  writeFileSync(join(folder, id, '20260701T080003.wav'), wave(3 * rate + 17, 2 * rate))
  writeFileSync(join(folder, id, 'notes.txt'), 'no recording')
  const cut = (start_timecode: string, end_timecode: string, more = {}) =>
    app.post('/assets/audiotool/cut', { start_timecode, end_timecode, ...more })
  const made = await cut('2026-07-01 08:00:01', '2026-07-01 08:00:05', { name: 'Opening' })
  assert.deepEqual([made.status, made.body.name, made.body.status], [201, 'Opening', 'processing'])
  const samples = await samplesOf(app, made.body.id)
  assert.equal(samples.length, 4 * rate)
  assert.equal(
    samples.findIndex((sample, n) => sample !== valueAt(rate + n)),
    -1,
  )

  assert.equal((await cut('2026-07-01 08:00:01', '2026-07-01 08:00:09')).status, 404)
  assert.equal((await cut('2026-07-01 07:59:58', '2026-07-01 08:00:02')).status, 404)
  assert.equal((await cut('2026-07-02 08:00:00', '2026-07-02 08:00:01')).status, 404)
  mkdirSync(join(folder, silent))
  const which = await cut('2026-07-01 08:00:01', '2026-07-01 08:00:02')
  assert.deepEqual(faults(which), ['channel_id'])
  const named = await cut('2026-07-01 08:00:01', '2026-07-01 08:00:02', { channel_id: silent })
  assert.equal(named.status, 404)
  const key = { headers: { 'idempotency-key': 'once' } }
  const body = { start_timecode: '2026-07-01 08:00:01', end_timecode: '2026-07-01 08:00:02', channel_id: id }
  const ids = [
    await app.post('/assets/audiotool/cut', body, key),
    await app.post('/assets/audiotool/cut', body, key),
  ]
  assert.equal(ids[0]!.body.id, ids[1]!.body.id)
  const left = await Array.fromAsync(app.context.storage.list('incoming/'))
  assert.deepEqual(left, [])
})

test('what cannot be cut is told: no recorder, no such time, another channel', async () => {
  const app = await start()
  const body = { start_timecode: '2026-07-01 08:00:00', end_timecode: '2026-07-01 08:00:02' }
  const none = await app.post('/v5/assets/audiotool/cut', body)
  assert.deepEqual([none.status, none.body.type], [409, 'AudiotoolNotConfigured'])
  const { id } = await addChannel(app, { name: 'Radio', record: true })
  for (const [start_timecode, end_timecode, wrong] of [
    ['yesterday', 5, ['end_timecode', 'start_timecode']],
    ['2026-02-30 08:00:00', '2026-13-01 00:00:00', ['end_timecode', 'start_timecode']],
    ['2026-07-01 08:00:00', '2026-07-01 08:00:00', ['end_timecode']],
    ['2026-07-01 08:00:00', '2026-07-01 11:00:01', ['end_timecode']],
  ] as const) {
    const answer = await app.post('/assets/audiotool/cut', { start_timecode, end_timecode, channel_id: id })
    assert.deepEqual(faults(answer), wrong)
  }
  await app.put(`/environments/${app.environment.id}`, { time_zone: 'Europe/Amsterdam' })
  const gap = { start_timecode: '2026-03-29 02:30:00', end_timecode: '2026-03-29 03:30:00' }
  assert.deepEqual(faults(await app.post('/assets/audiotool/cut', gap)), ['start_timecode'])
  const other = await startApp({ MARQUEE_RECORDINGS: folder, MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' })
  const { id: foreign } = await addChannel(other, { name: 'Foreign', record: true })
  const [absent, theirs] = await Promise.all(
    ['absent', foreign].map((channel_id) => app.post('/assets/audiotool/cut', { ...body, channel_id })),
  )
  assert.deepEqual([theirs!.status, theirs!.body.errors], [400, absent!.body.errors])
  assert.equal((await app.post('/assets/audiotool/cut', body)).status, 404)
})

test('a channel is recorded by one node at a time, and no longer than it wants to be', async () => {
  const app = await start()
  const { url, open, seen } = await station(await tone({ seconds: 30, rate, extension: 'mp3' }), 30)
  const { id } = await addChannel(app, { name: 'Radio', record: true, streams: [{ name: 'Main', url }] })
  const nodes = [1, 2].map(() => startRecorder(app.context, assert.ifError, { every: 50, pace }))
  await until(() => open.size === 1)
  await until(async () => {
    const { rows } = await sql`select 1 from recordings where channel_id = ${id}`.execute(app.context.db)
    return rows.length > 0
  })
  await app.put(`/channels/${id}`, { record: false })
  await until(() => open.size === 0)
  await Promise.all(nodes.map((node) => node.stop()))
  assert.deepEqual([seen.most, seen.asked], [1, 1])
})

test('recordings go when they are too old, and files that belong to none with them', async () => {
  const app = await start()
  const { id } = await addChannel(app, { name: 'Radio' })
  const now = Date.now()
  const days = (count: number) => now - count * 86_400_000
  await app.put(`/environments/${app.environment.id}`, { settings: { recordings_kept: 2 } })
  const keyAt = (count: number) => `recordings/${app.environment.id}/${id}/${days(count)}-x.mp3`
  const keys = [keyAt(3), keyAt(1)]
  for (const [index, key] of keys.entries())
    await sql`insert into recordings values (${app.environment.id}, ${id}, ${new Date(days(3 - 2 * index))}, ${rate},
      ${rate}, ${new Date(days(3 - 2 * index))}, ${key}, 3, 'audio/mpeg', 'x')`.execute(app.context.db)
  for (const key of [...keys, keyAt(1.5), keyAt(0.5)]) await app.context.storage.put(key, Buffer.from('mp3'))
  await pruneRecordings(app.context)
  const left = await Array.fromAsync(app.context.storage.list(`recordings/${app.environment.id}/${id}/`))
  assert.deepEqual(left.map(({ key }) => key).sort(), [keys[1], keyAt(0.5)].sort())
})
