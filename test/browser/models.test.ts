import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/access.ts'
import { startApp, type TestApp } from '../harness/app.ts'
import { assertSound, closePage, openStudioPage, studioPath } from '../harness/browser.ts'
import { addPublication, text } from '../harness/publications.ts'

const fieldsOf = async (app: TestApp, id: string) =>
  (await app.get(`/publication_models/${id}?fields=fields`)).body.fields as {
    api_id: string
    label: string
    required: boolean
    validations: Record<string, unknown>
    default: unknown
  }[]
const named = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Fields' }).getByRole('button', { name: new RegExp(`^${name}\\b`) })
const settings = (page: Page) => page.getByRole('complementary')

test('a model is made by clicking and dragging fields, and can be written with', async () => {
  const app = await startApp()
  const page = await openStudioPage(app, '/models')
  await page.getByRole('link', { name: 'Make a model' }).click()
  await page.getByLabel('Name of the model').fill('Recipe')
  const palette = page.getByRole('navigation', { name: 'Kinds of fields' })
  await palette.getByRole('button', { name: 'Text', exact: true }).click()
  await palette.getByRole('button', { name: 'Whole number' }).click()
  await settings(page).getByLabel('Title').fill('Number of servings')
  assert.equal(await settings(page).getByLabel('Name in the interface').inputValue(), 'number_of_servings')
  await settings(page).getByLabel('Least').fill('1')
  await settings(page).getByRole('textbox', { name: 'Default' }).fill('4')
  await palette
    .getByRole('button', { name: 'Media' })
    .dragTo(named(page, 'Number of servings'), { steps: 10 })
  await named(page, 'Media').waitFor()
  await assertSound(page)
  // By keys: the title goes to the end and back to the first place but one.
  await page.getByRole('button', { name: 'Move Title' }).focus()
  await page.keyboard.press('Space')
  await page.waitForTimeout(50)
  await page.keyboard.press('ArrowDown')
  await page.waitForTimeout(50)
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Create model' }).click()
  await page.getByText('“Recipe” is made').waitFor()
  const id = (await app.get('/publication_models')).body.items[0].id
  assert.deepEqual(
    (await fieldsOf(app, id)).map(({ api_id, label, required }) => [api_id, label, required]),
    [
      ['media', 'Asset', false],
      ['title', 'Text', true],
      ['number_of_servings', 'Integer', false],
    ],
  )
  const [, , servings] = await fieldsOf(app, id)
  assert.deepEqual(servings?.validations, { min: 1 })
  assert.deepEqual(servings?.default, { value: 4 })
  await closePage(page)
})

test('what a change means is said before it is saved, undone from the toast, and never overwrites', async () => {
  const app = await startApp()
  const hostile = '<img src=x onerror="window.hurt=1">'
  const { body: model } = await app.post('/publication_models', {
    body: 'Article',
    description: hostile,
    fields: [
      { api_id: 'title', label: 'Text', title: 'Headline' },
      { api_id: 'lead', label: 'Text', title: hostile },
    ],
  })
  await addPublication(app, { 'en-US': { title: text('One') } }, { model: { id: model.id } })
  const page = await openStudioPage(app, `/models/${model.id}`)
  await page.getByText('1 publications use it').waitFor()
  await page.getByRole('button', { name: 'More for <img' }).click()
  await page.getByRole('menuitem', { name: 'Take away' }).click()
  await named(page, 'Headline').click()
  await settings(page).getByLabel('Required').check()
  const impact = page.getByRole('region', { name: 'What this means for 1 publications' })
  await impact.getByText('is taken away').waitFor()
  await impact.getByText('“Headline” becomes required').waitFor()
  await assertSound(page)
  // A way round loses nothing.
  await page.reload()
  await page.getByText('What you had not saved is still here.').waitFor()
  await page.getByRole('button', { name: 'Save model' }).click()
  await page.getByText('“Article” is saved').waitFor()
  assert.equal((await fieldsOf(app, model.id)).length, 1)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventually(async () => (await fieldsOf(app, model.id)).length === 2)
  assert.equal(await page.evaluate('window.hurt'), undefined)
  await page.getByLabel('Description').fill('Mine')
  await app.put(`/publication_models/${model.id}`, { description: 'Theirs' })
  await page.getByText('Somebody else has changed this model').waitFor()
  await page.getByRole('button', { name: 'Load theirs' }).click()
  assert.equal(await page.getByLabel('Description').inputValue(), 'Theirs')
  await closePage(page)
})

test('models go from one environment to another as a file, with what they lead to', async () => {
  const app = await startApp()
  const { body: person } = await app.post('/publication_models', { body: 'Author' })
  await app.post('/publication_models', {
    body: 'Story',
    fields: [{ api_id: 'by', label: 'Publication', validations: { models: [person.id] } }],
  })
  const page = await openStudioPage(app, '/models')
  await page.getByRole('row').filter({ hasText: 'Story' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export all' }).click(),
  ])
  const file = {
    name: 'models.json',
    mimeType: 'application/json',
    buffer: await readFile(await download.path()),
  }
  await closePage(page)

  const other = await startApp()
  const there = await openStudioPage(other, '/models?import=1', { width: 390, height: 844, scheme: 'dark' })
  const take = (buffer: Buffer) => there.locator('input[type=file]').setInputFiles({ ...file, buffer })
  await there.getByRole('button', { name: 'Choose or drop a file' }).waitFor()
  await take(Buffer.from('{"models": 1}'))
  await there.getByText('This is not a file of exported models.').waitFor()
  await take(file.buffer)
  await there.getByRole('checkbox', { name: 'Story' }).waitFor()
  await assertSound(there)
  await there.getByRole('button', { name: 'Import 2' }).click()
  await there.getByText('2 models imported').waitFor()
  const { items } = (await other.get('/publication_models?fields=fields&sort=body')).body
  assert.deepEqual(items[1].fields[0].validations.models, [items[0].id])
  await there.goto(studioPath(other, '/models?import=1'))
  await take(file.buffer)
  await there.getByText('everything is here already').waitFor()
  await closePage(there)
})
