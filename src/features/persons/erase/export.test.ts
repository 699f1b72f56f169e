import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp } from '../../../../test/harness/app.ts'
import { addCanary } from '../../../../test/harness/canary.ts'
import { addTag } from '../../../../test/harness/factories.ts'
import { addPublication, text } from '../../../../test/harness/publications.ts'
import { made } from '../../../../test/harness/records/kind.ts'
import { linkFor, signIn, signInSettings } from '../../../../test/harness/sign-in.ts'

const scopes = ['persons', 'persons_publish']

test('an export has everything that is held about a person, and names secrets without showing them', async () => {
  const app = await startApp(signInSettings)
  const tag = await addTag(app)
  const person = await addCanary(app)
  const { id, email, mark } = person
  await app.put(`/persons/${id}`, { tags: [{ id: tag.id }] })
  const authors = { label: 'Person', items: [{ id }] }
  const { id: publication } = await addPublication(app, { 'en-US': { title: text('By one'), authors } })
  const { body: session } = await signIn(app, person, {}, { headers: { 'user-agent': 'A browser' } })
  const link = await linkFor(app, { email })
  made(await app.post(`/v5/persons/${id}/remark`, { body: 'Called' }))
  const { id: segment } = made(
    await app.post('/segments', { body: 'All', rules: { items: { a: { gender: { eq: 'female' } } } } }),
  )
  await app.post(`/publications/${publication}/like`, { session_hash: session.hash })
  const sight = { label: 'View', person: { id }, value: 2.5 }
  for (let page = 0; page < 3; page += 1)
    await app.post(`/publications/${publication}/interactions`, { items: Array(700).fill(sight) })
  await eventually(async () => (await app.get(`/segments/${segment}/persons`)).body.total === 1)
  await eventually(async () => (await app.sql`select 1 from outbox`).length === 0)

  const { status, headers, body, text: shown } = await app.get(`/persons/${id}/export`, { scopes })
  assert.equal(status, 200, shown)
  assert.match(headers.get('content-type')!, /^application\/json/)
  assert.match(headers.get('content-disposition')!, /^attachment; filename="person.json"$/)
  assert.deepEqual(
    [body.person.id, body.person.last_name, body.person.emails.total],
    [id, `${mark}married`, 2],
  )
  assert.match(body.person.bank_accounts.items[0].iban, /^NL\*+\d{4}$/)
  assert.equal(body.person.logged_in_from.items[0].user_agent, 'A browser')
  assert.deepEqual(body.secrets, {
    password: true,
    two_factor: false,
    provider_tokens: ['search', 'social_network'],
  })
  const counts = Object.entries(body).flatMap(([name, list]) =>
    Array.isArray(list) ? [[name, list.length]] : [],
  )
  assert.deepEqual(Object.fromEntries(counts), {
    tags: 1,
    sessions: 1,
    tokens: 0,
    sign_in_requests: 1,
    links: 1,
    notifications: 0,
    segments: 1,
    remarks: 1,
    messages: 0,
    message_attachments: 0,
    message_replies: 0,
    comments: 0,
    files: 0,
    letters: 1,
    publications: 1,
    events: 6,
    impressions: 0,
    interactions: 2101,
  })
  assert.equal(new Set(body.interactions.map((one: { id: string }) => one.id)).size, 2101)
  const { label, value, publication_id } = body.interactions[0]
  assert.ok(['View', 'Like'].includes(label) && [2.5, null].includes(value) && publication_id === publication)
  assert.deepEqual([body.letters[0].to, body.letters[0].text], [email, null])
  for (const secret of [`${mark}password`, `${mark}token`, session.hash, link, person.said[2]!])
    assert.ok(!shown.includes(secret), secret)
  const whole = await app.get(`/persons/${id}/export`, { scopes: [...scopes, 'tokens'] })
  assert.ok(whole.body.letters[0].text.includes(link))
})

test('an export is for who may change persons, and of persons of the environment', async () => {
  const [app, other] = [await startApp(signInSettings), await startApp(signInSettings)]
  const { id } = made(await app.post('/persons', {}))
  const path = `/persons/${id}/export`
  assert.equal((await app.get(path, { scopes: ['persons'] })).status, 403)
  assert.equal((await other.get(path)).status, 404)
  const head = await app.call('HEAD', path)
  assert.deepEqual([head.status, head.text], [200, ''])
  const { body } = await app.get(path)
  assert.deepEqual([body.interactions, body.secrets.provider_tokens], [[], []])
})
