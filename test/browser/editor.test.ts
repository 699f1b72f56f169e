import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp, type TestApp } from '../harness/app.ts'
import { assertSound, closePage, openStudioPage } from '../harness/browser.ts'
import { addModel } from '../harness/factories.ts'
import {
  addPublication,
  changePublication,
  type Loose,
  readPublication,
  text,
} from '../harness/publications.ts'

const fields = [
  { api_id: 'title', label: 'Text', required: true },
  { api_id: 'body', label: 'Text' },
  { api_id: 'price', label: 'Float', localized: false },
  { api_id: 'place', label: 'Coordinates' },
  { api_id: 'page', label: 'ElementBox' },
  { api_id: 'tags', label: 'TagBox' },
]

const title = (page: Page, language = 'English') =>
  page.getByRole('textbox', { name: `Title (${language})`, exact: true })
const saved = (page: Page) => page.getByText(/Saved as draft/).waitFor()
const draftOf = (app: TestApp, id: string): Promise<Loose> =>
  readPublication(app, id, 'draft=true&fields=items,title,locales')

test('a publication is written, kept as a draft while it is typed, and published in one language', async () => {
  const app = await startApp()
  await addModel(app, { body: 'Article', fields })
  const page = await openStudioPage(app)
  await page.getByRole('link', { name: 'New publication' }).click()
  const hostile = '<img src=x onerror="document.title=1"> & co'
  await title(page).fill(hostile)
  await saved(page)
  const id = /content\/([^/?]+)$/.exec(page.url())![1]!
  assert.notEqual(id, 'new')
  await page.getByRole('textbox', { name: 'Body (English)' }).click()
  await page.keyboard.type('The ferry sails. ')
  await page.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('Soon')
  await page.getByLabel('Price').fill('2,5')
  await page.getByLabel('Place (English): Latitude').fill('51.9')
  await page.getByLabel('Place (English): Longitude').fill('4.4')
  await page.getByRole('button', { name: 'Add an element' }).click()
  await page.getByRole('menuitem', { name: 'Quote' }).click()
  await page.getByRole('textbox', { name: 'Quote 1: Text' }).fill('Ahoy')
  await page.getByRole('button', { name: 'Insert below Quote 1' }).click()
  await page.getByRole('menuitem', { name: 'Heading 2' }).click()
  await page.getByRole('textbox', { name: 'Heading 2 2' }).fill('On deck')
  await page.getByRole('button', { name: 'Move Heading 2 2', exact: true }).press('Alt+ArrowUp')
  await page.getByLabel('Add to Tags (English)').fill('Harbour')
  await page.getByRole('option', { name: 'Make the tag “Harbour”' }).click()
  await page.keyboard.press('Control+S')
  await page.getByText('The draft is saved').waitFor()
  await page.getByText(/not published/).waitFor()
  await assertSound(page)
  const draft = (await draftOf(app, id)).items['en-US']
  assert.equal(draft.title.body, hostile)
  assert.equal(draft.body.body, '<p>The ferry sails. <strong>Soon</strong></p>')
  assert.deepEqual(
    [draft.price.value, draft.place.latitude, draft.tags.items[0].body],
    [2.5, 51.9, 'Harbour'],
  )
  assert.deepEqual(
    Object.values<Loose>(draft.page.items).map(({ body }) => body),
    ['On deck', 'Ahoy'],
  )
  assert.equal((await readPublication(app, id)).items['en-US'].price, undefined, 'only the draft has it')
  await page.keyboard.press('Control+Shift+P')
  await page.getByText('published as it stands here').waitFor()
  const after = await readPublication(app, id, 'fields=items,published')
  assert.deepEqual([after.published['en-US'], after.items['en-US'].price.value], [true, 2.5])
  await title(page).fill('The ferry')
  await page.getByText(/Saved as draft.*differs from what readers see/).waitFor()
  await closePage(page)
})

test('what two have changed is a choice, and what has no network is kept and sent later', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, { 'en-US': { title: text('One', 'H1') } })
  await changePublication(app, id, { items: { 'en-US': { title: text('Two', 'H1') } } })
  const page = await openStudioPage(app, `/content/${id}`)
  await title(page).waitFor()
  await app.put(`/publications/${id}?draft=true`, { items: { 'en-US': { title: text('Theirs', 'H1') } } })
  await title(page).fill('Mine')
  const choice = page.getByRole('dialog', { name: 'Somebody else has changed the same' })
  await choice.getByText('Theirs', { exact: true }).waitFor()
  await assertSound(page)
  await choice.getByRole('radio', { name: 'Keep mine' }).check()
  await choice.getByRole('button', { name: 'Go on with these' }).click()
  await saved(page)
  assert.equal((await draftOf(app, id)).title['en-US'], 'Mine')
  await page.context().setOffline(true)
  await title(page).fill('Written in a tunnel')
  await page.getByText(/No connection: your work is kept/).waitFor()
  assert.equal((await draftOf(app, id)).title['en-US'], 'Mine')
  await page.context().setOffline(false)
  await saved(page)
  assert.equal((await draftOf(app, id)).title['en-US'], 'Written in a tunnel')
  await page.getByRole('button', { name: /Dutch/ }).click()
  await title(page, 'Dutch').fill('In het Nederlands')
  await saved(page)
  assert.deepEqual((await draftOf(app, id)).locales, ['en-US', 'nl-NL'])
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'Compare' }).nth(1).click()
  await page.getByRole('dialog').getByText('Two', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByText('It is as it was in version 1').waitFor()
  assert.equal((await readPublication(app, id)).items['en-US'].title.body, 'One')
  await closePage(page)
})

test('who only reads sees the fields and cannot change them', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, { 'en-US': { title: text('One', 'H1') } })
  const page = await openStudioPage(app, `/content/${id}`, { role: 'viewer', width: 390, height: 844 })
  await title(page).waitFor()
  assert.equal(await title(page).isDisabled(), true)
  assert.equal(await page.getByRole('button', { name: 'Publish English' }).count(), 0)
  await assertSound(page)
  await closePage(page)
})
