import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { addUser, eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { placesOf } from '../../../test/harness/canary.ts'
import { addPublication, type Loose } from '../../../test/harness/publications.ts'
import { eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { madeUp, sendForm } from '../../../test/harness/uploads.ts'
import { openSession } from '../../../test/harness/words.ts'
import { sendReply } from './jobs.ts'

/** A mail server that refuses the first letter to whoever is called `late`. */
const received: { to: string; data: string }[] = []
const refused = new Set<string>()
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onRcptTo({ address }, _session, callback) {
    const isLate = address.startsWith('late') && !refused.has(address)
    if (isLate) refused.add(address)
    callback(isLate ? Object.assign(new Error('not yet'), { responseCode: 450 }) : null)
  },
  onData(stream, session, callback) {
    stream
      .setEncoding('utf8')
      .toArray()
      .then((parts: string[]) => {
        received.push({ to: session.envelope.rcptTo[0]!.address, data: parts.join('') })
        callback()
      }, callback)
  },
})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
const pictures = createServer((request, response) =>
  request.url === '/missing'
    ? response.writeHead(404).end()
    : response.writeHead(200, { 'content-type': 'image/png' }).end(madeUp('png')),
).listen(0, '127.0.0.1')
await once(pictures, 'listening')
const picturesUrl = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`
after(() => {
  server.close()
  pictures.close()
})

const start = () =>
  startApp({
    SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
  })
const add = async (app: TestApp, more: object = {}): Promise<Loose> =>
  made(await app.post('/v5/messages', { label: 'EmailMessage', body: 'Where do you moor?', ...more }))
const lettersTo = (address: string) => received.filter(({ to }) => to === address)
const delivered = (app: TestApp, id: string, delivery: string) =>
  eventually(async () => {
    const { body } = await app.get(`/v5/messages/${id}?fields=delivery`)
    return body.delivery === delivery && body
  }, 20_000)

test('a reply to an email goes out by SMTP, once, with the subject and a name of its own', async () => {
  const app = await start()
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id })
  const email = `${randomUUID()}@example.org`
  const { id } = await add(app, { email, subject: 'Mooring\r\nBcc: all@example.org' })
  const body = '<b>At the quay</b>\n.\nAlways'
  const answer = await app.post(
    `/v5/messages/${id}/replies?fields=delivery,parent,created_by`,
    { body, label: 'EmailMessage' },
    { token },
  )
  const reply = made(answer)
  assert.deepEqual(
    [answer.body.delivery, answer.body.parent, answer.body.created_by.id, answer.body.body],
    ['pending', { id }, user.id, body],
  )
  await delivered(app, reply.id, 'sent')
  const [letter, ...more] = lettersTo(email)
  assert.deepEqual(more, [])
  assert.match(letter!.data, new RegExp(`^Message-ID: <${reply.id}@marquee\\.test>`, 'm'))
  assert.match(letter!.data, /^Subject: Re: Mooring\s+Bcc: all@example\.org/m)
  assert.doesNotMatch(letter!.data, /^Bcc:/m)
  assert.match(letter!.data, /^From: .*no-reply@marquee\.test/m)
  assert.match(letter!.data, /^Content-Type: text\/plain/m)
  assert.match(letter!.data, /<b>At the quay<\/b>\r\n\.\.?\r\nAlways/)
  const which = { organisation_id: app.organisation, environment_id: app.environment.id, id: reply.id }
  await sendReply(app.context, which)
  assert.equal(lettersTo(email).length, 1)
  assert.deepEqual(await eventsOf(app, reply.id), ['message.created', 'message.changed'])
  const thread = await app.get(`/v5/messages/${id}?fields=replies`)
  assert.deepEqual([thread.body.replies.total, thread.body.replies.items[0].id], [1, reply.id])
  assert.equal((await app.get(`/v5/messages/${id}/replies`)).body.items[0].id, reply.id)
  assert.equal((await app.get('/v5/messages')).body.total, 1)
})

test('a reply that the mail server refuses is told to have failed, and goes out later', async () => {
  const app = await start()
  const email = `late-${randomUUID()}@example.org`
  const { id } = await add(app, { email })
  const reply = made(await app.post(`/v5/messages/${id}/replies`, { body: 'Soon', label: 'EmailMessage' }))
  await delivered(app, reply.id, 'failed')
  await sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs
    where task_identifier = 'messages:send-reply'), run_at => now())`.execute(app.context.db)
  await delivered(app, reply.id, 'sent')
  assert.equal(lettersTo(email).length, 1)
})

test('replies that are no email are stored; to whom no address leads none can be mailed', async () => {
  const app = await start()
  const { id } = await add(app, { label: 'Sms', phone: '+31 6 1010 2020' })
  const url = `/v5/messages/${id}/replies`
  const stored = await app.post(`${url}?fields=delivery`, { body: 'Ahoy', label: 'Sms' })
  assert.equal(made(stored) && stored.body.delivery, 'stored')
  assert.deepEqual(faults(await app.post(url, { body: 'Ahoy', label: 'EmailMessage' })), ['label'])
  assert.deepEqual(faults(await app.post(url, { label: 'Sms', body: 7, other: 1 })), ['body', 'other'])
  assert.deepEqual(faults(await app.post(url, { label: 'Sms', body: 'x', subject: 'y' })), ['subject'])
  const again = await app.post(`/v5/messages/${stored.body.id}/replies`, { body: 'x', label: 'Sms' })
  assert.equal(again.status, 409, again.text)
  assert.equal((await app.delete(`/v5/messages/${id}`)).status, 204)
  assert.equal((await app.get(`/v5/messages/${stored.body.id}`)).status, 404)
})

test('files of a message become private assets with addresses, of the kind they were sent as', async () => {
  const app = await start()
  const form = { label: 'AppMessage', body: 'Look and listen', email: 'looker@example.org' }
  const sent = await sendForm(app, '/v5/messages?fields=attachments', {
    ...form,
    'images.0': { bytes: madeUp('png'), name: '../../x.png' },
    'audios[0]': { bytes: madeUp('mp3') },
  })
  const { id, photo_url, audio_url, audio_source_url, attachments } = made(sent as never) as Loose
  assert.match(photo_url, /^https:\/\/marquee\.test\/media\/[\w-]+\/w_1280,.*s_/)
  assert.match(audio_source_url, /\/original,/)
  assert.ok(audio_url)
  assert.deepEqual(
    attachments.map(({ kind }: Loose) => kind),
    ['audio', 'photo'],
  )
  const { rows } = await sql<{ private: boolean; label: string; owned: boolean }>`
    select private, label, person_key is not null as owned from assets
    where environment_id = ${app.environment.id} order by label`.execute(app.context.db)
  assert.deepEqual(
    rows,
    ['Audio', 'Photo'].map((label) => ({ private: true, label, owned: true })),
  )
  const { total } = (await app.get('/v5/messages?assets[in]=photo')).body
  assert.equal(total, 1)
  const wrong = await sendForm(app, '/v5/messages', { ...form, 'images.0': { bytes: Buffer.from('<svg/>') } })
  assert.deepEqual(faults(wrong as never), ['images.0'])
  assert.equal((await app.get(`/v5/messages/${id}`)).body.video_url, null)
})

test('a file by address is fetched behind the message, through the guarded client', async () => {
  const app = await start()
  const source = `${picturesUrl}/boat.png`
  const { id, photo_url } = await add(app, { images: [source] })
  assert.equal(photo_url, null)
  const { body } = await eventually(async () => {
    const answer = await app.get(`/v5/messages/${id}?fields=attachments`)
    return answer.body.photo_url && answer
  }, 20_000)
  assert.equal(body.attachments[0].source_url, source)
  assert.deepEqual(await eventsOf(app, id), ['message.created', 'message.changed'])
})

/** Somebody of whom a message, a reply to it and comments are there, under a mark that nobody else has. */
const speak = async (app: TestApp) => {
  const mark = `Zq${randomUUID().slice(0, 8)}`
  const email = `${mark}@example.org`
  const person = made(await app.post('/persons', { last_name: mark, nickname: 'Skipper', emails: [email] }))
  const session_hash = await openSession(app, person.id)
  const message = await add(app, { email, nickname: mark, subject: mark, body: `I am ${mark}` })
  const reply = made(
    await app.post(`/v5/messages/${message.id}/replies`, { body: `Dear ${mark}`, label: 'Sms' }),
  )
  const publication = await addPublication(app)
  const say = async (body: string): Promise<Loose> =>
    made(await app.post(`/v5/publications/${publication.id}/comments`, { body, session_hash }))
  const comment = await say('Well said')
  const answer = made(await app.post(`/v5/comments/${comment.id}/replies`, { body: 'Not at all' }))
  await eventually(async () => {
    const { rows } = await sql`select 1 from outbox`.execute(app.context.db)
    return rows.length === 0
  })
  return { mark, person, message, reply, publication, comment, answer }
}

const ways: Record<string, (app: TestApp, id: string) => Promise<{ status: number }>> = {
  anonymized: (app, id) => app.put(`/persons/${id}/anonymize`),
  deleted: (app, id) => app.delete(`/persons/${id}`),
  'deleted by version 5': (app, id) => app.delete(`/v5/persons/${id}`),
}
for (const [way, erase] of Object.entries(ways))
  test(`of somebody who was ${way} no message is left, and no comment that leads to the person`, async () => {
    const app = await start()
    const { mark, person, message, reply, comment, answer } = await speak(app)
    assert.ok((await erase(app, person.id)).status < 300)
    for (const { id } of [message, reply]) {
      assert.equal((await app.get(`/v5/messages/${id}`)).status, 404)
      assert.equal((await eventsOf(app, id)).at(-1), 'message.deleted')
    }
    const found = await placesOf(app, app.context.config.data, [mark])
    assert.deepEqual(found, {})
    const left = await app.get(`/v5/comments/${comment.id}?fields=sent`)
    assert.equal(left.status, way === 'anonymized' ? 200 : 404)
    if (way === 'anonymized') assert.notEqual(left.body.sent.id, person.id)
    const { parent } = (await app.get(`/v5/comments/${answer.id}`)).body
    assert.deepEqual(parent, way === 'anonymized' ? { id: comment.id } : null)
    const receipt = (await app.get('/erasure_receipts')).body.items[0]
    assert.equal(receipt.erased.messages, 2)
    assert.equal(way === 'anonymized' ? receipt.kept.comments : receipt.erased.comments, 1)
  })

test('an export has all that the person wrote and was answered', async () => {
  const app = await start()
  const { person, message, reply, comment } = await speak(app)
  const { body } = await app.get(`/persons/${person.id}/export`)
  const idOf = ([item]: Loose[]) => item.id
  assert.deepEqual(
    [idOf(body.messages), idOf(body.message_replies), idOf(body.comments), body.messages[0].body],
    [message.id, reply.id, comment.id, message.body],
  )
})

test('what somebody wrote who is merged into another becomes the other’s', async () => {
  const app = await start()
  const { mark, person, message, comment } = await speak(app)
  const kept = made(await app.post('/persons', { last_name: 'Kept' }))
  const merged = await app.post(`/persons/${kept.id}/merge`, { person: { id: person.id } })
  assert.equal(merged.status, 200, merged.text)
  assert.equal((await app.get(`/v5/messages/${message.id}`)).body.sent.id, kept.id)
  assert.equal((await app.get(`/v5/comments/${comment.id}?fields=sent`)).body.sent.id, kept.id)
  assert.equal((await app.get('/messages?created_on[gt]=2020-01-01&q=kept')).body.total, 1)
  const { rows } = await sql`select 1 from events where environment_id = ${app.environment.id}
    and snapshot::text like ${`%"id": "${person.id}"%`} and label = 'Message'`.execute(app.context.db)
  assert.deepEqual(rows, [], mark)
})

test('a message that comes while its sender is erased is gone with the person, or somebody new’s', async () => {
  const app = await start()
  const email = `${randomUUID()}@example.org`
  const { id } = made(await app.post('/persons', { emails: [email] }))
  const body = { label: 'Sms', body: 'Still there?', email }
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => app.post('/v5/messages', body)),
    app.delete(`/persons/${id}`),
    ...Array.from({ length: 4 }, () => app.post('/v5/messages', body)),
  ])
  for (const { status, text } of answers) assert.ok(status === 201 || status === 204, text)
  const { items, total } = (await app.get('/v5/messages')).body
  assert.equal(total, items.length)
  assert.equal(new Set(items.map(({ sent }: Loose) => sent.id)).size, Math.min(1, total))
  for (const { sent } of items) assert.notEqual(sent.id, id)
})
