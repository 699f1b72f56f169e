import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { newFolder, run, settings } from '../../test/cli/service.ts'
import { startS3 } from '../../test/harness/s3.ts'
import { readConfig } from '../config.ts'
import { localStorage } from './local.ts'
import { s3Storage } from './s3.ts'
import { removeAll } from './storage.ts'

const server = await startS3()
after(() => server.close())
const storage = s3Storage(readConfig(server.settings).s3!)

/** Bytes that differ from place to place, so that parts in a wrong order show. */
const bytesOf = (length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
  return bytes
}
const inChunks = (bytes: Buffer, size = 100_000): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
  )

test('a file of several parts comes back the same, whole and by ranges', async () => {
  const sent = bytesOf(17_000_003)
  assert.deepEqual(await storage.put('originals/e/large', inChunks(sent)), { size: sent.length })
  assert.equal(await storage.size('originals/e/large'), sent.length)
  const read = await buffer(storage.read('originals/e/large'))
  assert.equal(hash('sha256', read), hash('sha256', sent))
  const middle = await buffer(storage.read('originals/e/large', { start: 8_388_600, end: 8_388_700 }))
  assert.deepEqual(middle, sent.subarray(8_388_600, 8_388_701))
  const rest = await buffer(storage.read('originals/e/large', { start: 17_000_000 }))
  assert.deepEqual(rest, sent.subarray(17_000_000))
})

test('small and empty files are stored in one piece, moved, listed by folder and removed', async () => {
  await storage.put('incoming/a', Buffer.from('hello'), { mimeType: 'text/plain' })
  assert.deepEqual(await storage.put('incoming/ab', inChunks(Buffer.alloc(0))), { size: 0 })
  await storage.move('incoming/a', 'derivatives/e/x/one')
  await storage.put('derivatives/e/xx/two', Buffer.from('2'))
  const listed = await Array.fromAsync(storage.list('derivatives/e/x/'))
  assert.deepEqual(listed, [{ key: 'derivatives/e/x/one', size: 5 }])
  assert.equal(await storage.size('incoming/a'), undefined)
  assert.equal(await storage.size('incoming/ab'), 0)
  await storage.remove('derivatives/e/x/one')
  await storage.remove('derivatives/e/x/one')
  assert.deepEqual(await Array.fromAsync(storage.list('derivatives/e/x/')), [])
})

test('an upload that breaks off tells why and leaves no file, and what is absent fails as it is read', async () => {
  const broken = Readable.from(
    (async function* () {
      yield bytesOf(18_000_000)
      throw new Error('the sender left')
    })(),
  )
  await assert.rejects(storage.put('originals/e/broken', broken), /the sender left/)
  assert.equal(await storage.size('originals/e/broken'), undefined)
  await assert.rejects(buffer(storage.read('originals/e/broken')), { name: 'NoSuchKey' })
})

test('a reader that leaves early ends its request', async () => {
  await storage.put('originals/e/left', bytesOf(9_000_000))
  const stream = storage.read('originals/e/left')
  for await (const _ of stream) break
  assert.ok(stream.destroyed)
})

test('a presigned address is read without any other credentials, for a while', async () => {
  await storage.put('originals/e/signed', Buffer.from('for a while'))
  const url = await storage.presign!('originals/e/signed', 60)
  assert.equal(await (await fetch(url)).text(), 'for a while')
  const { searchParams } = new URL(url)
  assert.equal(searchParams.get('X-Amz-Expires'), '60')
  assert.match(searchParams.get('X-Amz-Signature')!, /^[0-9a-f]{64}$/)
  searchParams.set('X-Amz-Date', '20200101T000000Z')
  assert.equal((await fetch(`${url.split('?')[0]}?${searchParams}`)).status, 403)
})

test('keys that lead elsewhere are refused, and the check tells what is wrong', async () => {
  for (const key of ['../x', 'a/../b', '/a', 'a//b', ''])
    await assert.rejects(storage.put(key, Buffer.from('x')), /not a key/)
  await storage.check()
  const wrong = s3Storage({ ...readConfig(server.settings).s3!, bucket: 'absent' })
  await assert.rejects(wrong.check(), { name: 'NoSuchBucket' })
})

test('all files move to the bucket and back, compared byte by byte, and only what is new is copied again', async () => {
  const data = newFolder()
  const env = settings(data, server.settings)
  const move = (from: string, to: string, ...more: string[]) =>
    run(['storage', 'move', '--from', from, '--to', to, ...more], { cwd: data, env })
  const local = localStorage(join(data, 'files'))
  const original = bytesOf(300_000)
  const key = `originals/moved/${hash('sha256', original)}`
  await local.put(key, original)
  await local.put('derivatives/moved/x/poster.jpg', Buffer.from('poster'))
  await local.put('cache/moved/x/w1.webp', Buffer.from('made again'))

  const first = await move('local', 's3')
  assert.equal(first.code, 0, first.err)
  assert.match(first.err, /2 of them were copied now/)
  assert.ok(original.equals(await buffer(storage.read(key))))
  assert.equal(await storage.size('cache/moved/x/w1.webp'), undefined)
  assert.match((await move('local', 's3')).err, /0 of them were copied now/)

  // Stopped before it was compared, and spoilt: it is noticed and copied again.
  rmSync(join(data, 'storage-move-local-s3.jsonl'))
  await storage.put('derivatives/moved/x/poster.jpg', Buffer.from('poste?'))
  assert.match((await move('local', 's3')).err, /1 of them were copied now/)
  assert.equal((await buffer(storage.read('derivatives/moved/x/poster.jpg'))).toString(), 'poster')

  const broken = `originals/moved/${'0'.repeat(64)}`
  await local.put(broken, Buffer.from('other bytes'))
  const refused = await move('local', 's3', '--remove')
  assert.equal(refused.code, 1)
  assert.ok(refused.err.includes(broken))
  assert.equal(await local.size(key), original.length)

  await local.remove(broken)
  await storage.remove(broken)
  assert.equal((await move('local', 's3', '--remove')).code, 0)
  assert.equal(await local.size(key), undefined)
  await removeAll(storage, 'originals/e/')
  assert.equal((await move('s3', 'local')).code, 0)
  assert.ok(original.equals(await buffer(local.read(key))))
  rmSync(data, { recursive: true })
})

test('a move without settings, or to the same place, is explained', async () => {
  const data = newFolder()
  const options = { cwd: data, env: settings(data) }
  const unset = await run(['storage', 'move', '--from', 'local', '--to', 's3'], options)
  assert.deepEqual([unset.code, /S3_ENDPOINT/.test(unset.err)], [1, true])
  const same = await run(['storage', 'move', '--from', 'local', '--to', 'local'], options)
  assert.deepEqual([same.code, /same storage/.test(same.err)], [1, true])
  rmSync(data, { recursive: true })
})
