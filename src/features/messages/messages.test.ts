import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addUser, eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { listenTo } from '../../../test/harness/events.ts'
import { addChannel, addTag } from '../../../test/harness/factories.ts'
import type { Loose } from '../../../test/harness/publications.ts'
import { absent, eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { openSession, openUserSession } from '../../../test/harness/words.ts'

const write = (app: TestApp, more: object = {}): Promise<Loose> =>
  app.post('/v5/messages', { label: 'WebMessage', body: 'Hello', ...more })
const add = async (app: TestApp, more: object = {}): Promise<Loose> => made(await write(app, more))
const always = 'created_on[gt]=2020-01-01'
const found = async (app: TestApp, query: string, path = '/messages'): Promise<string[]> => {
  const { body, text, status } = await app.get(`${path}?sort=created_on&${query}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.items.length)
  return body.items.map((item: Loose) => item.body)
}
const persons = async (app: TestApp): Promise<Loose[]> =>
  (await app.get('/persons?fields=emails,phones')).body.items

test('a message has what each generation shows of it, and the rest on request', async () => {
  const app = await startApp()
  const channel = await addChannel(app, { name: 'App' })
  const sent = { nickname: 'Captain', phone: '+31 20 555 0100', email: 'Captain@example.org' }
  const created = await write(app, {
    ...sent,
    label: 'EmailMessage',
    subject: 'Tides',
    channel: { id: channel.id },
  })
  const { id } = made(created)
  assert.equal(created.headers.get('location'), `/v5/messages/${id}`)
  const media = ['audio_url', 'video_url', 'audio_source_url', 'video_source_url', 'photo_url']
  assert.deepEqual(Object.keys(created.body), [
    ...['id', 'created_on', 'changed_on', 'label', 'nickname', 'body', ...media, 'sent'],
  ])
  assert.equal(created.body.label, 'EmailMessage')
  assert.equal(created.body.sent.nickname, 'Captain')
  assert.deepEqual((await app.get(`/v5/messages/${id}`)).body, created.body)
  const { body: short } = await app.get(`/messages/${id}`)
  assert.deepEqual(Object.keys(short), ['id', 'created_on', 'changed_on', 'label', 'body', 'sent'])
  assert.equal(short.label, 'Message')
  assert.equal(short.sent.phones.items[0].phone, sent.phone)
  const asked = await app.get(
    `/messages/${id}?fields=type,nickname,subject,email,phone,on_screen,channel{name},tags`,
  )
  const { type, subject, email, on_screen, channel: where, tags } = asked.body
  assert.deepEqual(
    [type, subject, email, on_screen, where.name, tags],
    ['EmailMessage', 'Tides', sent.email, false, 'App', { total: 0, items: [] }],
  )
  assert.deepEqual(await eventsOf(app, id), ['message.created'])
})

test('what is wrong with a message is named all at once, and nobody is made for it', async () => {
  const app = await startApp()
  const body = {
    body: ' ',
    label: 'Fax',
    subject: 'x',
    channel: { id: absent },
    session_hash: 'no',
    other: 1,
  }
  const wrong = { ...body, phone: 'call me', email: 'nobody', 'images.0': { filepath: '/etc/passwd' } }
  assert.deepEqual(
    [...new Set(faults(await app.post('/v5/messages', wrong)))],
    ['body', 'channel.id', 'email', 'images.0', 'label', 'other', 'phone', 'session_hash', 'subject'],
  )
  assert.deepEqual(faults(await app.post('/v5/messages', {})), ['body', 'label'])
  for (const url of ['file:///etc/passwd', 'https://a:b@example.org/', 'no address', 7, {}])
    assert.deepEqual(faults(await write(app, { audios: [url] })), ['audios.0'], String(url))
  assert.deepEqual(faults(await write(app, { body: 'a\u0000b' })), ['body'])
  const other = await addChannel(app, { environment: await app.addEnvironment() })
  assert.deepEqual(faults(await write(app, { channel: { id: other.id } })), ['channel.id'])
  assert.deepEqual(await persons(app), [])
  assert.equal((await app.get(`/messages?${always}`)).body.total, 0)
})

test('the sender is whose session it is, who has the address or the number, or somebody new', async () => {
  const app = await startApp()
  const known = made(
    await app.post('/persons', {
      first_name: 'Robin',
      emails: ['Robin@example.org'],
      phones: ['+31 6 1234 5678'],
    }),
  )
  const session_hash = await openSession(app, known.id)
  const senderOf = async (more: object) => (await add(app, more)).sent?.id ?? null
  assert.equal(await senderOf({ session_hash, email: 'other@example.org' }), known.id)
  assert.equal(await senderOf({ email: 'robin@EXAMPLE.org' }), known.id)
  assert.equal(await senderOf({ phone: '0031 (6) 12345678', email: 'new@example.org' }), known.id)
  assert.equal(await senderOf({ nickname: 'Nobody' }), null)
  assert.equal((await persons(app)).length, 1)
  const many = await Promise.all(
    Array.from({ length: 6 }, () => senderOf({ label: 'Sms', phone: '+31 6 8765 4321', nickname: 'Sam' })),
  )
  assert.equal(new Set(many).size, 1)
  const { body: made_up } = await app.get(`/persons/${many[0]}?fields=phones`)
  assert.deepEqual([made_up.nickname, made_up.source, made_up.phones.total], ['Sam', 'Sms', 1])
  assert.deepEqual(await eventsOf(app, many[0]), ['person.created'])
})

test('who may only write messages is not told whom an address belongs to', async () => {
  const app = await startApp()
  made(await app.post('/persons', { last_name: 'Secret', emails: ['a@example.org'] }))
  const call = { scopes: ['messages_publish'] }
  const body = { label: 'WebMessage', body: 'Hello', email: 'a@example.org' }
  const answer = await app.post('/v5/messages', body, call)
  assert.equal(made(answer) && answer.body.sent, null)
  assert.ok(!answer.text.includes('Secret'))
  assert.equal((await app.get(`/v5/messages/${answer.body.id}`)).body.sent.lastname, 'Secret')
})

test('the unversioned list wants a span of time; version 5 does without', async () => {
  const app = await startApp()
  await add(app)
  assert.deepEqual(faults(await app.get('/messages')), ['created_on'])
  assert.deepEqual(faults(await app.get('/messages?limit=0&favorites[has]=true&nothing=1')), [
    ...['created_on', 'favorites', 'limit', 'nothing'],
  ])
  assert.equal(
    (await app.get(`/messages?created_on[0][gt]=${Math.round(Date.now() / 1000) - 60}`)).body.total,
    1,
  )
  assert.equal((await app.get('/messages?created_on[0][lt]=1700000000')).body.total, 0)
  assert.equal((await app.get('/v5/messages')).body.total, 1)
})

test('messages are found by channel, mood, tag, screen, kind of file and words', async () => {
  const app = await startApp()
  const [radio, mood, topic] = [await addChannel(app, {}), await addTag(app, {}), await addTag(app, {})]
  const person = {
    last_name: 'Quayside',
    emails: ['q@example.org'],
    phones: ['+31 20 555 0199'],
    tags: [{ id: mood.id }],
  }
  made(await app.post('/persons', person))
  await add(app, { body: 'Storm at sea', channel: { id: radio.id } })
  await add(app, { body: 'Calm water', email: 'q@example.org', nickname: 'Skipper' })
  const shown = await add(app, { body: 'Look', 'images.0': 'https://pictures.invalid/a.jpg' })
  const put = await app.put(`/v5/messages/${shown.id}`, {
    on_screen: true,
    tags: [{ id: topic.id }, { body: 'Boats' }],
  })
  assert.equal(put.status, 200, put.text)
  for (const [query, expected] of [
    [`channels[eq]=${radio.id}`, ['Storm at sea']],
    [`channels[in]=${radio.id},${absent}`, ['Storm at sea']],
    [`moods[in]=${mood.id}`, ['Calm water']],
    [`tags[eq]=${topic.id}`, ['Look']],
    ['on_screen[has]=true', ['Look']],
    ['on_screen[has]=false', ['Storm at sea', 'Calm water']],
    ['assets[in]=photo,video', ['Look']],
    ['assets[in]=audio', []],
    ['q[fz]=strom', ['Storm at sea']],
    ['q=quayside', ['Calm water']],
    ['q=skipper+water', ['Calm water']],
    ['q=%2B31205550199', ['Calm water']],
    [`or[0][channels][eq]=${radio.id}&or[1][on_screen][has]=true`, ['Storm at sea', 'Look']],
  ] as const)
    assert.deepEqual(await found(app, `${always}&${query}`), expected, query)
  assert.deepEqual(await found(app, `channel_id=${radio.id}`, '/v5/messages'), ['Storm at sea'])
  assert.deepEqual(await found(app, 'q=calm', '/v5/messages'), ['Calm water'])
  assert.deepEqual(await found(app, 'q=quayside', '/v5/messages'), [])
  assert.deepEqual(faults(await app.get(`/messages?${always}&assets[in]=paper&moods[sw]=x`)), [
    ...['assets.in', 'moods.sw'],
  ])
})

test('a sender who is called something else is found by the new name alone', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/persons', { last_name: 'Before', emails: ['p@example.org'] }))
  await add(app, { body: 'Mine', email: 'p@example.org', nickname: 'Always' })
  await app.put(`/persons/${id}`, { last_name: 'After', phones: ['+31 20 555 0123'] })
  assert.deepEqual(await found(app, `${always}&q=after`), ['Mine'])
  assert.deepEqual(await found(app, `${always}&q=31205550123`), ['Mine'])
  assert.deepEqual(await found(app, `${always}&q=always`), ['Mine'])
  assert.deepEqual(await found(app, `${always}&q=before`), [])
})

test('favorites are those of one user, by session or bound token', async () => {
  const app = await startApp()
  const [one, other] = [await addUser(app), await addUser(app)]
  const { value: token } = await app.addToken({ user_id: one.id })
  const session_hash = await openUserSession(app, other.id)
  const [mine, theirs] = [await add(app, { body: 'Mine' }), await add(app, { body: 'Theirs' })]
  const marked = await app.put(`/v5/messages/${mine.id}?fields=favorite`, { favorite: true }, { token })
  assert.deepEqual([marked.status, marked.body.favorite, marked.body.changed_on], [200, true, null])
  await app.put(`/v5/messages/${theirs.id}`, { favorite: true, session_hash })
  const favorites = async (query: string, call = {}) => {
    const { body } = await app.get(`/messages?${always}&sort=created_on&fields=favorite&${query}`, call)
    assert.equal(body.total, body.items.length)
    return body.items.map((item: Loose) => `${item.body} ${item.favorite}`).join()
  }
  assert.equal(await favorites('favorites[has]=true', { token }), 'Mine true')
  assert.equal(await favorites(`favorites[has]=true&session_hash=${session_hash}`), 'Theirs true')
  assert.equal(await favorites(`favorites[has]=false&session_hash=${session_hash}`), 'Mine false')
  assert.equal(await favorites('', {}), 'Mine null,Theirs null')
  const either = `or[0][favorites][has]=true&or[1][q][fz]=theirs`
  assert.equal(await favorites(either, { token }), 'Mine true,Theirs false')
  await app.put(`/v5/messages/${mine.id}`, { favorite: false }, { token })
  assert.equal(await favorites('favorites[has]=true', { token }), '')
  assert.deepEqual(faults(await app.put(`/v5/messages/${mine.id}`, { favorite: true })), ['favorite'])
  assert.deepEqual(faults(await app.put(`/v5/messages/${mine.id}`, { session_hash: 'no' })), ['session_hash'])
  assert.deepEqual(faults(await app.get(`/messages?${always}&session_hash=no`)), ['session_hash'])
  const elsewhere = await addUser(await startApp())
  const foreign = await openUserSession(app, elsewhere.id)
  assert.deepEqual(faults(await app.get(`/messages?${always}&session_hash=${foreign}`)), ['session_hash'])
  assert.deepEqual(await eventsOf(app, mine.id), ['message.created'])
})

test('what is put on screen or tagged is told once, and what was read can be sent back', async () => {
  const app = await startApp()
  const { id } = await add(app)
  const url = `/v5/messages/${id}`
  assert.equal((await app.put(`${url}?fields=on_screen`, { on_screen: true })).body.on_screen, true)
  await app.put(url, { on_screen: true })
  await app.put(url, { tags: [{ body: 'Boats' }] })
  await app.put(url, { tags: [{ body: 'boats' }] })
  const all = 'on_screen,favorite,tags,subject,email,phone,channel,parent,attachments,delivery,replies'
  const read = await app.get(`${url}?fields=${all}`)
  const again = await app.put(url, {
    ...read.body,
    tags: read.body.tags.items.map(({ id }: Loose) => ({ id })),
  })
  assert.equal(again.status, 200, again.text)
  assert.equal(again.headers.get('etag')?.slice(0, 3), '"3-')
  assert.deepEqual(await eventsOf(app, id), ['message.created', 'message.changed', 'message.changed'])
  assert.deepEqual(faults(await app.put(url, { tags: [{ id: absent }, {}], on_screen: 'perhaps' })), [
    'on_screen',
  ])
  assert.deepEqual(faults(await app.put(url, { tags: [{ id: absent }, {}], favorite: true })), [
    ...['favorite', 'tags.0.id', 'tags.1'],
  ])
  assert.equal((await app.put(url, { on_screen: false }, { headers: { 'if-match': '"1-x"' } })).status, 412)
})

test('script strings come back unchanged as JSON that no browser takes for anything else', async () => {
  const app = await startApp()
  const evil = `<script>alert('x')</script><img src=x onerror=alert(1)>\u2028 "]]>`
  const created = await write(app, { body: evil, nickname: evil, subject: evil, label: 'EmailMessage' })
  for (const answer of [created, await app.get(`/v5/messages/${created.body.id}?fields=subject`)]) {
    assert.equal(answer.body.body, evil)
    assert.equal(answer.body.nickname, evil)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  }
  assert.equal((await app.get(`/messages?${always}&q=script`)).body.items[0].body, evil)
})

test('a message of another environment is not there, by any address', async () => {
  const app = await startApp()
  const other = await startApp()
  const { id } = await add(other)
  const calls: [string, string, object?][] = [
    ['GET', '/messages/'],
    ['GET', '/v5/messages/'],
    ['PUT', '/v5/messages/', { on_screen: true }],
    ['DELETE', '/v5/messages/'],
  ]
  const traceless = ({ status, body }: Loose) => [status, { ...body, dbtrace: '' }]
  for (const [method, path, body] of calls)
    assert.deepEqual(
      traceless(await app.call(method, path + id, { body })),
      traceless(await app.call(method, path + absent, { body })),
    )
  const reply = { body: 'x', label: 'Sms' }
  assert.equal((await app.post(`/v5/messages/${id}/replies`, reply)).status, 404)
  assert.equal((await app.get(`/v5/messages/${id}/replies`)).status, 404)
  assert.equal((await app.get(`/v5/messages?id[eq]=${id}`)).body.total, 0)
})

test('a repeated request with one key makes one message', async () => {
  const app = await startApp()
  const call = { headers: { 'idempotency-key': 'once' } }
  const body = { label: 'Sms', body: 'Hi', phone: '+31 6 11112222' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => app.post('/v5/messages', body, call)))
  assert.equal(new Set(answers.map((answer) => made(answer).id)).size, 1)
  assert.equal((await app.get('/v5/messages')).body.total, 1)
})

test('an inbox hears of messages, what becomes of them and that they are gone', async () => {
  const app = await startApp()
  const stream = await listenTo(app, 'events=message.created,message.changed,message.deleted', {
    scopes: ['messages'],
  })
  const { id } = await add(app, { nickname: 'Captain', phone: '+31 20 555 0111' })
  await app.put(`/v5/messages/${id}`, { on_screen: true })
  await stream.count(2)
  const [created, changed] = stream.events.map(({ data }) => data.payload)
  assert.deepEqual(
    [created.id, created.body, created.sent.nickname, created.on_screen],
    [id, 'Hello', 'Captain', false],
  )
  assert.equal(changed.on_screen, true)
  assert.equal((await app.delete(`/v5/messages/${id}`)).status, 204)
  const gone = (await stream.count(3)).at(-1)!
  assert.deepEqual([gone.event, gone.data.payload], ['message.deleted', { id, label: 'Message' }])
  stream.close()
  const { rows } = await sql<{ told: string }>`select snapshot::text as told from events
    where record_id = ${id} and snapshot::text like '%Hello%'`.execute(app.context.db)
  assert.deepEqual(rows, [])
  const deaf = await listenTo(app, 'events=message.created', { scopes: ['comments'] })
  assert.equal(deaf.status, 403)
  deaf.close()
})

test('a deleted channel is taken off its messages', async () => {
  const app = await startApp()
  const channel = await addChannel(app, {})
  const { id } = await add(app, { channel: { id: channel.id } })
  await app.delete(`/channels/${channel.id}`)
  await eventually(async () => {
    const { rows } = await sql<{
      channel_id: string | null
    }>`select channel_id from messages where id = ${id}`.execute(app.context.db)
    return rows[0]!.channel_id === null
  })
})
