import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { addUser } from '../harness/access.ts'
import { startApp, type TestApp } from '../harness/app.ts'
import { closePage, openStudioPage, startBrowser, studioPath } from '../harness/browser.ts'
import { loadDemoInto } from '../harness/demo.ts'
import { pages } from './pages.ts'

const folder = join(tmpdir(), 'marquee-studio-sheet')
const widths = [1440, 1024, 390]
const wanted = process.env.SHEET ?? ''

/** Pictures of every page at three widths in both themes, and one sheet of them all: `npm run studio:sheet`. */
test('the contact sheet', async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const app = await startApp()
  await loadDemoInto(app)
  await app.sql.run(`update environments set name = 'Harbour FM' where id = '${app.environment.id}'`)
  const user = await addUser(app, 'owner')
  for (const scheme of ['light', 'dark'] as const)
    for (const width of widths) {
      const page = await openStudioPage(app, '/content', {
        user,
        scheme,
        width,
        height: width === 390 ? 844 : 900,
      })
      await takePictures(app, page, `${width} ${scheme}`)
      await closePage(page)
    }
  await makeSheet()
  console.log(`The contact sheet is ${join(folder, 'sheet.png')}`)
})

const shown = pages.filter(({ name }) => name.includes(wanted))
const fileOf = (name: string, kind: string) => join(folder, `${name.replaceAll(/\W+/g, '-')} ${kind}.png`)

const takePictures = async (app: TestApp, page: Page, kind: string): Promise<void> => {
  for (const { name, path, prepare } of shown) {
    if (path !== null) await page.goto(studioPath(app, path))
    await prepare?.(page, app).catch((error) =>
      console.log(`${name} ${kind}: ${String(error).split('\n')[0]}`),
    )
    await page.waitForTimeout(300)
    await page.screenshot({ path: fileOf(name, kind) })
  }
}

const makeSheet = async (): Promise<void> => {
  const rows = shown.map(({ name }) => {
    const kinds = ['light', 'dark'].flatMap((scheme) => widths.map((width) => `${width} ${scheme}`))
    const pictures = kinds.map(
      (kind) =>
        `<img height="420" src="data:image/png;base64,${readFileSync(fileOf(name, kind)).toString('base64')}">`,
    )
    return `<h2>${name}</h2><div>${pictures.join(' ')}</div>`
  })
  const browser = await startBrowser()
  const page = await browser.newPage({ viewport: { width: 3000, height: 600 } })
  await page.setContent(`<body style="font:20px sans-serif;background:#888">${rows.join('')}</body>`)
  await page.screenshot({ path: join(folder, 'sheet.png'), fullPage: true })
  await page.close()
}
