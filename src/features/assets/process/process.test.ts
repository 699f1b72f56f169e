import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { judge, pdf, picture, tone, video } from '../../../../test/harness/media.ts'
import { eventsOf } from '../../../../test/harness/records/kind.ts'
import { madeUp, sendForm, sha256, stored, upload } from '../../../../test/harness/uploads.ts'
import { claim, release } from './claim.ts'
import { workFolder } from './work.ts'

const start = () => startApp({}, { processing: true })
/** Nothing is processed but by the test. */
const startIdle = () => startApp()

const fields = 'cdn_files,storage_file,details'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of any shape
const over = (app: TestApp, id: string): Promise<any> =>
  eventually(async () => {
    const { body } = await app.call('GET', `/assets/${id}?fields=${fields}`)
    return body.status !== 'processing' && body
  }, 60_000)

const namesOf = ({ cdn_files }: { cdn_files: { name: string; label: string }[] }): string[] =>
  cdn_files.filter(({ label }) => label !== 'original' && !label.startsWith('w_')).map(({ name }) => name)

const derivative = (app: TestApp, bytes: Buffer, name: string): Promise<Buffer> =>
  buffer(app.context.storage.read(`derivatives/${app.environment.id}/${sha256(bytes)}/${name}`))

const leftOver = async (app: TestApp): Promise<string[]> => readdir(workFolder(app.context)).catch(() => [])

test('an upload is processed: facts, files, one event, and nothing beside them', async () => {
  const app = await start()
  const [photo, sound, film, paper] = [
    await picture({ width: 300, height: 200, orientation: 8 }),
    await tone({ seconds: 1 }),
    await video({ seconds: 0.4 }),
    pdf({ pages: 2 }),
  ]
  const [a, b, c, d] = [
    await upload(app, photo),
    await upload(app, sound, { label: 'Audio' }),
    await upload(app, film, { label: 'Video' }),
    await upload(app, paper, { label: 'PDF' }),
  ]
  const seen = await over(app, a.id)
  assert.deepEqual([seen.status, seen.progress, seen.failure], ['ready', 1, null])
  assert.deepEqual([seen.storage_file.width, seen.storage_file.height], [200, 300])
  assert.match(seen.details.colour, /^#/)
  const heard = await over(app, b.id)
  assert.deepEqual(namesOf(heard), ['audio.m4a', 'audio.ogg', 'peaks.json'])
  assert.equal(heard.storage_file.duration, 1)
  const watched = await over(app, c.id)
  const streams = ['master.m3u8', '180p.m3u8', '180p.m4s']
  assert.deepEqual(namesOf(watched), ['video.mp4', ...streams, 'poster.jpg', 'poster.webp', 'peaks.json'])
  assert.equal((await judge(await derivative(app, film, 'video.mp4'))).video!.frames, 10)
  const read = await over(app, d.id)
  assert.deepEqual([read.details.pages, namesOf(read)], [2, ['page.jpg', 'page.webp']])
  const kept = await stored(app, `derivatives/${app.environment.id}/${sha256(film)}/`)
  assert.deepEqual(
    kept.map((key) => key.split('/').at(-1)),
    namesOf(watched).sort(),
  )
  for (const { id } of [a, b, c, d])
    assert.deepEqual(await eventsOf(app, id), ['asset.created', 'asset.changed'])
  assert.deepEqual(await leftOver(app), [])
})

test('what cannot be processed is failed, with a reason that people understand', async () => {
  const app = await start()
  const { id } = await upload(app, madeUp('png'))
  const failed = await over(app, id)
  assert.deepEqual([failed.status, failed.progress], ['failed', null])
  assert.match(failed.failure, /^The picture is damaged/)
  const film = await upload(app, madeUp('mp4'), { label: 'Video' })
  assert.match((await over(app, film.id)).failure, /damaged or cut off/)
  assert.equal((await app.call('DELETE', `/assets/${id}`)).status, 204)
  // Other bytes under the same id have another chance.
  const answer = await sendForm(
    app,
    `/assets/${film.id}`,
    { source: { bytes: await video({ seconds: 0.4 }) } },
    { method: 'PUT' },
  )
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([answer.body.status, answer.body.failure], ['processing', null])
  assert.equal((await over(app, film.id)).status, 'ready')
})

test('what a node was at when it died is begun anew, and gives the same bytes', async () => {
  const app = await start()
  const film = await video({ seconds: 0.5 })
  const { id } = await upload(app, film, { label: 'Video' })
  await over(app, id)
  const names = ['video.mp4', '180p.m4s', '180p.m3u8', 'poster.jpg']
  const sums = async () => Promise.all(names.map(async (name) => sha256(await derivative(app, film, name))))
  const before = await sums()
  const folder = join(workFolder(app.context), `${app.environment.id}.${id}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'video.mp4'), 'half')
  const keys = `derivatives/${app.environment.id}/${sha256(film)}/`
  await app.context.storage.put(`${keys}video.mp4`, Buffer.from('other'))
  await app.context.storage.put(`${keys}of-an-earlier-version`, Buffer.from('x'))
  await sql`update assets set status = 'processing', progress = 0.4, attempts = 1, claimed_until = now()
    where environment_id = ${app.environment.id} and id = ${id}`.execute(app.context.db)
  assert.equal((await over(app, id)).status, 'ready')
  assert.deepEqual(await sums(), before)
  assert.equal((await stored(app, keys)).length, 7)
  assert.deepEqual(await leftOver(app), [])
})

test('what never comes to an end is given up', async () => {
  const app = await start()
  const { id } = await upload(app, await picture({ width: 31 }))
  await over(app, id)
  await sql`update assets set status = 'processing', attempts = 4, claimed_until = null
    where environment_id = ${app.environment.id} and id = ${id}`.execute(app.context.db)
  assert.match((await over(app, id)).failure, /begun 4 times and never ended/)
})

test('one file of one environment does not wait for a hundred of another', async () => {
  const [many, one] = [await startIdle(), await startIdle()]
  const first = await upload(many, madeUp('png'))
  await upload(many, madeUp('png'))
  const other = await upload(one, madeUp('png'))
  const served: string[] = []
  const environments = [many.environment.id, one.environment.id]
  const claims = []
  for (let turn = 0; turn < 20 && claims.length < 2; turn += 1) {
    const claimed = await claim(many.context, ['Photo'], served)
    if (!claimed) break
    served.push(claimed.environment_id)
    if (environments.includes(claimed.environment_id)) claims.push(claimed)
  }
  assert.deepEqual(
    claims.map(({ id }) => id),
    [first.id, other.id],
  )
  // Nobody else gets what is claimed; given back, it is as before.
  await release(many.context, claims[0]!)
  const again = await claim(
    many.context,
    ['Photo'],
    served.filter((id) => id !== many.environment.id),
  )
  assert.deepEqual([again!.id, again!.attempts], [first.id, 1])
})

test('bytes that are replaced or deleted while they are processed come to nothing', async () => {
  const app = await start()
  const film = await video({ seconds: 3 })
  const { id } = await upload(app, film, { label: 'Video' })
  const busy = () => eventually(async () => (await leftOver(app)).length > 0, 20_000)
  await busy()
  const short = await video({ seconds: 0.4 })
  const put = await sendForm(app, `/assets/${id}`, { source: { bytes: short } }, { method: 'PUT' })
  assert.equal(put.status, 200, put.text)
  const ready = await over(app, id)
  assert.deepEqual([ready.status, ready.storage_file.width], ['ready', 320])
  await eventually(
    async () => (await stored(app, `derivatives/${app.environment.id}/${sha256(film)}/`)).length === 0,
  )
  await eventually(async () => (await leftOver(app)).length === 0)
})
