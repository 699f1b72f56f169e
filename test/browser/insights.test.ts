import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../harness/app.ts'
import { assertSound, closePage, openStudioPage } from '../harness/browser.ts'
import { addPublished } from '../harness/recommendations.ts'

/** As if many persons had been shown something and some had clicked, on three days. */
const happened = async (app: TestApp, id: string, variant: string, from: number, clicking: number) => {
  await sql`insert into recommendation_impressions
      (environment_id, recommendation_id, variant, person_key, publications, propensities, created_on)
    select ${app.environment.id}, ${id}, ${variant}, ${from}::bigint + number, array['p'], array[1],
      now() - interval '1 day' * (1 + number % 3) from generate_series(1, 300) number`.execute(app.context.db)
  await sql`insert into interactions
      (environment_id, created_on, id, publication_id, person_key, label, recommendation_id)
    select ${app.environment.id}, now() - interval '1 day' * (1 + number % 3) + interval '1 minute',
      ${id} || ${variant} || number, 'p', ${from}::bigint + number, 'View', ${id}
    from generate_series(1, ${clicking}::int) number`.execute(app.context.db)
}

test('a recommendation is made, judged against the dummy by chart and numbers, and tried out', async () => {
  const app = await startApp()
  for (const title of ['The ferry sails', 'The tram rides']) await addPublished(app, title)
  const page = await openStudioPage(app, '/insights')
  await page.getByRole('link', { name: 'New recommendation' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Home page')
  await page.getByLabel('Persons who get the dummy').fill('0.2')
  await page.getByRole('button', { name: 'Make recommendation' }).click()
  await page.getByText('Nothing was shown yet').waitFor()
  const { body } = await app.get('/recommendations')
  const { id, control_share } = body.items[0]
  assert.equal(control_share, 0.2)

  await happened(app, id, 'recommended', 0, 150)
  await happened(app, id, 'control', 1000, 60)
  await page.reload()
  await page.getByText('Better than the dummy').waitFor()
  await page.getByRole('img', { name: 'Click rate by day' }).locator('path.recharts-curve').first().waitFor()
  await assertSound(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ])
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n')
  assert.equal(lines.length, 4)
  assert.match(lines[1]!, /^\d{4}-\d\d-\d\d,100,50,0\.5,100,20,0\.2,1\.5,/)

  await page.getByRole('tab', { name: 'Try out' }).click()
  await page.getByRole('combobox', { name: 'Like which publication' }).fill('ferry')
  await page.getByRole('option', { name: 'The ferry sails' }).click()
  await page.getByRole('button', { name: 'Recommend', exact: true }).click()
  await page.getByRole('link', { name: 'The tram rides' }).waitFor()
  await assertSound(page)
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Home page' }).waitFor()
  await closePage(page)
})
