import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { before, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { buildStudio } from '../../../studio/build/build.ts'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addPublication } from '../../../test/harness/publications.ts'

const folder = new URL('../../../dist/studio/', import.meta.url)
type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] }
let manifest: Record<string, Chunk>
let app: TestApp
before(async () => {
  await buildStudio()
  manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', folder), 'utf8'))
  app = await startApp()
})

const open = (path: string, headers: Record<string, string> = {}) => app.get(path, { token: null, headers })

test('every address below /studio answers with the page, never cached, and nothing inline but by a nonce', async () => {
  const nonces = new Set<string>()
  for (const path of [
    '/studio',
    '/studio/',
    '/studio/e/x/content?status[in]=Done&x=1',
    '/studio/invitations/1?token=a',
  ]) {
    const { status, headers, text } = await open(path)
    assert.equal(status, 200, path)
    assert.match(headers.get('content-type')!, /^text\/html/)
    assert.equal(headers.get('cache-control'), 'no-store')
    const policy = headers.get('content-security-policy')!
    const nonce = /script-src 'self' 'nonce-([\w-]+)'/.exec(policy)![1]!
    nonces.add(nonce)
    assert.doesNotMatch(policy, /unsafe|\*/)
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    for (const tag of text.match(/<script[^>]*>/g)!) assert.ok(tag.includes(`nonce="${nonce}"`), tag)
    assert.doesNotMatch(text, /__NONCE__|\son\w+=|\sstyle=/)
  }
  assert.equal(nonces.size, 4)
})

test('the files of the page are immutable, compressed beforehand, and nothing else of the disk is served', async () => {
  const name = manifest['index.html']!.file
  const plain = await open(`/studio/${name}`, { 'accept-encoding': 'identity' })
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.match(plain.headers.get('content-type')!, /^text\/javascript/)
  assert.match(plain.headers.get('vary')!, /Accept-Encoding/)
  const compressed = await open(`/studio/${name}`, { 'accept-encoding': 'gzip, br' })
  assert.equal(compressed.headers.get('content-encoding'), 'br')
  assert.equal(compressed.text, plain.text)
  assert.equal(brotliDecompressSync(readFileSync(new URL(`${name}.br`, folder))).toString(), plain.text)
  for (const path of ['none.js', '..%2f.stamp', '%2e%2e%2f.stamp', '..%2f..%2f..%2fpackage.json', 'a%00.js'])
    assert.equal((await open(`/studio/assets/${path}`)).status, 404, path)
  assert.equal((await open('/studio/assets/', {})).status, 404)
  assert.equal((await app.call('POST', '/studio', { token: null })).status, 405)
})

/** What the browser must have before the list is there: the page's own script, the texts and the list, with what they import. */
const firstLoad = (): Set<string> => {
  const files = new Set<string>()
  const take = (key: string): void => {
    const chunk = manifest[key]!
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const next of chunk.imports ?? []) take(next)
  }
  for (const key of ['index.html', 'src/texts/en.ts', 'src/features/content/ContentPage.tsx']) take(key)
  return files
}

test('the first load of the list takes at most 250 KB of compressed script', (t) => {
  const scripts = [...firstLoad()].filter((file) => file.endsWith('.js'))
  const bytes = scripts.reduce((sum, file) => sum + statSync(new URL(`${file}.br`, folder)).size, 0)
  t.diagnostic(`${scripts.length} files, ${bytes} bytes`)
  assert.ok(bytes > 100_000, 'the list is measured with what it imports')
  assert.ok(bytes <= 250_000, `${bytes} bytes`)
})

test('the demo is loaded into an empty environment, once, and not beside the work of somebody', async () => {
  const empty = await startApp()
  const refused = await empty.call('POST', '/demo', { scopes: ['publications'] })
  assert.equal(refused.status, 403)
  const answers = await Promise.all([1, 2].map(() => empty.call('POST', '/demo')))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202],
  )
  const ready = () => empty.get('/recommendations').then(({ body }) => body.total > 0)
  await eventually(ready, 60_000)
  const { body } = await empty.get('/publications?published[eq]=true&locale=nl-NL')
  assert.ok(body.total > 10, `${body.total} published in Dutch`)
  assert.ok((await empty.get('/persons')).body.total > 100)
  const busy = await startApp()
  await addPublication(busy)
  const again = await busy.call('POST', '/demo')
  assert.deepEqual([again.status, again.body.type], [409, 'NotEmpty'])
})
