import assert from 'node:assert/strict'
import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { forgetErased } from '../src/features/persons/erase/jobs.ts'
import { mailer } from '../src/mail/mail.ts'
import { eventually } from './harness/access.ts'
import { startApp, type TestApp } from './harness/app.ts'
import { addCanary, type Canary, placesOf } from './harness/canary.ts'
import { type Listener, startListener } from './harness/listener.ts'
import { addPublication } from './harness/publications.ts'
import { made } from './harness/records/kind.ts'
import { linkFor, openLink, signIn, signInSettings, useMagic } from './harness/sign-in.ts'
import { addWebhook } from './harness/webhooks.ts'

const folder = await mkdtemp(join(tmpdir(), 'marquee-'))
after(() => rm(folder, { recursive: true }))

const start = () =>
  startApp(
    { ...signInSettings, MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1', MARQUEE_DATA: folder },
    {
      // Letters stand in the data folder where the database does, too.
      prepare(context) {
        context.mail = mailer({ ...context.config, databaseUrl: undefined }, context.db)
      },
    },
  )

/** Until everything that was begun is done; jobs of the clock aside. */
const quiet = (app: TestApp) =>
  eventually(async () => {
    const [row] = await app.sql<{ busy: boolean }[]>`select exists (select 1 from audience_deltas)
      or exists (select 1 from outbox) or exists (select 1 from graphile_worker.jobs
        where attempts < 1 and run_at <= now())
      or (select sequence < last from webhook_position, event_sequence) as busy`
    return !row!.busy
  }, 20_000)

type Surroundings = {
  app: TestApp
  publication: string
  template: string
  segment: string
  listeners: Listener[]
}

const surround = async (): Promise<Surroundings> => {
  const app = await start()
  // One repeats what it hears, the other fails, so that its calls wait for another attempt.
  const listeners = [
    await startListener((response, { text }) => response.writeHead(200, { 'x-heard': 'yes' }).end(text)),
    await startListener((response, { text }) => response.writeHead(500).end(text)),
  ]
  const events = ['created', 'changed', 'liked', 'deleted', 'anonymized', 'segment.added', 'segment.removed']
  for (const listener of listeners)
    await addWebhook(app, listener, {
      events: [...events.map((name) => `person.${name}`), 'message.created', 'comment.created'],
    })
  const template = {
    name: 'Welcome',
    subject: 'For {{first_name}} {{last_name}}',
    html: '<p>{{email}} {{link}}</p>',
    text: '{{first_name}} {{email}} {{link}}',
  }
  const { id: template_id } = made(await app.post('/email_templates', template))
  const rules = { items: { a: { gender: { eq: 'female' } }, b: { interactions: { has: true } } } }
  const { id: segment } = made(await app.post('/segments', { body: 'Women', rules }))
  const { id: publication } = await addPublication(app, undefined, { status: { 'en-US': { body: 'Done' } } })
  return { app, publication, template: template_id, segment, listeners }
}

/** Everything that can be done with and by a person. */
const live = async ({ app, publication, template, segment }: Surroundings): Promise<Canary> => {
  const person = await addCanary(app)
  const { id, mark, email, reference_id } = person
  const agent = { 'user-agent': `${mark}Browser`, 'x-forwarded-for': '198.18.0.9' }
  const session = await signIn(app, person, {}, { headers: agent })
  assert.equal(session.status, 201, session.text)
  const link = await linkFor(app, { email }, { email_template: { id: template } })
  const magic = await useMagic(app, (await openLink(app, link)).token)
  assert.equal(magic.status, 200, magic.text)
  await linkFor(app, { email }, { email_template: { id: template } })
  assert.equal((await app.call('POST', `/persons/${id}/two_factor`)).status, 201)
  made(await app.post(`/v5/persons/${id}/remark`, { body: `${mark} called about ${mark}` }))
  const message = { label: 'EmailMessage', email, nickname: mark, subject: mark, body: `I am ${mark}` }
  const { id: message_id } = made(await app.post('/v5/messages', message))
  made(await app.post(`/v5/messages/${message_id}/replies`, { label: 'Sms', body: `Dear ${mark}` }))
  const comment = { body: 'Well said', session_hash: session.body.hash }
  made(await app.post(`/v5/publications/${publication}/comments`, comment))
  const liked = await app.post(`/publications/${publication}/like`, { session_hash: session.body.hash })
  assert.equal(liked.status, 204, liked.text)
  // One that a caller gave looks like one of ours.
  const given = [`${mark}-0`, randomUUID(), `${mark}-2`, randomUUIDv7()]
  person.said.push(...given)
  const odd = [1e308, -0, 5e-324, null].map((value, n) => ({ label: 'View', value, id: given[n] }))
  const items = odd.map((item, n) => ({ ...item, person: n % 2 ? { id } : { reference_id } }))
  const sent = await app.post(`/publications/${publication}/interactions`, { items })
  assert.equal(sent.status, 202, sent.text)
  for (const path of ['/persons?q=', '/v5/persons?q=', '/search?q='])
    assert.equal((await app.get(`${path}${mark}again`)).status, 200)
  const rows = [
    { reference_id, nickname: `${mark}imported` },
    { reference_id, gender: `${mark}gender`, emails: [`${mark} at home`], date_of_birth: mark },
  ]
  const raw = rows.map((row) => JSON.stringify(row)).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const { body: order } = await app.call('POST', '/persons/import?match=reference_id', { raw, headers })
  await eventually(async () => (await app.get(`/persons/imports/${order.id}`)).body.status === 'done')
  await eventually(async () => (await app.get(`/segments/${segment}/persons`)).text.includes(id))
  return person
}

const fields = [
  'emails,phones,addresses,terms,accounts,logged_in_from,bank_accounts,sessions,tags,reference_id,gender',
  'date_of_birth,company,description,biography,social_media_handle,preposition,prefix_last_name,two_factor',
].join()
const whole = async ({ app }: Surroundings, { id }: Canary) => {
  const { body } = await app.get(`/persons/${id}/export`)
  return [(await app.get(`/persons/${id}?fields=${fields}`)).body, { ...body, exported_on: null }]
}

const erasing = /^person\.(anonymized|deleted)$/

const ways: Record<string, (app: TestApp, id: string) => Promise<{ status: number }>> = {
  anonymized: (app, id) => app.put(`/persons/${id}/anonymize`),
  deleted: (app, id) => app.delete(`/persons/${id}`),
  'deleted by version 5': (app, id) => app.delete(`/v5/persons/${id}`),
}

for (const [way, erase] of Object.entries(ways))
  test(`nothing is left of somebody who was ${way}, and nobody else is touched`, async () => {
    const surroundings = await surround()
    const { app, listeners } = surroundings
    const [gone, stays] = [await live(surroundings), await live(surroundings)]
    await quiet(app)
    const before = await placesOf(app, folder, gone.said)
    for (const table of [
      'persons',
      'messages',
      'person_words',
      'person_vocabulary',
      'events',
      'webhook_deliveries',
      'mailbox',
    ])
      assert.ok(before[`public.${table}`]! > 0, `${table} ${JSON.stringify(before)}`)
    assert.ok(Object.keys(before).some((name) => name.endsWith('.eml')))
    const [untouched, told] = [await whole(surroundings, stays), await placesOf(app, folder, stays.said)]
    const heard = listeners.map(({ calls }) => calls.length)

    assert.ok((await erase(app, gone.id)).status < 300)
    await quiet(app)
    // What was on its way when the person was erased has arrived by now.
    const settled = listeners.map(({ calls }) => calls.length)
    // For some days the event of the erasure still has the id, for those who are told of it.
    await app.sql`update events set created_on = now() - interval '8 days'
      where event in ('person.deleted', 'person.anonymized')`
    await app.sql`update webhook_deliveries set next_attempt_on = now() where status = 'pending'`
    await eventually(async () => {
      const due =
        await app.sql`select 1 from webhook_deliveries where status = 'pending' and next_attempt_on <= now()`
      return due.length === 0
    }, 20_000)
    await forgetErased(app.context)
    assert.deepEqual(await placesOf(app, folder, gone.said), {})
    assert.deepEqual(await whole(surroundings, stays), untouched)
    const { 'public.webhook_deliveries': _before, ...now } = await placesOf(app, folder, stays.said)
    const { 'public.webhook_deliveries': _now, ...then } = told
    assert.deepEqual(now, then)
    for (const [index, { calls }] of listeners.entries()) {
      const since = calls
        .slice(heard[index])
        .filter(({ body }, at) => erasing.test(body.event) || at >= settled[index]! - heard[index]!)
        .filter(({ text }) => text.includes(gone.mark))
      assert.ok(since.length > 0)
      for (const { body } of since) {
        const { segment: _whichOneWasLeft, ...payload } = body.payload
        assert.deepEqual(Object.keys(payload).sort(), ['id', 'label'])
      }
    }
  })
