import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/access.ts'
import { startApp, type TestApp } from '../harness/app.ts'
import { assertSound, closePage, openStudioPage, studioPath } from '../harness/browser.ts'
import { addPublication, text } from '../harness/publications.ts'

const hostile = '<img src=x onerror=alert(1)>\u202Edesrever'

const add = async (app: TestApp, body: object): Promise<string> => {
  const answer = await app.post('/persons', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const menu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a person is found, read, changed, remarked on, exported, merged and erased by its typed name', async () => {
  const app = await startApp()
  const id = await add(app, { first_name: 'Robin', last_name: 'Quayside', emails: ['robin@example.org'] })
  await add(app, { first_name: 'Rob', last_name: 'Double', gender: 'other' })
  await add(app, { first_name: hostile, date_of_birth: '1980-01-01' })
  const title = 'The ferry sails'
  const publication = await addPublication(app, { 'en-US': { title: text(title) } })
  const done = { label: 'Like', person: { id } }
  assert.equal((await app.post(`/publications/${publication.id}/interactions`, done)).status, 202)

  const page = await openStudioPage(app, '/audience')
  await row(page, hostile).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Age', exact: true }).click()
  await page.getByLabel('Value').fill('30')
  await page.getByRole('button', { name: 'Apply' }).click()
  await row(page, 'Robin').waitFor({ state: 'detached' })
  await row(page, hostile).waitFor()
  await page.getByRole('button', { name: 'Remove the filter Age' }).click()
  await page.getByLabel('Search by name or email').fill('robin@')
  await row(page, 'Double').waitFor({ state: 'detached' })
  await assertSound(page)
  await page.getByRole('link', { name: 'Robin Quayside' }).click()
  await page.getByRole('link', { name: title }).waitFor()
  await page.getByRole('tab', { name: 'Likes' }).click()
  await page.getByRole('link', { name: title }).waitFor()
  await page.getByRole('tab', { name: 'Remarks' }).click()
  await page.getByLabel('New remark').fill(hostile)
  await page.getByRole('button', { name: 'Add remark' }).click()
  await page.getByText(hostile).waitFor()
  await page.getByRole('button', { name: 'Edit details' }).click()
  await page.getByLabel('Company').fill('Harbour FM')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Harbour FM').waitFor()
  await assertSound(page)

  const [file] = await Promise.all([page.waitForEvent('download'), menu(page, 'Export everything as JSON')])
  assert.equal(JSON.parse(readFileSync(await file.path(), 'utf8')).person.id, id)
  await menu(page, 'Merge with another person…')
  await page.getByRole('combobox', { name: 'Who is the same person?' }).fill('double')
  await page.getByRole('option', { name: 'Rob Double' }).click()
  await page.getByLabel('Type “Rob Double” to confirm').fill('rob double')
  await page.getByRole('button', { name: 'Merge Rob Double and erase the double' }).click()
  await page.getByText('Rob Double is merged').waitFor()
  await page.getByText('Other', { exact: true }).waitFor()

  await menu(page, 'Erase…')
  const erase = page.getByRole('button', { name: 'Erase for good' })
  await page.getByLabel('Type “Robin Quayside” to confirm').fill('Robin')
  assert.ok(await erase.isDisabled(), 'half of the name is not enough')
  await page.getByLabel('Type “Robin Quayside” to confirm').fill('Robin Quayside')
  await erase.click()
  await page.getByText('Robin Quayside is erased').waitFor()
  await row(page, hostile).waitFor()
  assert.equal((await app.get(`/persons/${id}`)).status, 404)
  await closePage(page)
})

test('a segment is built of rules with a live count, tells why somebody is in it, and is deleted with undo', async () => {
  const app = await startApp()
  await add(app, { first_name: 'Old', gender: 'female', date_of_birth: '1950-01-01' })
  await add(app, { first_name: 'Young', gender: 'female', date_of_birth: '2015-01-01' })
  const page = await openStudioPage(app, '/audience/segments')
  await page.getByText('A segment is a group of persons').waitFor()
  await page.getByRole('link', { name: 'New segment' }).first().click()
  await page.getByText('2 persons, counted').waitFor()
  await page.getByLabel('Name of the segment').fill('Wise')
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('menuitem', { name: 'Age', exact: true }).click()
  await page.getByLabel('Value').fill('18')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 person, counted').waitFor()
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByRole('button', { name: 'Add rule' }).first().click()
  await page.getByRole('menuitem', { name: 'Gender' }).click()
  await page.getByRole('checkbox', { name: 'Female' }).check()
  await page.keyboard.press('Escape')
  await assertSound(page)
  await page.reload()
  await page.getByText('Changes are not saved yet').waitFor()
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByText('The segment “Wise” is saved').waitFor()
  const { body } = await app.get('/segments')
  assert.deepEqual(body.items[0].rules, {
    match: 'all',
    items: {
      rule_01: { age: [{ gte: 18 }] },
      rule_02: { match: 'any', items: { rule_01: { gender: [{ in: ['female'] }] } } },
    },
  })
  await page.getByRole('tab', { name: 'Members' }).click()
  await row(page, 'Old').click({ position: { x: 400, y: 10 } })
  await page.getByText('Age at least 18: holds').waitFor()
  await assertSound(page)
  await menu(page, 'Delete segment')
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, 'Wise').waitFor()
  await closePage(page)
})

test('a file is tried and imported with its columns told, and what is wrong is told by row', async () => {
  const app = await startApp()
  const page = await openStudioPage(app, '/audience/imports', { width: 390, language: 'nl', scheme: 'dark' })
  const csv = 'Voornaam;E-mail;Kleur\n"Ada ""de"" Eerste";ada@example.org;rood\nBo;geen adres;blauw\n'
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'lijst.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  assert.equal(await page.getByLabel('Wordt: Voornaam').inputValue(), 'first_name')
  await page.getByLabel('Wordt: Kleur').selectOption('Eigen waarden')
  await page.getByRole('button', { name: 'Proberen zonder te schrijven' }).click()
  const trial = page.getByRole('region', { name: 'Proef' })
  await trial.getByRole('cell', { name: 'E-mail' }).waitFor()
  await assertSound(page)
  assert.equal((await app.get('/persons')).body.total, 0)
  await page.getByRole('button', { name: 'Nu importeren' }).click()
  await page.getByRole('region', { name: 'Import' }).getByText('Klaar').waitFor()
  const { body } = await eventually(async () => {
    const answer = await app.get('/persons?fields=emails')
    return answer.body.total === 1 && answer
  })
  assert.deepEqual([body.items[0].first_name, body.items[0].custom], ['Ada "de" Eerste', ['rood']])
  await page.goto(studioPath(app, '/audience'))
  await row(page, 'Ada "de" Eerste').waitFor()
  await closePage(page)
})
