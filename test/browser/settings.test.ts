import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/access.ts'
import { startApp } from '../harness/app.ts'
import { assertSound, closePage, openStudioPage, studioPath } from '../harness/browser.ts'

const hostile = '<img src=x onerror="window.hurt=1">'
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const panel = (page: Page) => page.getByRole('complementary')

test('a token is made, shown once, works, is renewed and revoked, and the log says so', async () => {
  const app = await startApp()
  const page = await openStudioPage(app, '/settings/tokens')
  await page.getByRole('button', { name: 'New token' }).first().click()
  await panel(page).getByRole('textbox', { name: 'Name' }).fill(hostile)
  await panel(page).getByRole('checkbox', { name: 'channels: read' }).check()
  await assertSound(page)
  await panel(page).getByRole('button', { name: 'Make token' }).click()
  const shown = page.getByRole('region', { name: 'Value of the token' }).locator('code')
  const value = (await shown.textContent())!
  const read = (token: string) => app.get('/channels', { token })
  assert.equal((await read(value)).status, 200)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await row(page, 'onerror').first().getByText('2 scopes').click()
  await panel(page).getByRole('button', { name: 'Renew' }).click()
  const renewed = (await shown.textContent())!
  assert.notEqual(renewed, value)
  await panel(page).getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('stops working in 10 seconds').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  assert.equal((await read(value)).status, 200)
  await row(page, 'onerror').first().getByText('2 scopes').click()
  await panel(page).getByRole('button', { name: 'Revoke' }).click()
  // Closing the notice does it at once.
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  await eventually(async () =>
    (await Promise.all([read(value), read(renewed)])).some(({ status }) => status === 401),
  )
  await page.goto(studioPath(app, '/settings/audit'))
  await row(page, 'token.revoked').first().waitFor()
  assert.equal(await page.evaluate('window.hurt'), undefined)
  await assertSound(page)
  await closePage(page)
})

test('somebody is invited, the letter is read in the mailbox, and the environment gets a language', async () => {
  const app = await startApp()
  const page = await openStudioPage(app, '/settings/users?open=new', {
    width: 390,
    height: 844,
    scheme: 'dark',
  })
  await page.getByLabel('Email of whom you invite').fill('new@example.org')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText('new@example.org is invited').waitFor()
  await assertSound(page)
  const letter = `<p>Dear reader</p>`
  await app.sql.run(`insert into mailbox (id, organisation_id, environment_id, recipient, subject, text, html)
    values ('letter-1', '${app.organisation}', '${app.environment.id}', 'a@example.org', 'A letter', 'Hi', '${letter}')`)
  await page.goto(studioPath(app, '/settings/mailbox'))
  await row(page, 'new@example.org').waitFor()
  await row(page, 'A letter').getByText('A letter').click()
  await page.frameLocator('iframe[title="The letter"]').getByText('Dear reader').waitFor()
  assert.equal(await page.locator('iframe').getAttribute('sandbox'), '')
  await page.goto(studioPath(app, '/settings'))
  const locales = page.getByRole('combobox', { name: 'Languages' })
  await locales.fill('de-DE')
  await locales.press('Enter')
  await page.getByRole('button', { name: 'Save environment' }).click()
  await page.getByText('is saved').waitFor()
  const { body } = await app.get(`/environments/${app.environment.id}`)
  assert.deepEqual(body.locales, ['en-US', 'nl-NL', 'de-DE'])
  await assertSound(page)
  await closePage(page)
})

test('a webhook is made and tested, and what it was sent is seen and sent again', async () => {
  const app = await startApp()
  const page = await openStudioPage(app, '/settings/webhooks')
  await page.getByRole('button', { name: 'New webhook' }).first().click()
  await panel(page).getByLabel('Address').fill('http://127.0.0.1:9/hook')
  await panel(page).getByRole('button', { name: 'Make webhook' }).click()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await panel(page).getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test was not delivered').waitFor()
  await row(page, 'webhook.test').click()
  await panel(page).getByText('webhook-id').waitFor()
  await assertSound(page)
  await panel(page).getByRole('button', { name: 'Deliver again' }).click()
  await page.getByText('It is delivered again').waitFor()
  await closePage(page)
})

test('every section opens, what is made there is there, and a viewer changes nothing', async () => {
  const app = await startApp()
  const page = await openStudioPage(app, '/settings/tags', { language: 'nl' })
  await page.getByRole('button', { name: 'Nieuwe tag' }).first().click()
  await panel(page).getByLabel('Naam').fill(hostile)
  await panel(page).getByRole('button', { name: 'Tag maken' }).click()
  await row(page, 'onerror').waitFor()
  const sections = ['channels', 'statuses', 'configurations', 'email-templates', 'applications', 'jobs']
  for (const section of sections) {
    await page.goto(studioPath(app, `/settings/${section}`))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('searchbox').waitFor()
  }
  await page.getByText('Alles draait', { exact: true }).waitFor()
  await assertSound(page)
  await closePage(page)
  const viewer = await openStudioPage(app, '/settings/tags', { role: 'viewer' })
  await row(viewer, 'onerror').waitFor()
  assert.equal(await viewer.getByRole('button', { name: 'New tag' }).count(), 0)
  assert.equal(await viewer.getByRole('link', { name: 'Tokens' }).count(), 0)
  assert.equal(await viewer.evaluate('window.hurt'), undefined)
  await closePage(viewer)
})
