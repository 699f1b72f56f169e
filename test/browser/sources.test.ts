import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/access.ts'
import { assertSound, closePage, openStudioPage } from '../harness/browser.ts'
import { startFollowing, startSite } from '../harness/feeds.ts'

const row = (page: Page, list: string, words: string) =>
  page.getByRole('grid', { name: list }).getByRole('row').filter({ hasText: words })

const hostile = '&lt;img src=x onerror="window.hurt=1"&gt;'
const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Port</title>
  <item><guid>1</guid><title>The sea lock opens</title>
    <description>&lt;p&gt;At &lt;b&gt;nine&lt;/b&gt;.&lt;/p&gt;&lt;a href="javascript:window.hurt=1"&gt;more&lt;/a&gt;</description></item>
  <item><guid>2</guid><title>${hostile.replaceAll('&', '&amp;')}</title><description>${hostile}</description></item>
</channel></rss>`

test('a feed is followed, read, made into a draft with one click, and left again', async () => {
  const [app, site] = [await startFollowing(), await startSite()]
  const address = site.put('/feed.xml', feed)
  const page = await openStudioPage(app, '/sources')
  await page.getByText('Nothing has come in yet').waitFor()
  await assertSound(page)
  await page.getByRole('link', { name: 'Follow a source' }).first().click()
  await page.getByRole('textbox', { name: 'Address of the feed' }).fill('no address')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('Following did not work').waitFor()
  await page.getByRole('textbox', { name: 'Address of the feed' }).fill(address)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Port authority')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('“Port authority” is followed').waitFor()
  const asked = site.timesAsked('/feed.xml')
  await page.getByRole('complementary').getByRole('button', { name: 'Fetch now' }).click()
  await page.getByText('“Port authority” was asked just now').waitFor()
  assert.ok(site.timesAsked('/feed.xml') > asked)
  await assertSound(page)

  await page.getByRole('link', { name: 'Show its items' }).click()
  await row(page, 'Items', 'onerror').click()
  await page.getByRole('complementary').getByText('onerror').first().waitFor()
  await page.getByRole('searchbox').fill('sea lock')
  await row(page, 'Items', 'onerror').waitFor({ state: 'detached' })
  await row(page, 'Items', 'The sea lock opens').click()
  await page.getByRole('complementary', { name: 'The sea lock opens' }).getByText('nine').waitFor()
  assert.equal(await page.locator('[href^=javascript]').count(), 0)
  await assertSound(page)
  await page.getByRole('button', { name: 'Make a draft', exact: true }).click()
  await page.getByText('“The sea lock opens” is a draft now').waitFor()
  await row(page, 'Items', 'The sea lock opens').getByText('Draft').waitFor()
  await page.getByRole('alert').getByRole('button', { name: 'Open the publication' }).click()
  await page.waitForURL(/\/content/)
  const { items } = (await app.get('/publications?fields=title')).body
  assert.equal(items[0].title['en-US'], 'The sea lock opens')
  assert.equal(await page.evaluate('window.hurt'), undefined)
  await closePage(page)
})

test('a source is changed and stopped, both with a way back, and a failing one says why', async () => {
  const [app, site] = [await startFollowing(), await startSite()]
  const url = site.put('/feed.xml', { status: 404 })
  await app.post('/v5/sources', { label: 'Rss', name: 'Council', url })
  const page = await openStudioPage(app, '/sources/followed', { width: 390, height: 844, language: 'nl' })
  const source = async () => (await app.get('/v5/sources')).body.items[0]
  await eventually(async () => (await source()).failed > 0)
  await page.reload()
  await row(page, 'Bronnen', 'mislukt').click()
  await page.getByRole('dialog').getByText(/404/).waitFor()
  await page.getByRole('button', { name: 'Bewerken' }).click()
  await page.getByRole('textbox', { name: 'Naam', exact: true }).fill('Gemeenteraad')
  await page.getByRole('combobox', { name: 'Hoe vaak' }).selectOption('3600')
  await page.getByRole('button', { name: 'Opslaan' }).click()
  await page.getByText('“Gemeenteraad” is opgeslagen').waitFor()
  assert.deepEqual([(await source()).interval, (await source()).adaptive], [3600, false])
  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await eventually(async () => (await source()).adaptive && (await source()).name === 'Council')
  await page.getByRole('button', { name: 'Niet meer volgen' }).click()
  await row(page, 'Bronnen', 'Council').waitFor({ state: 'detached' })
  await eventually(async () => !(await source()).active)
  await page.getByRole('button', { name: 'Ongedaan maken' }).last().click()
  await row(page, 'Bronnen', 'Council').waitFor()
  await eventually(async () => (await source()).active)
  await closePage(page)
})
