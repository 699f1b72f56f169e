import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { localStorage } from './local.ts'
import { removeAll } from './storage.ts'
import { plainName } from './uploaded.ts'

const root = mkdtempSync(join(tmpdir(), 'marquee-storage-'))
after(() => rmSync(root, { recursive: true, force: true }))
const storage = localStorage(root)
const read = async (key: string, range = {}) =>
  Buffer.concat(await Array.fromAsync(storage.read(key, range))).toString()
const keys = async (prefix: string) =>
  (await Array.fromAsync(storage.list(prefix))).map(({ key, size }) => `${key} ${size}`).sort()

test('what is put is there, whole or in part, can be moved, listed and removed', async () => {
  assert.deepEqual(
    await storage.put('originals/e/one', Readable.from([Buffer.from('0123'), Buffer.from('45')])),
    {
      size: 6,
    },
  )
  await storage.put('derivatives/e/one/hls/a.ts', Buffer.from('x'))
  assert.equal(await read('originals/e/one'), '012345')
  assert.equal(await read('originals/e/one', { start: 2, end: 3 }), '23')
  assert.deepEqual(
    [await storage.size('originals/e/one'), await storage.size('originals/e/two')],
    [6, undefined],
  )
  await storage.put('originals/e/two', Buffer.from('old'))
  await storage.move('originals/e/one', 'originals/e/two')
  assert.deepEqual(await keys('originals/'), ['originals/e/two 6'])
  assert.deepEqual(await keys('derivatives/e/one/'), ['derivatives/e/one/hls/a.ts 1'])
  await removeAll(storage, 'derivatives/e/')
  assert.deepEqual([await keys('derivatives/'), await keys('nothing/')], [[], []])
  await storage.remove('originals/e/none')
  await assert.rejects(read('originals/e/none'), { code: 'ENOENT' })
  await assert.rejects(storage.move('originals/e/none', 'originals/e/x'), { code: 'ENOENT' })
})

test('a file that breaks off is not there, and leaves nothing', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(100_000)
      throw new Error('the sender went away')
    })(),
  )
  await storage.put('originals/e/kept', Buffer.from('kept'))
  await assert.rejects(storage.put('originals/e/kept', broken), /went away/)
  assert.equal(await read('originals/e/kept'), 'kept')
  assert.deepEqual(readdirSync(join(root, 'temporary')), [])
})

test('no key leads out of the storage', async () => {
  for (const key of ['../x', 'a/../b', '/etc/passwd', 'a//b', '.', 'a/.hidden', 'a\\b', 'a\0b', '', 'a/'])
    await assert.rejects(async () => storage.put(key, Buffer.from('x')), /not a key/, key)
})

test('a name is the last part of a path, without what misleads', () => {
  for (const [name, expected] of [
    ['C:\\Users\\me\\a.png', 'a.png'],
    ['../../etc/passwd', 'passwd'],
    ['gnp\u202e.exe\u0000\n', 'gnp.exe'],
    ['..', null],
    ['', null],
    [undefined, null],
    ['é'.repeat(300), 'é'.repeat(255)],
  ] as const)
    assert.equal(plainName(name), expected)
})
