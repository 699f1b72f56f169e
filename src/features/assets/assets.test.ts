import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addAsset, addTag } from '../../../test/harness/factories.ts'
import { addPublication, readPublication, text } from '../../../test/harness/publications.ts'
import { absent, eventsOf, faults } from '../../../test/harness/records/kind.ts'
import { madeUp, sendForm, sha256, stored, upload } from '../../../test/harness/uploads.ts'
import { client, serve } from '../../../test/outgoing/servers.ts'
import { serviceActor } from '../publications/clock/settle.ts'
import { assetFromUrl } from './intake.ts'
import { emptyAssetTrash } from './jobs.ts'
import { sweepStorage } from './sweep.ts'

const originals = (app: TestApp) => stored(app, `originals/${app.environment.id}/`)
const keyOf = (app: TestApp, bytes: Buffer) => `originals/${app.environment.id}/${sha256(bytes)}`
const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

test('a file becomes an asset, told by its bytes, whatever it is called', async () => {
  const app = await startApp()
  const bytes = madeUp('png')
  const answer = await sendForm(app, '/assets?fields=storage_file,tags,cdn_files', {
    source: { bytes, name: '../../etc/passwd\u202e.exe' },
    label: 'Photo',
    name: 'Harbour',
    'tags[0]': 'News',
    'alt[en-US]': 'A harbour',
    'focal_point[x]': 0.25,
    'focal_point[y]': 1,
    folder: '/News/ 2026 /',
  })
  assert.equal(answer.status, 201, answer.text)
  const { id, created_on, storage_file, cdn_files, tags, ...rest } = answer.body
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
  assert.equal(tags.items[0].body, 'News')
  assert.match(cdn_files[0].url, new RegExp(`^https://marquee\\.test/media/${id}/`))
  assert.equal((await eventsOf(app, id))[0], 'asset.created')
  assert.deepEqual(await originals(app), [keyOf(app, bytes)])
  const read = Buffer.concat(await Array.fromAsync(app.context.storage.read(keyOf(app, bytes))))
  assert.ok(read.equals(bytes))
})

test('identical bytes are the earlier asset, untouched, and in another environment one of its own', async () => {
  const app = await startApp()
  const other = await startApp()
  const bytes = madeUp('png')
  const first = await upload(app, bytes, { name: 'First', author: 'One', body: 'Text' })
  const all = await Promise.all(
    ['/assets', '/v5/assets', '/assets'].map((path) =>
      sendForm(app, path, {
        label: 'Cover',
        source: { bytes, name: 'b.png' },
        name: 'Second',
        author: 'Two',
      }),
    ),
  )
  for (const { status, body } of all) {
    assert.equal(status, 201)
    const { id, name, author, label, original_name } = body
    assert.deepEqual([id, name, author, label, original_name], [first.id, 'First', 'One', 'Photo', 'a.png'])
  }
  assert.equal((await eventsOf(app, first.id)).filter((event) => event === 'asset.created').length, 1)
  assert.notEqual((await upload(other, bytes)).id, first.id)
  assert.deepEqual(await originals(app), [keyOf(app, bytes)])
})

test('many who send the same bytes at once get one asset', async () => {
  const app = await startApp()
  const bytes = madeUp('mp3')
  const made = await Promise.all(Array.from({ length: 8 }, () => upload(app, bytes, { label: 'Audio' })))
  assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  assert.equal((await app.get('/assets')).body.total, 1)
})

test('a file must be what its label says, by its bytes; what a browser could run is refused everywhere', async () => {
  const app = await startApp()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const html = Buffer.from(`<!doctype html><script>alert(1)</script>${' '.repeat(9000)}`)
  const { id } = await upload(app, madeUp('png'))
  const video = await sendForm(app, '/assets', { label: 'Video', upload_phase: 'start', file_size: 9999 })
  for (const bytes of [svg, html, Buffer.from('<?xml version="1.0"?><svg/>'), madeUp('pdf')]) {
    const source = { bytes, name: 'a.png' }
    for (const path of ['/assets', '/v5/assets'])
      assert.deepEqual(faults(await sendForm(app, path, { label: 'Photo', source })), ['source'])
    assert.deepEqual(faults(await sendForm(app, `/assets/${id}`, { source }, { method: 'PUT' })), ['source'])
  }
  const chunk = { upload_phase: 'transfer', video_file_chunk: { bytes: html, name: 'a.mp4' } }
  const sent = await sendForm(app, `/assets/${video.body.id}/multipart`, chunk)
  assert.deepEqual(faults(sent), ['video_file_chunk'])
  const audio = await sendForm(app, '/assets', { label: 'Audio', source: { bytes: madeUp('png') } })
  assert.deepEqual(faults(audio), ['source'])
  assert.equal((await originals(app)).length, 1)
})

test('what is no file is never taken for one, and every fault is named', async () => {
  const app = await startApp()
  const source = { filepath: '/etc/passwd', key: 'originals/x', size: 1, sha256: 'x', taken: false }
  for (const path of ['/assets', '/v5/assets']) {
    assert.deepEqual(faults(await app.post(path, { label: 'Photo', source })), ['source'])
    const text = await sendForm(app, path, { label: 'Photo', source: 'text' })
    assert.deepEqual(faults(text), ['source'])
    assert.deepEqual(faults(await app.post(path, { label: 'Photo' })), ['source'])
    assert.deepEqual(faults(await app.post(path, {})), ['label'])
  }
  const wrong = {
    label: 'Film',
    name: 'x'.repeat(201),
    'alt[xx-XX]': 'a',
    'focal_point[x]': 2,
    'focal_point[y]': 0,
    'tags[0]': absent,
    original_name: '../../x',
    zork: 1,
    source: { bytes: madeUp('png') },
  }
  assert.deepEqual(faults(await sendForm(app, '/assets', wrong)), [
    'alt.xx-XX',
    'focal_point.x',
    'label',
    'name',
    'original_name',
    'tags.0',
    'zork',
  ])
  const late = { 'caption[fr-FR]': 'a', 'tags[0]': absent, label: 'PDF', source: { bytes: madeUp('png') } }
  assert.deepEqual(faults(await sendForm(app, '/assets', late)), ['caption.fr-FR', 'source', 'tags.0'])
  const video = {
    label: 'Video',
    source: { bytes: madeUp('mp4') },
    video_file_chunk: { bytes: madeUp('mp4') },
  }
  assert.deepEqual(faults(await sendForm(app, '/assets', video)), ['video_file_chunk'])
  const photo = { label: 'Photo', upload_phase: 'start', file_size: 5 }
  assert.deepEqual(faults(await app.post('/assets', photo)), ['file_size', 'source', 'upload_phase'])
  assert.deepEqual(faults(await app.post('/assets', { label: 'Video' })), ['upload_phase'])
  assert.deepEqual(
    faults(await sendForm(app, '/assets', { label: 'Photo', source: { bytes: Buffer.alloc(0) } })),
    ['source'],
  )
  assert.deepEqual(await stored(app, `originals/${app.environment.id}/`), [])
  await eventually(async () => (await stored(app, 'incoming/')).length === 0)
})

test('the list is found through by name, original name, label, tags and folder, newest first', async () => {
  const app = await startApp()
  const tag = await addTag(app, { body: 'Sea' })
  const one = await upload(app, madeUp('png'), { name: 'Harbour', 'tags[0]': 'sea', folder: 'News' })
  const two = await upload(app, madeUp('mp3'), {
    label: 'Audio',
    source: { bytes: madeUp('mp3'), name: 'interview.mp3' },
  })
  const three = await upload(app, madeUp('pdf'), { label: 'PDF', folder: 'News/2026', reference_id: 'r-3' })
  await app.post('/assets', { label: 'Video', upload_phase: 'start', file_size: 10 })
  for (const [query, expected] of [
    ['', [three, two, one]],
    ['q=harbor', [one]],
    ['q=interview', [two]],
    ['label=Audio,PDF', [three, two]],
    ['label[eq]=Photo', [one]],
    [`tags=${tag.id}`, [one]],
    ['tags[0][in]=SEA&tags[0][param]=body', []],
    ['tags[0][in]=Sea&tags[0][param]=body', [one]],
    ['folder=News', [one]],
    ['folder[sw]=News', [three, one]],
    ['reference_id=r-3', [three]],
    [`tags=${absent}`, []],
    ['sort=name', [one, two, three]],
  ] as const)
    for (const path of ['/assets', '/v5/assets']) {
      const { body } = await app.get(`${path}?${query}`)
      const wanted = expected.map(({ id }) => id)
      if (query === 'sort=name') assert.equal(ids(body)[0], one.id)
      else assert.deepEqual([ids(body), body.total], [wanted, wanted.length], query)
    }
  assert.equal((await app.get('/v5/assets')).body.limit, 100)
  assert.equal((await app.get('/assets')).body.limit, 25)
  assert.deepEqual((await app.get('/assets/folders')).body.items, [
    { folder: 'News', total: 1 },
    { folder: 'News/2026', total: 1 },
  ])
  const found = (await app.get('/search?q=interview')).body.assets
  assert.deepEqual([found.total, found.items[0].id], [1, two.id])
  assert.deepEqual(faults(await app.get('/assets?label=Film&sha256=x')), ['label.in', 'sha256'])
})

test('a change leaves what is not sent, merges texts by locale, and can be refused by its version', async () => {
  const app = await startApp()
  const bytes = madeUp('png')
  const { id } = await upload(app, bytes, { name: 'One', 'alt[en-US]': 'A', 'tags[0]': 'Old' })
  const { headers, body: before } = await app.get(`/assets/${id}?fields=tags,storage_file,cdn_files`)
  const same = await app.put(`/v5/assets/${id}`, before)
  assert.deepEqual([same.status, same.body.changed_on], [200, null], same.text)
  const sent = {
    body: 'Text',
    alt: { 'nl-NL': 'B' },
    tags: ['New'],
    copyright: '© Us',
    focal_point: { x: 0, y: 1 },
  }
  const { body } = await app.put(`/assets/${id}?fields=tags`, sent)
  assert.deepEqual(
    [body.name, body.body, body.alt, body.copyright, body.focal_point],
    ['One', 'Text', { 'en-US': 'A', 'nl-NL': 'B' }, '© Us', { x: 0, y: 1 }],
  )
  assert.deepEqual(
    body.tags.items.map((tag: { body: string }) => tag.body),
    ['New'],
  )
  const stale = await app.put(
    `/assets/${id}`,
    { name: 'X' },
    { headers: { 'if-match': headers.get('etag')! } },
  )
  assert.equal(stale.status, 412)
  const cleared = await app.put(`/assets/${id}`, { alt: { 'en-US': null }, focal_point: null, tags: [] })
  assert.deepEqual([cleared.body.alt, cleared.body.focal_point], [{ 'nl-NL': 'B' }, null])
  assert.equal((await eventsOf(app, id)).filter((event) => event === 'asset.changed').length >= 2, true)
})

test('other bytes under the same id: the old ones go, those of another asset are refused', async () => {
  const app = await startApp()
  const [old, fresh, others] = [madeUp('png'), madeUp('png'), madeUp('png')]
  const { id } = await upload(app, old, { name: 'Kept' })
  const other = await upload(app, others)
  const put = (bytes: Buffer) =>
    sendForm(
      app,
      `/v5/assets/${id}?fields=storage_file`,
      { source: { bytes, name: 'new.png' } },
      { method: 'PUT' },
    )
  const taken = await put(others)
  assert.deepEqual([taken.status, taken.body.type], [409, 'AssetExists'])
  assert.ok(taken.body.errors[0].message.includes(other.id))
  const { status, body } = await put(fresh)
  assert.equal(status, 200)
  assert.deepEqual(
    [body.id, body.name, body.original_name, body.status],
    [id, 'Kept', 'new.png', 'processing'],
  )
  assert.equal(body.storage_file.checksum, `sha256:${sha256(fresh)}`)
  await eventually(async () => !(await originals(app)).includes(keyOf(app, old)))
  assert.deepEqual(await originals(app), [fresh, others].map((bytes) => keyOf(app, bytes)).sort())
  const again = await upload(app, old)
  assert.notEqual(again.id, id, 'the old bytes are free for another asset')
})

test('a deleted asset leaves publications and persons, waits in the trash and can come back', async () => {
  const app = await startApp()
  const bytes = madeUp('png')
  const { id } = await upload(app, bytes, { name: 'Gone' })
  const inside = { label: 'ElementBox', items: [{ label: 'Asset', items: [{ id }] }] }
  const items = { 'en-US': { title: text('A'), cover: { label: 'Asset', items: [{ id }] }, inside } }
  const publication = await addPublication(app, items as never)
  const person = (await app.post('/persons', { first_name: 'Ada', profile_photo: id })).body
  const before = await readPublication(app, publication.id, 'fields=items')
  assert.equal(before.items['en-US'].cover.items[0].id, id)
  const usage = (await app.get(`/v5/assets/${id}/usage`)).body
  assert.deepEqual(
    [usage.total, ids(usage.publications), ids(usage.persons)],
    [2, [publication.id], [person.id]],
  )
  assert.equal(usage.publications.items[0].title, 'A')
  const seen = (await app.get(`/assets/${id}/usage`, { scopes: ['assets'] })).body
  assert.deepEqual([seen.total, seen.publications.items], [0, []])
  assert.equal((await app.delete(`/assets/${id}`)).status, 204)
  for (const path of [`/assets/${id}`, `/v5/assets/${id}/usage`, `/assets/${id}/multipart`])
    assert.equal((await app.get(path)).status, 404)
  assert.equal((await app.delete(`/v5/assets/${id}`)).status, 404)
  assert.equal((await app.get('/assets')).body.total, 0)
  const now = await readPublication(app, publication.id, 'fields=items')
  assert.deepEqual(now.items['en-US'].cover.items, {}, 'not shown from the first moment')
  await eventually(async () => {
    const { rows } = await sql<{ items: string }>`select items::text from publication_locales
      where id = ${publication.id} and items::text like ${`%${id}%`}`.execute(app.context.db)
    const { body } = await app.get(`/persons/${person.id}?fields=profile_photo`)
    return rows.length === 0 && body.profile_photo === null
  })
  const trash = (await app.get('/assets/trash?fields=storage_file')).body
  assert.deepEqual([ids(trash), trash.items[0].name], [[id], 'Gone'])
  assert.ok(trash.items[0].deleted_on)
  const back = await app.post(`/assets/${id}/restore`)
  assert.deepEqual([back.status, back.body.name], [200, 'Gone'], back.text)
  assert.equal((await app.post(`/assets/${id}/restore`)).status, 404)
  assert.deepEqual(await originals(app), [keyOf(app, bytes)])
  const events = (await eventsOf(app, id)).filter((event) => event !== 'asset.changed')
  assert.deepEqual(events, ['asset.created', 'asset.deleted', 'asset.created'])
})

test('deleted, then uploaded again: a new usable asset, whose bytes outlive the old one', async () => {
  const app = await startApp()
  const bytes = madeUp('png')
  const old = await upload(app, bytes)
  await app.delete(`/assets/${old.id}`)
  const fresh = await upload(app, bytes)
  assert.notEqual(fresh.id, old.id)
  const refused = await app.post(`/assets/${old.id}/restore`)
  assert.deepEqual([refused.status, refused.body.type], [409, 'AssetExists'])
  const age = (id: string, days: number) =>
    sql`update assets set deleted_on = now() - make_interval(days => ${days}) where id = ${id}`.execute(
      app.context.db,
    )
  await age(old.id, 31)
  await emptyAssetTrash(app.context)
  assert.equal((await app.post(`/assets/${old.id}/restore`)).status, 404)
  assert.deepEqual(await originals(app), [keyOf(app, bytes)])
  await app.delete(`/assets/${fresh.id}`)
  await age(fresh.id, 29)
  await emptyAssetTrash(app.context)
  assert.equal((await originals(app)).length, 1)
  await age(fresh.id, 31)
  await emptyAssetTrash(app.context)
  assert.deepEqual([await originals(app), (await app.get('/assets/trash')).body.total], [[], 0])
})

test('files that belong to nothing are swept away, and no others', async () => {
  const app = await startApp()
  const { storage } = app.context
  const bytes = madeUp('png')
  await upload(app, bytes)
  const orphan = sha256(madeUp('png'))
  const keys = [
    `originals/${app.environment.id}/${orphan}`,
    `derivatives/${app.environment.id}/${orphan}/poster.jpg`,
    `cache/${app.environment.id}/${orphan}/w_160`,
    `derivatives/${app.environment.id}/${sha256(bytes)}/poster.jpg`,
    `uploads/${app.environment.id}/${absent}/0`,
  ]
  for (const key of keys) await storage.put(key, Buffer.from('x'))
  await sweepStorage(app.context)
  assert.deepEqual(await stored(app, `derivatives/${app.environment.id}/`), [keys[3]])
  assert.deepEqual(await originals(app), [keyOf(app, bytes)])
  for (const kind of ['cache', 'uploads'])
    assert.deepEqual(await stored(app, `${kind}/${app.environment.id}/`), [])
})

test('a picture of a person may be a file, in both generations; it is erased with the person', async () => {
  const app = await startApp()
  const [one, two, library] = [madeUp('png'), madeUp('png'), madeUp('png')]
  const made = await sendForm(app, '/persons?fields=profile_photo', {
    first_name: 'Ada',
    profile_photo: { bytes: one, name: 'ada.png' },
  })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.profile_photo.label, 'Photo')
  const { id } = made.body
  const changed = await sendForm(app, `/v5/persons/${id}`, { picture: { bytes: two } }, { method: 'PUT' })
  assert.equal(changed.status, 200, changed.text)
  const kept = await upload(app, library)
  const shared = await sendForm(app, '/persons', { first_name: 'Bo', profile_photo: { bytes: library } })
  assert.equal((await originals(app)).length, 3)
  const exported = (await app.get(`/persons/${id}/export`)).body
  assert.deepEqual(exported.files.map((file: { original_name: string }) => file.original_name).sort(), [
    'a file',
    'ada.png',
  ])
  const html = { bytes: Buffer.from('<html>') }
  assert.deepEqual(
    faults(await sendForm(app, '/persons', { gender: 'male', 'tags[0][id]': absent, profile_photo: html })),
    ['profile_photo', 'tags.0.id'],
  )
  assert.equal((await app.delete(`/persons/${id}`)).status, 204)
  assert.equal((await app.delete(`/v5/persons/${shared.body.id}`)).status, 204)
  await eventually(async () => (await originals(app)).length === 1)
  assert.deepEqual(ids((await app.get('/assets')).body), [kept.id])
  const { rows } = await sql`select 1 from events where environment_id = ${app.environment.id}
    and snapshot::text like '%ada.png%'`.execute(app.context.db)
  assert.deepEqual(rows, [])
})

test('a file is fetched through the guarded client, or refused with nothing left', async (t) => {
  const app = await startApp()
  const bytes = madeUp('png')
  const { url } = await serve(t, (request, response) => {
    const { pathname } = new URL(request.url!, 'http://x')
    if (pathname === '/away') response.writeHead(302, { location: '/pictures/a%20b.png' }).end()
    else if (pathname === '/none') response.writeHead(404).end()
    else if (pathname === '/long') response.end(Buffer.concat([bytes, Buffer.alloc(100_000)]))
    else response.end(pathname === '/page' ? '<html>' : bytes)
  })
  const actor = serviceActor(app.environment)
  const context = { ...app.context, outgoing: client(t, ['127.0.0.1']) }
  const take = (path: string, options = {}) => assetFromUrl(context, actor, url + path, options)
  const made = await take('/away', { name: 'Fetched' })
  assert.deepEqual([made.label, made.original_name, made.sha256], ['Photo', 'a b.png', sha256(bytes)])
  assert.equal((await take('/again.png')).id, made.id)
  const refused = (path: string, options = {}) => assert.rejects(take(path, options), { name: 'Invalid' })
  await refused('/none')
  await refused('/page')
  await refused('/long', { max: 50_000 })
  await refused('/a.png', { label: 'Audio' })
  await assert.rejects(assetFromUrl(app.context, actor, `${url}/a.png`), /refused-address/)
  await assert.rejects(assetFromUrl(app.context, actor, 'file:///etc/passwd', { path: 'image_url' }), {
    errors: [{ path: 'image_url', message: 'could not be fetched: bad-url' }],
  })
  assert.deepEqual(await originals(app), [keyOf(app, bytes)])
  assert.deepEqual(await stored(app, 'incoming/'), [])
})

test('a picture of a person may be an address, in both generations', async (t) => {
  const app = await startApp({ MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' })
  const bytes = madeUp('png')
  const { url } = await serve(t, ({ url: path }, response) =>
    response.end(path === '/page' ? '<html>' : bytes),
  )
  const made = await app.post('/persons?fields=profile_photo', { profile_photo: `${url}/ada.png` })
  assert.deepEqual([made.status, made.body.profile_photo?.label], [201, 'Photo'], made.text)
  const again = await app.put(`/v5/persons/${made.body.id}?fields=picture`, { picture: `${url}/ada.png` })
  assert.equal(again.body.picture?.id, made.body.profile_photo.id, again.text)
  assert.deepEqual(faults(await app.post('/v5/persons', { picture: `${url}/page` })), ['picture'])
  assert.deepEqual(faults(await app.post('/v5/persons', { picture: 'http://169.254.169.254/' })), ['picture'])
  assert.deepEqual(faults(await app.post('/v5/persons', { firstname: 'A', picture: url })), ['firstname'])
  await eventually(async () => (await stored(app, 'incoming/')).length === 0)
  assert.equal((await app.delete(`/persons/${made.body.id}`)).status, 204)
  await eventually(async () => (await originals(app)).length === 0)
})

test('braces show the files of an asset that a field refers to', async () => {
  const app = await startApp()
  const { id } = await upload(app, madeUp('png'), { name: 'Cover', 'alt[en-US]': 'Seen' })
  const { id: publication } = await addPublication(app, {
    'en-US': { title: text('A'), cover: { label: 'Asset', items: [{ id }] } },
  } as never)
  const fields = 'fields=items{cover{name,alt,cdn_files,storage_file}}'
  const { items } = await readPublication(app, publication, fields)
  const shown = items['en-US'].cover.items[0]
  assert.deepEqual(
    [shown.name, shown.alt, shown.storage_file.mime_type],
    ['Cover', { 'en-US': 'Seen' }, 'image/png'],
  )
  assert.equal(shown.cdn_files[0].label, 'original')
})

test('assets of another environment are as absent ones', async () => {
  const app = await startApp()
  const other = await startApp()
  const { id } = await upload(other, madeUp('mp4'), { label: 'Video' })
  const started = (await other.post('/assets', { label: 'Video', upload_phase: 'start', file_size: 9 })).body
  const deleted = await upload(other, madeUp('png'))
  await other.delete(`/assets/${deleted.id}`)
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['GET', '/usage'],
    ['GET', '/multipart'],
    ['PUT', '', { name: 'X' }],
    ['DELETE', ''],
    ['POST', '/restore'],
    ['POST', '/multipart', { upload_phase: 'finish' }],
  ]
  const bare = ({ status, text }: { status: number; text: string }) => [
    status,
    text.replace(/"dbtrace":"\w+"/, ''),
  ]
  for (const [method, path, body] of calls)
    for (const prefix of ['/assets', '/v5/assets']) {
      const ask = (one: string) => app.call(method, `${prefix}/${one}${path}`, body ? { body } : {})
      const expected = bare(await ask(absent))
      assert.equal(expected[0], 404)
      for (const one of [id, started.id, deleted.id]) assert.deepEqual(bare(await ask(one)), expected)
    }
  const chunk = { upload_phase: 'transfer', video_file_chunk: { bytes: madeUp('mp4') } }
  assert.equal((await sendForm(app, `/assets/${started.id}/multipart`, chunk)).status, 404)
  assert.equal((await other.get(`/assets/${started.id}`)).body.start_offset, 0)
})

test('each operation needs its scopes', async () => {
  const app = await startApp()
  const { id } = await addAsset(app)
  const status = async (method: string, path: string, scopes: string[], body?: unknown) =>
    (await app.call(method, path, { scopes, ...(body !== undefined && { body }) })).status
  for (const prefix of ['/assets', '/v5/assets']) {
    assert.equal(await status('GET', `${prefix}/${id}`, ['channels']), 403)
    assert.equal(await status('PUT', `${prefix}/${id}`, ['assets'], { name: 'A' }), 403)
    assert.equal(
      await status('POST', `${prefix}/${id}/multipart`, ['assets'], { upload_phase: 'finish' }),
      403,
    )
    assert.equal(await status('DELETE', `${prefix}/${id}`, ['assets', 'assets_publish']), 403)
    assert.equal(await status('POST', prefix, ['assets'], { label: 'Photo' }), 403)
    assert.equal(await status('GET', `${prefix}/${id}`, ['assets']), 200)
  }
})
