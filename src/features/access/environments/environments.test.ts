import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser, eventually, openStudio } from '../../../../test/harness/access.ts'
import { startApp } from '../../../../test/harness/app.ts'

const paths = (answer: { body: { errors?: { path: string }[] } }) => answer.body.errors?.map((e) => e.path)

test('an environment token sees its own, the organisation and the Studio see all of theirs', async () => {
  const app = await startApp()
  const second = await app.addEnvironment()
  const own = await app.get('/environments', { scopes: [] })
  assert.deepEqual(
    own.body.items.map((item: { id: string }) => item.id),
    [app.environment.id],
  )
  assert.equal((await app.get(`/environments/${second.id}`)).status, 404)
  assert.equal((await app.put(`/environments/${second.id}`, { name: 'mine' })).status, 404)
  const { value: token } = await app.addToken({ kind: 'organisation' })
  const headers = { 'environment-id': app.environment.id }
  assert.equal((await app.get('/environments', { token, headers })).body.total, 2)
  const found = await app.get('/environments', { token })
  assert.equal(found.body.total, 2, 'how else would it learn what to name')
  assert.equal((await app.get(`/environments/${second.id}`, { token })).status, 200)
  assert.equal((await app.get('/channels', { token })).body.errors[0].path, 'Environment-Id')
  assert.equal((await app.get(`/environments/${second.id}`, { token, headers })).status, 200)
  const viewer = await openStudio(app, await addUser(app, 'viewer'))
  assert.equal((await app.get('/environments', { token: viewer.token })).body.total, 2)
  assert.equal((await app.put(`/environments/${second.id}`, {}, { token: viewer.token })).status, 403)
  const foreign = (await startApp()).environment.id
  assert.equal((await app.get(`/environments/${foreign}`, { token, headers })).status, 404)
})

test('a token of one environment names its own or none', async () => {
  const app = await startApp()
  const second = await app.addEnvironment()
  const named = (id: string) => app.get('/channels', { headers: { 'environment-id': id } })
  assert.equal((await named(app.environment.id)).status, 200)
  const absent = await named('nonsense')
  assert.equal(absent.status, 404)
  for (const id of [second.id, (await startApp()).environment.id]) {
    const answer = await named(id)
    assert.deepEqual({ ...answer.body, dbtrace: '' }, { ...absent.body, dbtrace: '' })
  }
})

test('environments are made for an organisation only', async () => {
  const app = await startApp()
  assert.equal((await app.post('/environments', { name: 'New' })).status, 403)
  const { token } = await openStudio(app, await addUser(app, 'admin'))
  const made = await app.post(
    '/environments',
    {
      name: 'New',
      locales: ['nl-NL', 'en-US'],
      time_zone: 'Europe/Amsterdam',
      settings: { control_share: 0.1 },
    },
    { token },
  )
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.default_locale, 'nl-NL')
  assert.deepEqual(made.body.settings, { control_share: 0.1 })
  assert.equal((await app.get('/environments', { token })).body.total, 2)
  assert.equal((await app.post('/environments', { name: 'New' }, { token })).status, 409)
  const log = `/audit_log?event[eq]=environment.created&record[eq]=${made.body.id}`
  await eventually(async () => (await app.get(log, { token })).body.total === 1)
})

test('a change is seen at once; settings are merged key by key', async () => {
  const app = await startApp()
  const path = `/environments/${app.environment.id}`
  const put = (body: object) => app.put(path, body)
  await put({ settings: { image_widths: [320, 640], redirect_urls: ['https://www.example.org/in'] } })
  const merged = await put({ locales: ['nl-NL'], default_locale: 'nl-NL', settings: { image_widths: null } })
  assert.equal(merged.status, 200, merged.text)
  assert.deepEqual(merged.body.settings, { redirect_urls: ['https://www.example.org/in'] })
  assert.deepEqual((await app.get(path)).body, merged.body)
  assert.equal((await put(merged.body)).status, 200)
  const channel = await app.post('/channels?fields=environment', { name: 'x' })
  assert.equal(channel.body.environment.default_locale, 'nl-NL')
})

test('every fault is named', async () => {
  const app = await startApp()
  const put = (body: object) => app.put(`/environments/${app.environment.id}`, body)
  assert.deepEqual(paths(await put({ locales: ['de-DE'], time_zone: '+01:00' })), [
    'time_zone',
    'default_locale',
  ])
  assert.deepEqual(paths(await put({ locales: ['de-DE'] })), ['default_locale'])
  assert.deepEqual(paths(await put({ time_zone: 'Mars/Base' })), ['time_zone'])
  const form = await put({ locales: ['EN', 'en-US'], settings: { nonsense: 1, control_share: 2 } })
  assert.deepEqual(new Set(paths(form)?.filter((path) => path.includes('.'))).size >= 2, true, form.text)
  assert.ok(paths(form)?.includes('settings.nonsense'), form.text)
  assert.ok(paths(form)?.includes('locales.0'), form.text)
  const urls = {
    settings: { redirect_urls: ['https://ok.example', 'javascript:alert(1)', 'http://x.example'] },
  }
  assert.deepEqual(paths(await put(urls)), ['settings.redirect_urls.1', 'settings.redirect_urls.2'])
  assert.equal((await put({ organisation_id: 'x' })).status, 400)
})

test('what a schema alone cannot tell is named beside what it can', async () => {
  const app = await startApp()
  const { token } = await openStudio(app, await addUser(app, 'admin'))
  const post = async (body: unknown) => {
    const { status, body: answer } = await app.post('/environments', body, { token })
    assert.equal(status, 400)
    return answer.errors.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`)
  }
  assert.deepEqual(await post({ name: 'x', locales: ['xx'], time_zone: 'Mars/X' }), [
    'locales.0 must be a locale such as en-US',
    'time_zone must be a time zone such as Europe/Amsterdam',
  ])
  const settings = { redirect_urls: ['https://ok.example/', 'ftp://x.example'], image_widths: [1] }
  assert.deepEqual(await post({ locales: ['nl-NL'], default_locale: 'en-US', time_zone: 5, settings }), [
    'name is required',
    'time_zone must be string',
    'settings.redirect_urls.1 must be an https address, or http on localhost',
    'settings.image_widths.0 must be >= 16',
    'default_locale must be one of the locales',
  ])
  assert.deepEqual(await post(null), [' must be object'])
  const absent = await app.put('/environments/none', { time_zone: '' }, { token })
  assert.deepEqual([absent.status, paths(absent)], [400, ['time_zone']])
})
