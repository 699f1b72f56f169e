import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../harness/access.ts'
import { startApp } from '../harness/app.ts'
import { assertSound, closePage, openStudioPage } from '../harness/browser.ts'
import { addPublication, text } from '../harness/publications.ts'
import { openSession } from '../harness/words.ts'

test('a message comes by itself, is put on the studio’s screen and answered', async () => {
  const app = await startApp()
  const page = await openStudioPage(app, '/inbox')
  await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
  await page.getByRole('status', { name: 'Live', exact: true }).waitFor()
  const screen = await openStudioPage(app, '/inbox/screen', { scheme: 'dark' })
  await screen.getByText('Nothing is on screen').waitFor()
  assert.equal(await screen.getByRole('navigation').count(), 0, 'no furniture')

  const hostile = '<script>alert(1)</script> The bridge is open'
  const sent = {
    label: 'EmailMessage',
    subject: 'Bridge',
    body: hostile,
    nickname: 'Ferry',
    email: 'f@example.org',
  }
  const { body: message } = await app.post('/v5/messages', sent)
  await app.post('/v5/messages', { label: 'Sms', body: 'Hail!', phone: '+31205550100' })
  const rows = page.getByRole('grid', { name: 'Messages' }).getByRole('row')
  await rows.filter({ hasText: hostile }).click()
  const panel = page.getByRole('complementary', { name: 'From Ferry' })
  await panel.getByText(hostile).waitFor()
  await panel.getByRole('switch', { name: 'On screen' }).check({ force: true })
  await screen.getByRole('article').getByText(hostile).waitFor()
  await assertSound(screen)
  await closePage(screen)
  await panel.getByRole('switch', { name: 'Favorite' }).check({ force: true })
  await panel.getByLabel('Your reply').fill('Thank you, we said it on air.')
  await panel.getByRole('button', { name: 'Send by email' }).click()
  await page.getByText('The reply is on its way').waitFor()
  await panel.getByText('Thank you, we said it on air.').first().waitFor()
  await assertSound(page)
  const { replies, on_screen } = (await app.get(`/v5/messages/${message.id}?fields=replies,on_screen`)).body
  assert.deepEqual([replies.total, on_screen], [1, true])

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Favorites' }).click()
  await page.getByRole('radio', { name: 'Yes' }).click()
  await rows.filter({ hasText: 'Hail!' }).waitFor({ state: 'detached' })
  await rows.filter({ hasText: hostile }).waitFor()
  await closePage(page)
})

test('comments are worked off: approved, hidden, edited, answered', async () => {
  const app = await startApp()
  await app.put(`/environments/${app.environment.id}`, { settings: { comment_approval: true } })
  const { id } = await addPublication(app, { 'en-US': { title: text('The storm') } })
  const { body: person } = await app.post('/persons', { first_name: 'Robin' })
  await eventually(
    async () => (await app.context.tokens.environment(app.environment.id))!.settings.comment_approval,
  )
  const bodies = ['We heard it', '<b onclick=alert(1)>Spam</b>', 'Thier windows sang']
  const session_hash = await openSession(app, person.id)
  for (const body of bodies) await app.post(`/v5/publications/${id}/comments`, { body, session_hash })
  const page = await openStudioPage(app, '/inbox/comments', { role: 'editor' })
  const card = (words: string) => page.getByRole('article').filter({ hasText: words })
  await card('We heard it').getByRole('link', { name: 'The storm' }).waitFor()
  await assertSound(page)
  await card('Thier').getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Text of the comment').fill('Their windows sang')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await card('Their windows').getByText('Edited by the desk').waitFor()
  await card('Spam').focus()
  await page.keyboard.press('h')
  await card('Spam').waitFor({ state: 'detached' })
  await card('We heard it').getByRole('button', { name: 'Reply' }).click()
  await page.getByLabel('Your reply').fill('So did we')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await page.getByRole('article').getByText('So did we').first().waitFor()
  await card('We heard it').first().getByRole('button', { name: 'Approve' }).click()
  await eventually(async () => {
    const { items } = (await app.get('/v5/comments?sort=created_on')).body
    const statuses = items.map(({ status }: { status: string }) => status).join(' ')
    return statuses === 'approved hidden pending approved' && items[2].moderated
  })
  await closePage(page)
})
