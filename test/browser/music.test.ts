import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/access.ts'
import { startApp, type TestApp } from '../harness/app.ts'
import { assertSound, closePage, openStudioPage, studioPath } from '../harness/browser.ts'
import { addChannel, addInteraction, addPerson } from '../harness/factories.ts'
import { addPublication } from '../harness/publications.ts'
import { made } from '../harness/records/kind.ts'

const row = (page: Page, list: string | RegExp, words: string) =>
  page.getByRole('grid', { name: list }).getByRole('row').filter({ hasText: words })
const hostile = '<img src=x onerror="window.hurt=1">'

const setUp = async () => {
  const app = await startApp({}, { bound: true })
  const channel = await addChannel(app, { name: 'Radio' })
  const streamtracks = [{ id: 's-1', isrc: 'NLA122600001', duration: 200 }]
  made(await app.post('/v5/tracks', { body: 'Tide', artists: ['Quay'], status: 'published', streamtracks }))
  return { app, channel }
}

const entriesOf = async (app: TestApp, channel: { id: string }, date: string) =>
  (await app.get(`/v5/timelines?date=${date}&channel_id=${channel.id}&fields=track`)).body.items

test('a day is filled by hand and from a log, and shows what is on air and what listeners did', async () => {
  const { app, channel } = await setUp()
  const second = Math.floor(Date.now() / 1000)
  const now = { body: hostile, channel_id: channel.id, published_on: second - 60, duration: 3600 }
  made(await app.post('/v5/timelines', now))
  const { id } = await addPublication(app, undefined, { channels: [{ id: channel.id }] })
  await addInteraction(app, { person: await addPerson(app), publication_id: id, label: 'Like' })
  const page = await openStudioPage(app, '/music')
  await row(page, /On air on/, 'onerror')
    .getByText('On air')
    .waitFor()
  await page
    .getByRole('region', { name: 'What listeners did' })
    .getByRole('button', { name: 'Numbers' })
    .click()
  await page.getByRole('columnheader', { name: 'Like' }).waitFor()
  await assertSound(page)

  await page.goto(studioPath(app, '/music?date=2026-03-29'))
  await page.getByText('Nothing is on this day’s timeline').waitFor()
  await page.getByRole('button', { name: 'Add an entry' }).first().click()
  await page.getByLabel('From').fill('14:05:00')
  await page.getByRole('combobox', { name: 'Track' }).fill('tide')
  await page.getByRole('option', { name: 'Quay – Tide' }).click()
  assert.equal(await page.getByLabel('Until').inputValue(), '14:08:20', 'as long as the track is')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await row(page, /On air on/, '14:05:00').waitFor()
  const [entry] = await entriesOf(app, channel, '2026-03-29')
  assert.deepEqual([entry.until, entry.track.body], ['2026-03-29 14:08:20', 'Tide'])

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const log = 'from,duration,body\n2026-03-29 15:00:00,60,The news\nnever,60,Wrong\n'
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'log.csv', mimeType: 'text/csv', buffer: Buffer.from(log) })
  await page.getByText('Nothing has been written yet').waitFor()
  assert.equal((await entriesOf(app, channel, '2026-03-29')).length, 1)
  await assertSound(page)
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await row(page, /On air on/, 'The news').click()
  await page.getByRole('button', { name: 'Remove from the timeline' }).click()
  await row(page, /On air on/, 'The news').waitFor({ state: 'detached' })
  await page.getByText('“The news” is off the timeline').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await row(page, /On air on/, 'The news').waitFor()
  assert.equal(await page.evaluate('window.hurt'), undefined)
  await closePage(page)
})

test('tracks are found, changed with a way back, and duplicates become one', async () => {
  const { app } = await setUp()
  const other = { streamtracks: [{ id: 's-2', isrc: 'NLA122600001' }] }
  made(await app.post('/v5/tracks', { body: `Tide ${hostile}`, ...other }))
  const page = await openStudioPage(app, '/music/tracks', { width: 1440 })
  await row(page, 'Tracks', 'onerror').waitFor()
  await page.getByRole('searchbox', { name: 'Search titles and performers' }).fill('quay')
  await row(page, 'Tracks', 'onerror').waitFor({ state: 'detached' })
  await row(page, 'Tracks', 'Quay').click()
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.fill('High tide')
  await page.getByRole('combobox', { name: 'Status' }).selectOption('approval')
  await assertSound(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“High tide” is saved').waitFor()
  const first = async () => (await app.get('/v5/tracks?sort=created_on&fields=streamtracks')).body.items[0]
  assert.deepEqual([(await first()).body, (await first()).status], ['High tide', 'approval'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => (await first()).body === 'Tide' && (await first()).status === 'published')

  await page.getByRole('button', { name: 'Find duplicates' }).click()
  await page.getByRole('button', { name: 'Merge 2 into one' }).click()
  await page.getByText('There are no duplicates').waitFor()
  await assertSound(page)
  assert.equal((await app.get('/v5/tracks')).body.total, 1)
  assert.equal((await first()).streamtracks.total, 2)
  assert.equal(await page.evaluate('window.hurt'), undefined)
  await closePage(page)
})
