import assert from 'node:assert/strict'
import { after } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildStudio } from '../../studio/build/build.ts'
import { addUser, type TestUser } from './access.ts'
import type { TestApp } from './app.ts'
import { chromiumPath } from './chromium.ts'

let started: Promise<Browser> | undefined
/** One browser for the file, with the Studio built from the sources as they are. */
export const startBrowser = async (): Promise<Browser> => {
  await buildStudio()
  started ??= chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
  return started
}
after(async () => {
  await (await started)?.close()
})

export type Opening = {
  user?: TestUser
  role?: 'owner' | 'admin' | 'editor' | 'viewer'
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  language?: 'en' | 'nl'
}

/** What the browser complained of on its console, errors of scripts and of the content security policy among it. */
const complaints = new WeakMap<Page, string[]>()

/** A page in a profile of its own, with nobody signed in. */
export const openPage = async (app: TestApp, opening: Opening = {}): Promise<Page> => {
  const { width = 1280, height = 800, scheme = 'light', language = 'en' } = opening
  const browser = await startBrowser()
  const context = await browser.newContext({
    baseURL: app.origin,
    ignoreHTTPSErrors: true,
    viewport: { width, height },
    colorScheme: scheme,
    locale: language === 'nl' ? 'nl-NL' : 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const said: string[] = []
  complaints.set(page, said)
  page.on('console', (message) => {
    // A refused call is the business of the page; the browser says it all the same.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      said.push(message.text())
  })
  page.on('pageerror', (error) => said.push(String(error)))
  return page
}

/** The Studio in the app's environment, at a path such as `/content`, with somebody signed in: an owner unless told. */
export const openStudioPage = async (
  app: TestApp,
  path = '/content',
  opening: Opening = {},
): Promise<Page> => {
  const user = opening.user ?? (await addUser(app, opening.role ?? 'owner'))
  const page = await openPage(app, opening)
  const { email, password } = user
  const headers = { origin: app.origin, 'x-marquee-csrf': '1' }
  const answer = await page.request.post('/sessions', { data: { email, password }, headers })
  assert.equal(answer.status(), 201, await answer.text())
  await page.goto(studioPath(app, path))
  return page
}

export const studioPath = (app: TestApp, path: string): string => `/studio/e/${app.environment.id}${path}`

/** Nothing was complained of, and axe finds no serious fault. */
export const assertSound = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page: page as never }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`),
    [],
  )
  assert.deepEqual(complaints.get(page), [])
}

/** The page is left, with its profile. */
export const closePage = (page: Page): Promise<void> => page.context().close()
