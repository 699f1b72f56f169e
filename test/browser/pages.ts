import type { Page } from 'playwright-core'
import type { TestApp } from '../harness/app.ts'

/** Every page of the Studio that is looked at: the contact sheet is made of them, and axe reads each. */
export type SheetPage = {
  name: string
  /** Below the environment's address; `null` for one in front of it, which `prepare` opens. */
  path: string | null
  /** Brings it into the state that is to be seen. */
  prepare?: (page: Page, app: TestApp) => Promise<unknown>
}

const firstRow = (page: Page) => page.getByRole('row').nth(1)

export const pages: SheetPage[] = [
  { name: 'sign-in', path: null, prepare: (page) => page.goto('/studio/sign-in') },
  { name: 'content', path: '/content', prepare: (page) => firstRow(page).waitFor() },
  {
    name: 'content, a row looked into',
    path: '/content',
    prepare: async (page) => {
      await firstRow(page).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByLabel('Status: American English').waitFor()
    },
  },
  {
    name: 'content, the preview of a change of many',
    path: '/content?status[in]=Done,Review',
    prepare: async (page) => {
      await firstRow(page).waitFor()
      for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key)
      await page.getByRole('button', { name: 'Set status' }).click()
      await page
        .getByText(/ become |Nothing would/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'palette',
    path: '/content',
    prepare: async (page) => {
      await firstRow(page).waitFor()
      await page.keyboard.press('Control+K')
      await page.getByPlaceholder(/Search publications/).fill('harbour')
      await page.getByRole('button', { name: /Harbour Cup/ }).waitFor()
    },
  },
  {
    name: 'content, filtered and chosen',
    path: '/content?status[in]=Done,Review&q=harbour',
    prepare: async (page) => {
      await firstRow(page).waitFor()
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    },
  },
  { name: 'media', path: '/media', prepare: (page) => page.getByRole('listitem').first().waitFor() },
  { name: 'media, as a list', path: '/media?as=list', prepare: (page) => firstRow(page).waitFor() },
  {
    name: 'media, a picture',
    path: '/media?kind=pictures&as=grid',
    prepare: async (page) => {
      await page.getByRole('listitem').first().getByRole('link').click()
      await page.getByRole('heading', { name: 'Details' }).waitFor()
    },
  },
  { name: 'media, the trash', path: '/media?kind=trash' },
  { name: 'inbox', path: '/inbox', prepare: (page) => firstRow(page).waitFor() },
  {
    name: 'inbox, a message',
    path: '/inbox',
    prepare: async (page) => {
      await firstRow(page).click()
      await page.getByLabel('Your reply').waitFor()
    },
  },
  { name: 'inbox, on screen', path: '/inbox/screen' },
  {
    name: 'inbox, comments',
    path: '/inbox/comments?status=approved',
    prepare: (page) => page.getByRole('article').first().waitFor(),
  },
  { name: 'audience', path: '/audience?age[gte]=30', prepare: (page) => firstRow(page).waitFor() },
  {
    name: 'audience, a person',
    path: '/audience?q=indigo',
    prepare: async (page) => {
      await page
        .getByRole('link', { name: /^Indigo/ })
        .first()
        .click()
      await page.getByRole('heading', { level: 3 }).first().waitFor()
    },
  },
  {
    name: 'audience, erasure',
    path: '/audience?q=indigo',
    prepare: async (page) => {
      await page
        .getByRole('link', { name: /^Indigo/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Erase…' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'audience, segments', path: '/audience/segments', prepare: (page) => firstRow(page).waitFor() },
  {
    name: 'audience, a segment',
    path: '/audience/segments',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'New and not yet active' }).click()
      await page.getByText(/counted|estimate/).waitFor()
    },
  },
  {
    name: 'audience, why somebody is in a segment',
    path: '/audience/segments',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Music lovers' }).click()
      await page.getByRole('tab', { name: 'Members' }).click()
      await firstRow(page).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByText('Likes anything').waitFor()
    },
  },
  {
    name: 'audience, import',
    path: '/audience/imports',
    prepare: async (page) => {
      const buffer = Buffer.from('First name;E-mail;Colour\nAda;ada@example.org;red\nBo;nothing;blue\n')
      await page.locator('input[type=file]').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer })
      await page.getByRole('button', { name: 'Try without writing' }).click()
      await page.getByRole('cell', { name: 'E-mail' }).last().waitFor()
    },
  },
  { name: 'insights', path: '/insights', prepare: (page) => firstRow(page).waitFor() },
  {
    name: 'insights, tried out',
    path: '/insights/recommended_for_you?part=tryOut',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Recommend', exact: true }).click()
      await page.getByRole('listitem').last().waitFor()
    },
  },
  { name: 'insights, settings', path: '/insights/new' },
  {
    name: 'sources, an item read',
    path: '/sources',
    prepare: async (page) => {
      await firstRow(page).click()
      await page.getByRole('button', { name: 'Make a draft', exact: true }).waitFor()
    },
  },
  { name: 'sources, followed', path: '/sources/followed', prepare: (page) => firstRow(page).click() },
  { name: 'sources, follow one', path: '/sources/followed?follow=Ftp' },
  { name: 'music, timeline', path: '/music', prepare: (page) => firstRow(page).waitFor() },
  { name: 'music, new entry', path: '/music?peek=new' },
  { name: 'music, a track', path: '/music/tracks', prepare: (page) => firstRow(page).click() },
  { name: 'music, artists', path: '/music/artists', prepare: (page) => firstRow(page).waitFor() },
  { name: 'music, duplicates', path: '/music/tracks?duplicates=isrc' },
  {
    name: 'editor',
    path: '/content',
    prepare: async (page) => {
      await firstRow(page).waitFor()
      for (const key of ['j', 'e']) await page.keyboard.press(key)
      await page.getByRole('textbox', { name: /^Title/ }).waitFor()
    },
  },
  { name: 'models', path: '/models', prepare: (page) => firstRow(page).waitFor() },
  {
    name: 'models, one being changed',
    path: '/models',
    prepare: async (page) => {
      await page.getByRole('grid', { name: 'Models' }).getByRole('link').first().click()
      await page.getByRole('list', { name: 'Fields' }).getByRole('button').nth(1).click()
      await page.getByLabel('Name in the interface').waitFor()
    },
  },
  { name: 'models, import', path: '/models?import=1' },
  ...['users', 'tokens', 'applications', 'webhooks', 'channels', 'configurations', 'email-templates'].map(
    (section) => ({ name: `settings, ${section}`, path: `/settings/${section}?open=new` }),
  ),
  ...['', '/statuses', '/tags', '/mailbox', '/jobs', '/audit'].map((section) => ({
    name: `settings${section.replace('/', ', ')}`,
    path: `/settings${section}`,
  })),
]
