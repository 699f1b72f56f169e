import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/harness/access.ts'
import { startApp } from '../../../test/harness/app.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'
import { madeUp, sendForm, sha256, stored, upload } from '../../../test/harness/uploads.ts'

test('a file becomes an asset, told by its bytes, whatever it is called', async () => {
  const app = await startApp()
  const bytes = madeUp('png')
  const name = { bytes, name: '../../etc/passwd\u202e.exe' }
  const answer = await sendForm(app, '/assets?fields=storage_file,tags', {
    source: name,
    label: 'Photo',
    name: 'Harbour',
    'tags[0]': 'News',
    'alt[en-US]': 'A harbour',
    'focal_point[x]': 0.25,
    'focal_point[y]': 1,
    folder: '/News/ 2026 /',
  })
  assert.equal(answer.status, 201, answer.text)
  const { id, created_on, storage_file, tags, ...rest } = answer.body as never as Record<string, never>
  assert.equal(answer.headers.get('location'), `/assets/${id}`)
  assert.deepEqual(rest, {
    changed_on: null,
    label: 'Photo',
    name: 'Harbour',
    body: null,
    author: null,
    reference_id: null,
    status: 'processing',
    progress: 0,
    failure: null,
    original_name: 'passwd.exe',
    copyright: null,
    folder: 'News/2026',
    private: false,
    alt: { 'en-US': 'A harbour' },
    caption: {},
    focal_point: { x: 0.25, y: 1 },
  })
  assert.deepEqual(storage_file, {
    name: 'passwd.exe',
    size: bytes.length,
    mime_type: 'image/png',
    checksum: `sha256:${sha256(bytes)}`,
    width: null,
    height: null,
    duration: null,
  })
  assert.ok(created_on)
  assert.equal((tags as { items: { body: string }[] }).items[0]!.body, 'News')
  assert.deepEqual((await eventsOf(app, id)).slice(0, 1), ['asset.created'])
  assert.deepEqual(await stored(app, 'incoming/'), [])
})
