import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/access.ts'
import { startApp, type TestApp } from '../harness/app.ts'
import { assertSound, closePage, openStudioPage, studioPath } from '../harness/browser.ts'
import { picture, tone } from '../harness/media.ts'
import { addPublication, text } from '../harness/publications.ts'
import { madeUp, upload } from '../harness/uploads.ts'

const fileInput = (page: Page) => page.locator('input[type=file]').first()
const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const tile = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Media' }).getByRole('listitem').filter({ hasText: name })
const ready = (app: TestApp, id: string) =>
  eventually(async () => (await app.get(`/assets/${id}`)).body.status === 'ready', 30_000)

test('a picture is uploaded, described, cut by its focal point, thrown away and put back', async () => {
  const app = await startApp({}, { processing: true })
  const page = await openStudioPage(app, '/media')
  await page.getByRole('heading', { name: 'Your pictures, sound, video and documents' }).waitFor()
  const hostile = '<img src=x onerror=alert(1)>.jpg'
  const buffer = await picture({ width: 400, height: 200 })
  await fileInput(page).setInputFiles([
    { name: hostile, mimeType: 'image/jpeg', buffer },
    { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<p>') },
  ])
  await tray(page).getByText('This type is not taken').waitFor()
  await tile(page, hostile).getByText('Photo').waitFor({ timeout: 20_000 })
  await assertSound(page)

  await tile(page, hostile).getByRole('link').click()
  await page.getByRole('heading', { name: hostile, level: 1 }).waitFor()
  await page.getByLabel('Name').fill('Quarters')
  await page.getByRole('group', { name: 'Dutch' }).getByLabel('Alt text').fill('Vier kleuren')
  await page.getByLabel('Copyright').focus()
  await page.getByRole('heading', { name: 'Quarters', level: 1 }).waitFor()
  const { id } = (await app.get('/assets')).body.items[0]
  await eventually(async () => (await app.get(`/assets/${id}`)).body.alt['nl-NL'] === 'Vier kleuren')

  const point = page.getByRole('button', { name: /^Focal point/ })
  const box = (await point.boundingBox())!
  await point.click({ position: { x: box.width * 0.9, y: box.height * 0.25 } })
  await page.getByText('The focal point is set').waitFor()
  const { focal_point } = (await app.get(`/assets/${id}`)).body
  assert.ok(
    Math.abs(focal_point.x - 0.9) < 0.02 && Math.abs(focal_point.y - 0.25) < 0.02,
    'where it was clicked',
  )
  await assertSound(page)

  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('“Quarters” is in the trash').waitFor()
  await page.waitForURL(`**${studioPath(app, '/media')}*`)
  assert.equal((await app.get(`/assets/${id}`)).status, 404)
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('button', { name: 'Put back' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  assert.equal((await app.get(`/assets/${id}`)).status, 200)
  await closePage(page)
})

/** Two chunks of what the Studio sends at once. */
const size = 9_000_000

test('a video goes on where it was after the page was left', async () => {
  const app = await startApp()
  const page = await openStudioPage(app, '/media')
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
  const film = join(folder, 'film.mp4')
  writeFileSync(film, madeUp('mp4', size))
  let chunks = 0
  const begun = new Set<string>()
  page.on('request', (request) => {
    const [, id] = /assets\/([^/]+)\/multipart$/.exec(request.url()) ?? []
    if (id) begun.add(id)
  })
  await page.route('**/multipart', (route) => {
    if (route.request().method() === 'POST') chunks += 1
    return chunks > 1 ? route.abort() : route.continue()
  })
  await fileInput(page).setInputFiles(film)
  await tray(page).getByText('No connection; goes on by itself').waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // Leaving is asked about while something is on its way.
  page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await page.getByText('Interrupted. Choose the file again').waitFor()
  await fileInput(page).setInputFiles(film)
  await tray(page).getByText('1 file uploaded').waitFor()
  const { items } = (await app.get('/assets?fields=storage_file')).body
  assert.equal(items.length, 1)
  assert.equal(items[0].storage_file.size, size)
  assert.equal(begun.size, 1, 'the same upload went on')
  rmSync(folder, { recursive: true })
  await closePage(page)
})

test('sound plays along its waveform, and what is in use is not thrown away unasked', async () => {
  const app = await startApp({}, { processing: true })
  const sound = await upload(app, await tone({ seconds: 2 }), { label: 'Audio', name: 'Signal' })
  await addPublication(app, {
    'en-US': { title: text('The signal'), sound: { label: 'Asset', items: [{ id: sound.id }] } },
  })
  await ready(app, sound.id)
  const page = await openStudioPage(app, `/media/${sound.id}`, { language: 'nl', scheme: 'dark' })
  const slider = page.getByRole('slider', { name: 'Positie' })
  await slider.click({ position: { x: 10, y: 10 } })
  await page.getByRole('link', { name: 'The signal' }).waitFor()
  await assertSound(page)
  await page.getByRole('button', { name: 'Naar prullenbak' }).click()
  await page
    .getByRole('dialog', { name: '“Signal” wordt gebruikt' })
    .getByRole('button', { name: 'Annuleren' })
    .click()
  assert.equal((await app.get(`/assets/${sound.id}`)).status, 200)
  await closePage(page)
})
