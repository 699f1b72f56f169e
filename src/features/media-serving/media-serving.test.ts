import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { Agent, fetch } from 'undici'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addFile } from '../../../test/harness/files.ts'
import { picture } from '../../../test/harness/media.ts'
import { addPublication, readPublication, text } from '../../../test/harness/publications.ts'
import { startS3 } from '../../../test/harness/s3.ts'
import { mediaUrl, type Wanted } from './addresses.ts'
import { reserve } from './room.ts'

const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
const read = async (app: TestApp, path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(app.origin + path, { headers, method, dispatcher })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
}
/** The path of an address, for servers of tests have an origin of their own. */
const address = async (app: TestApp, id: string, wanted: Wanted, options = {}): Promise<string> => {
  const asset = await app.context.db
    .selectFrom('assets')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return new URL(mediaUrl(app.context, asset, wanted, options)).pathname
}
const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata()
  return [width, height, format]
}
const letters = Buffer.from('abcdefghijklmnopqrstuvwxyz')

test('the original comes whole, in one range, and not at all to who holds it', async () => {
  const app = await startApp()
  const id = await addFile(app, letters, { mime_type: 'audio/mpeg', original_name: 'Été "1".mp3' })
  const path = `/media/${id}/original/x`
  const whole = await read(app, path)
  assert.equal(whole.text, letters.toString())
  const etag = whole.headers.get('etag')!
  assert.equal(whole.headers.get('content-type'), 'audio/mpeg')
  assert.equal(whole.headers.get('accept-ranges'), 'bytes')
  assert.equal(whole.headers.get('access-control-allow-origin'), '*', 'for who reads it from a cache')
  assert.equal(
    whole.headers.get('content-disposition'),
    `inline; filename="_t_ _1_.mp3"; filename*=UTF-8''%C3%89t%C3%A9%20%221%22.mp3`,
  )
  for (const [range, status, text, content] of [
    ['bytes=0-3', 206, 'abcd', 'bytes 0-3/26'],
    ['bytes=24-', 206, 'yz', 'bytes 24-25/26'],
    ['bytes=20-99', 206, 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-2', 206, 'yz', 'bytes 24-25/26'],
    ['bytes=-99', 206, letters.toString(), 'bytes 0-25/26'],
    ['bytes=26-', 416, '', 'bytes */26'],
    ['bytes=-0', 416, '', 'bytes */26'],
    ['bytes=0-1,4-5', 200, letters.toString(), null],
    ['bytes=5-2', 200, letters.toString(), null],
    ['lines=0-1', 200, letters.toString(), null],
  ] as const) {
    const part = await read(app, path, { range })
    assert.deepEqual(
      [part.status, part.text, part.headers.get('content-range')],
      [status, text, content],
      range,
    )
  }
  const range = 'bytes=0-1'
  assert.equal((await read(app, path, { range, 'if-range': etag })).text, 'ab')
  assert.equal((await read(app, path, { range, 'if-range': '"other"' })).status, 200)
  const held = await read(app, path, { 'if-none-match': `"x", W/${etag}` })
  assert.deepEqual([held.status, held.text, held.headers.get('etag')], [304, '', etag])
  const head = await read(app, path, { range }, 'HEAD')
  assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', '26'])
  assert.equal(head.headers.get('etag'), etag)
})

test('a large file is read in ranges that join to the same bytes; a reader that leaves harms nobody', async () => {
  const app = await startApp()
  const bytes = Buffer.alloc(3_000_000, 'Marquee')
  const id = await addFile(app, bytes, { mime_type: 'video/mp4' })
  const path = `/media/${id}/original/film.mp4`
  const parts = await Promise.all(
    ['bytes=0-999999', 'bytes=1000000-1999999', 'bytes=2000000-'].map((range) => read(app, path, { range })),
  )
  assert.ok(Buffer.concat(parts.map((part) => part.bytes)).equals(bytes))
  const leaving = await fetch(app.origin + path, { dispatcher })
  await leaving.body!.cancel()
  assert.equal((await read(app, path)).bytes.length, bytes.length)
})

test('an address is kept for ever as long as nothing behind it changes, and a minute otherwise', async () => {
  const app = await startApp()
  const id = await addFile(app, await picture(), { width: 64, height: 48 })
  const before = await address(app, id, { sizes: { width: 160, height: 160 } })
  const kept = async (path: string) => (await read(app, path)).headers.get('cache-control')
  assert.equal(await kept(before), 'public, max-age=31536000, immutable')
  assert.equal(await kept(`/media/${id}/w_160/x`), 'public, max-age=60')
  assert.equal(await kept(`/media/${id}/w_160,v_0123456789/x`), 'public, max-age=60')
  await app.context.db.updateTable('assets').set({ focal_x: 0, focal_y: 1 }).where('id', '=', id).execute()
  assert.notEqual(await address(app, id, { sizes: { width: 160, height: 160 } }), before)
})

test('a picture has the width and shape that was asked for, and is never larger than its source', async () => {
  const app = await startApp()
  const id = await addFile(app, await picture({ width: 800, height: 600 }), { width: 800, height: 600 })
  for (const [transform, width, height] of [
    ['w_320', 320, 240],
    ['h_160', 213, 160],
    ['w_320,h_320', 320, 320],
    ['h_320,fit_contain,w_320', 320, 240],
    ['w_2560', 800, 600],
    ['w_2560,h_1280', 800, 400],
    ['f_png', 800, 600],
  ] as const) {
    const { status, bytes } = await read(app, `/media/${id}/${transform}/x`)
    assert.equal(status, 200)
    assert.deepEqual((await sizeOf(bytes)).slice(0, 2), [width, height], transform)
  }
})

test('a cut keeps the focal point in sight', async () => {
  const app = await startApp()
  // Quarters of red, green, blue and white in reading order; the lower left corner is blue.
  const bytes = await picture({ width: 640, height: 640 })
  const id = await addFile(app, bytes, { width: 640, height: 640, focal: [0, 1] })
  const { bytes: cut } = await read(app, `/media/${id}/w_160,h_320,f_png/x`)
  const { data } = await sharp(cut).raw().toBuffer({ resolveWithObject: true })
  const [red, green, blue] = data.subarray(-3)
  assert.ok(red! < 40 && green! < 40 && blue! > 215, `${red} ${green} ${blue}`)
})

test('the format follows what the browser says it takes, and says that it does', async () => {
  const app = await startApp()
  const opaque = await addFile(app, await picture(), { width: 64, height: 48 })
  const clear = await addFile(app, await picture({ format: 'png' }), {
    mime_type: 'image/png',
    details: { transparent: true },
  })
  for (const [id, accept, type] of [
    [opaque, 'image/avif,image/webp,*/*;q=0.8', 'image/avif'],
    [opaque, 'image/avif;q=0, image/webp', 'image/webp'],
    [opaque, '*/*', 'image/jpeg'],
    [clear, '*/*', 'image/png'],
  ] as const) {
    const { headers, bytes } = await read(app, `/media/${id}/w_160/x`, { accept })
    assert.deepEqual([headers.get('content-type'), headers.get('vary')], [type, 'Accept'])
    assert.equal((await sizeOf(bytes))[2], { 'image/avif': 'heif' }[type as string] ?? type.slice(6))
  }
  const asked = await read(app, `/media/${opaque}/w_160,f_webp/x`, { accept: 'image/avif' })
  assert.deepEqual([asked.headers.get('content-type'), asked.headers.get('vary')], ['image/webp', null])
})

test('sizes that are not listed need a signature, which is for one asset and one size', async () => {
  const app = await startApp()
  const id = await addFile(app, await picture({ width: 400, height: 300 }), { width: 400, height: 300 })
  const other = await addFile(app, await picture({ width: 401, height: 300 }), { width: 401, height: 300 })
  for (const transform of ['w_161', 'h_161', 'w_160,h_161', 'w_160,q_75', `w_161,s_${'a'.repeat(22)}`]) {
    const { status, text } = await read(app, `/media/${id}/${transform}/x`)
    assert.deepEqual([status, JSON.parse(text).type], [403, 'SignatureRequired'], transform)
  }
  const { body } = await app.get(`/assets/${id}/address?transform=w_161,q_40,f_webp`)
  assert.equal(body.expires_on, null)
  const { pathname } = new URL(body.url)
  assert.deepEqual(await sizeOf((await read(app, pathname)).bytes), [161, 121, 'webp'])
  for (const wrong of [pathname.replace('w_161', 'w_162'), pathname.replace(id, other)])
    assert.equal((await read(app, wrong)).status, 403)
  const later = await app.get(`/v5/assets/${id}/address?transform=w_161&seconds=1`)
  assert.equal((await read(app, new URL(later.body.url).pathname)).status, 200)
  const until = Date.parse(later.body.expires_on)
  while (Date.now() <= until) await new Promise((resolve) => setTimeout(resolve, 50))
  const { status, text } = await read(app, new URL(later.body.url).pathname)
  assert.deepEqual([status, JSON.parse(text).type], [403, 'AddressExpired'])
})

test('the widths of an environment are its own', async () => {
  const app = await startApp()
  const id = await addFile(app, await picture({ width: 400, height: 300 }), { width: 400, height: 300 })
  await app.put(`/environments/${app.environment.id}`, { settings: { image_widths: [200] } })
  assert.equal((await read(app, `/media/${id}/w_200/x`)).status, 200)
  assert.equal((await read(app, `/media/${id}/w_320/x`)).status, 403)
  const { bytes } = await read(app, `/media/${id}/f_jpeg/x`)
  assert.deepEqual(await sizeOf(bytes), [200, 150, 'jpeg'])
})

test('a private asset is read by an address that is signed and ends; its other files come with the same', async () => {
  const app = await startApp()
  const playlist = { mime_type: 'application/vnd.apple.mpegurl', bytes: Buffer.from('#EXTM3U\npart.mp4\n') }
  const part = { mime_type: 'video/mp4', bytes: letters }
  const id = await addFile(app, letters, {
    mime_type: 'video/mp4',
    private: true,
    files: { 'main.m3u8': playlist, 'part.mp4': part },
  })
  const path = await address(app, id, { file: 'main.m3u8' })
  const found = await read(app, path)
  assert.deepEqual([found.status, found.headers.get('content-type')], [200, playlist.mime_type])
  assert.match(found.headers.get('cache-control')!, /^private, max-age=\d+$/)
  const relative = new URL('part.mp4', `https://x${path}`).pathname
  assert.equal((await read(app, relative)).text, letters.toString())
  const unsigned = path.replace(/,s_[\w-]+/, '')
  const never = path.replace(/,e_\d+/, '')
  for (const wrong of [
    unsigned,
    never,
    `/media/${id}/main.m3u8`,
    `/media/${id}/original/x`,
    `/media/${id}/w_160/x`,
  ])
    assert.equal((await read(app, wrong)).status, 404, wrong)
  const endless = await address(app, id, { original: true }, { seconds: 99_999_999 })
  assert.equal((await read(app, endless)).status, 200)
})

test('what is absent, deleted, private or of no such name looks the same', async () => {
  const app = await startApp()
  const shown = await addFile(app, letters, { mime_type: 'audio/mpeg' })
  const hidden = await addFile(app, Buffer.from('hidden'), { private: true })
  const deleted = await addFile(app, Buffer.from('deleted'))
  await app.context.db
    .updateTable('assets')
    .set({ deleted_on: new Date() })
    .where('id', '=', deleted)
    .execute()
  const absent = crypto.randomUUID()
  const answers = new Set<string>()
  for (const path of [
    ...[hidden, deleted, absent, '%00', '..', 'a'.repeat(190)].flatMap((id) => [
      `/media/${id}/original/x`,
      `/media/${id}/w_160/x`,
      `/media/${id}/poster.jpg`,
    ]),
    `/media/${shown}/poster.jpg`,
    `/media/${shown}/v_0123456789/..%2f..%2fx`,
    // A sound has no picture.
    `/media/${shown}/w_160/x`,
    `/media/${shown}/original/x/`,
    `/media/${shown}`,
  ]) {
    const { status, text, headers } = await read(app, path)
    const { dbtrace, ...body } = status === 404 ? JSON.parse(text) : { status, path }
    answers.add(JSON.stringify([body, headers.get('cache-control'), headers.get('content-type')]))
    assert.equal((await read(app, path, {}, 'HEAD')).status, 404)
  }
  assert.equal(answers.size, 1, [...answers].join('\n'))
})

test('an address that says nothing sensible is told every part that is wrong', async () => {
  const app = await startApp()
  const { status, text } = await read(
    app,
    '/media/x/w_0,h_99999,fit_fill,q_101,f_bmp,x_1,v_0123456789,v_0123456789,e_-1,s_1/x',
  )
  assert.equal(status, 400)
  assert.equal(JSON.parse(text).errors.length, 9)
  for (const nonsense of ['original,w_160', '', 'original,original', '__proto___1'])
    assert.equal((await read(app, `/media/x/${nonsense}/x`)).status, 400)
  assert.equal((await app.get('/assets/x/address?transform=w_1,s_1&seconds=0')).status, 400)
})

test('an address is signed for assets of the same environment and files that there are', async () => {
  const app = await startApp()
  const { id: environment } = await app.addEnvironment()
  const foreign = await addFile(app, letters, { environment })
  const own = await addFile(app, letters)
  const answers = [foreign, 'absent'].map((id) => app.get(`/assets/${id}/address`))
  const [first, second] = await Promise.all(answers)
  assert.deepEqual([first!.status, first!.body.message], [404, second!.body.message])
  assert.equal((await app.get(`/assets/${own}/address?file=poster.jpg`)).status, 404)
  assert.equal((await app.get(`/assets/${own}/address?file=a&transform=w_1`)).status, 400)
  assert.equal((await app.get(`/assets/${own}/address`, { scopes: ['tags'] })).status, 403)
})

test('whatever a browser could run is downloaded, in a sandbox, and called what it is at most', async () => {
  const app = await startApp()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const [mime_type, type, kind] of [
    ['image/svg+xml', 'image/svg+xml', 'attachment'],
    ['text/html', 'application/octet-stream', 'attachment'],
    ['application/xhtml+xml', 'application/octet-stream', 'attachment'],
    ['text/xml', 'application/octet-stream', 'attachment'],
    ['application/javascript', 'application/octet-stream', 'attachment'],
    ['application/pdf', 'application/pdf', 'attachment'],
    [null, 'application/octet-stream', 'attachment'],
    ['image/png', 'image/png', 'inline'],
  ] as const) {
    const id = await addFile(app, Buffer.concat([svg, Buffer.from(String(mime_type))]), { mime_type })
    const { headers } = await read(app, `/media/${id}/original/x.html`)
    assert.equal(headers.get('content-type'), type)
    assert.ok(headers.get('content-disposition')!.startsWith(`${kind};`))
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy')!, /default-src 'none';.*; sandbox$/)
    const sized = await read(app, `/media/${id}/w_160/x`)
    assert.equal(sized.status, 404)
  }
})

test('a picture that many ask for at once is made once and kept', async () => {
  const app = await startApp()
  const id = await addFile(app, await picture({ width: 700, height: 500 }), { width: 700, height: 500 })
  const asked = Array.from({ length: 20 }, () => read(app, `/media/${id}/w_320,f_jpeg/x`))
  const etags = new Set((await Promise.all(asked)).map(({ headers }) => headers.get('etag')))
  assert.equal(etags.size, 1)
  const kept = await Array.fromAsync(app.context.storage.list(`cache/${app.environment.id}/`))
  assert.equal(kept.length, 1)
  const rows = await app.context.db
    .selectFrom('media_cache')
    .selectAll()
    .where('environment_id', '=', app.environment.id)
    .execute()
  assert.deepEqual(
    rows.map(({ key, size }) => ({ key, size })),
    kept,
  )
})

test('pictures that nobody asked for the longest make room for new ones', async () => {
  const { context, environment } = await startApp()
  const keep = async (name: string, most: number) => {
    const key = `cache/${environment.id}/0/${name}`
    await context.storage.put(key, letters)
    await reserve(context, environment.id, key, letters.length, most)
  }
  for (let n = 0; n < 103; n += 1) await keep(`a${n}`, 10_000)
  const left = async () => (await Array.fromAsync(context.storage.list(`cache/${environment.id}/`))).length
  assert.equal(await left(), 103)
  await keep('last', 103 * letters.length)
  assert.equal(await left(), 4)
  assert.notEqual(await context.storage.size(`cache/${environment.id}/0/last`), undefined)
  await keep('large', 1)
  assert.equal(await left(), 1)
})

test('files in an object store are served, sized and cut the same, and its own addresses are given to who asks', async () => {
  const store = await startS3()
  const app = await startApp({ ...store.settings })
  const photo = await picture({ width: 400, height: 300 })
  const id = await addFile(app, photo, { width: 400, height: 300 })
  const { bytes } = await read(app, `/media/${id}/original/x`)
  assert.ok(bytes.equals(photo))
  const part = await read(app, `/media/${id}/original/x`, { range: 'bytes=10-19' })
  assert.deepEqual([part.status, part.bytes], [206, photo.subarray(10, 20)])
  for (let round = 0; round < 2; round += 1)
    assert.deepEqual(await sizeOf((await read(app, `/media/${id}/w_160/x`)).bytes), [160, 120, 'jpeg'])
  const { body } = await app.get(`/assets/${id}/address?direct=true&seconds=60`)
  assert.ok(body.url.startsWith(store.settings.S3_ENDPOINT))
  assert.ok(Buffer.from(await (await fetch(body.url)).arrayBuffer()).equals(photo))
  await app.context.storage.remove(`originals/${app.environment.id}/${hash('sha256', photo)}`)
  const gone = await read(app, `/media/${id}/original/x`)
  assert.deepEqual([gone.status, gone.headers.get('cache-control')], [404, 'private, no-store'])
  after(() => store.close())
})

test('answers with addresses that expire are made anew, while others are kept', async () => {
  const app = await startApp()
  for (const isPrivate of [true, false]) {
    const id = await addFile(app, Buffer.from(`kept ${isPrivate}`), { private: isPrivate })
    const items = { 'en-US': { title: text('A'), cover: { label: 'Asset', items: [{ id }] } } }
    const publication = await addPublication(app, items as never)
    const url = async () => {
      const { items } = await readPublication(app, publication.id, 'fields=items{cover{cdn_files}}')
      return items['en-US'].cover.items[0].cdn_files[0].url
    }
    const before = await url()
    // As if time had passed: nobody is told of it.
    await app.context.db
      .updateTable('assets')
      .set({ original_name: 'later.jpg' })
      .where('id', '=', id)
      .execute()
    assert.equal((await url()) === before, !isPrivate)
  }
})

test('whoever reads files slowly keeps nobody from the interface, and there is an end to how many may', async () => {
  const app = await startApp({}, { limits: { inFlight: 2, sending: 4 } })
  const id = await addFile(app, Buffer.alloc(30_000_000), { mime_type: 'video/mp4' })
  const path = `${app.origin}/media/${id}/original/x`
  const readers = []
  for (let n = 0; n < 5; n += 1) readers.push(await fetch(path, { dispatcher }))
  assert.deepEqual(new Set(readers.map(({ status }) => status)), new Set([200]))
  assert.equal((await app.get('/tags')).status, 200)
  assert.equal((await read(app, `/media/${id}/original/x`)).status, 503)
  for (const reader of readers) await reader.body!.cancel()
})
