import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { addUser, byOrganisation, eventually } from '../harness/access.ts'
import { startApp } from '../harness/app.ts'
import { assertSound, closePage, openPage, openStudioPage, studioPath } from '../harness/browser.ts'

test('signing in leads back to the address that was asked for, and signing out ends the session', async () => {
  const app = await startApp()
  const user = await addUser(app, 'editor')
  const page = await openPage(app)
  await page.goto(studioPath(app, '/content?q=harbour'))
  await page.waitForURL(/\/studio\/sign-in\?to=/)
  await assertSound(page)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Email or password is not right').waitFor()
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`**${studioPath(app, '/content?q=harbour')}`)
  await page.getByRole('heading', { name: 'Content', level: 1 }).waitFor()
  await page.getByRole('status', { name: 'Live', exact: true }).waitFor()
  assert.equal(await page.evaluate('document.cookie'), '', 'no script sees the cookie')
  await page.getByRole('button', { name: /Your account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/studio/sign-in')
  await page.goto(studioPath(app, '/content'))
  await page.waitForURL(/\/studio\/sign-in\?to=/)
  await closePage(page)
})

test('with a second factor the code is asked for, and a wrong one is told', async () => {
  const app = await startApp()
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id, scopes: [] })
  const { body } = await app.post('/users/me/two_factor', { current_password: user.password }, { token })
  const totp = new TOTP({ secret: Secret.fromBase32(body.secret) })
  const two_factor_code = totp.generate({ timestamp: Date.now() - 30_000 })
  await app.put('/users/me/two_factor', { two_factor_code }, { token })

  const page = await openPage(app, { language: 'nl', scheme: 'dark' })
  await page.goto('/studio')
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Wachtwoord').fill(user.password)
  await page.getByRole('button', { name: 'Inloggen' }).click()
  await page.getByLabel('Code uit je authenticator-app').fill('000 000')
  await page.getByRole('button', { name: 'Controleren en inloggen' }).click()
  await page.getByRole('alert').getByText('De code klopt niet').waitFor()
  await assertSound(page)
  await page.getByLabel('Code uit je authenticator-app').fill(totp.generate())
  await page.getByRole('button', { name: 'Controleren en inloggen' }).click()
  await page.waitForURL(`**${studioPath(app, '/content')}`)
  await closePage(page)
})

test('an invitation is accepted in the browser, once', async () => {
  const app = await startApp()
  const email = 'newcomer@example.org'
  const by = await byOrganisation(app, { user_id: (await addUser(app, 'owner')).id })
  const invited = await app.post('/invitations', { email, role: 'editor' }, by)
  assert.equal(invited.status, 201, invited.text)
  const letter = await eventually(async () => {
    const { body } = await app.get('/mailbox', by)
    const found = body.items.find((item: { to: string }) => item.to === email)
    return found && (await app.get(`/mailbox/${found.id}`, by)).body
  }, 10_000)
  const link = new URL(
    /https:\S+\/studio\/invitations\/\S+/.exec(JSON.stringify(letter).replaceAll('\\n', '\n'))![0],
  )
  const page = await openPage(app)
  await page.goto(link.pathname + link.search)
  await page.getByLabel('Your name').fill('The newcomer')
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText(/characters/).waitFor()
  await assertSound(page)
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('Welcome.').waitFor()
  await page.goto(link.pathname + link.search)
  await page.getByLabel('Your name').fill('Again')
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('accepted already').waitFor()
  await closePage(page)
})

test('a strange environment in the address is told, and the own one offered', async () => {
  const app = await startApp()
  const stranger = await startApp()
  const page = await openStudioPage(app)
  await page.goto(studioPath(stranger, '/content'))
  await page.getByText('This environment is not one of yours').waitFor()
  await page.getByRole('link', { name: 'Go to my environment' }).click()
  await page.waitForURL(`**${studioPath(app, '/content')}`)
  await closePage(page)
})
