import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser, eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { listenTo } from '../../../test/harness/events.ts'
import { addChannel } from '../../../test/harness/factories.ts'
import { addPublication, type Loose } from '../../../test/harness/publications.ts'
import { absent, eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { openSession, openUserSession } from '../../../test/harness/words.ts'

/** A published publication, and somebody who may comment on it. */
const setUp = async (more: object = {}) => {
  const app = await startApp()
  const publication = await addPublication(app, undefined, { status: { 'en-US': { body: 'Done' } }, ...more })
  const { person, session_hash } = await addPerson(app)
  const under = `/v5/publications/${publication.id}/comments`
  const say = async (body: string, session = session_hash): Promise<Loose> =>
    made(await app.post(under, { body, session_hash: session }))
  const reply = async (id: string, body: string, query = ''): Promise<Loose> =>
    made(await app.post(`/v5/comments/${id}/replies${query}`, { body }))
  return { app, publication, under, person, session_hash, say, reply }
}

const addPerson = async (app: TestApp, more: object = {}) => {
  const person = made(await app.post('/persons', { first_name: 'Robin', last_name: 'Quayside', ...more }))
  return { person, session_hash: await openSession(app, person.id) }
}

const bodies = async (app: TestApp, url: string, call = {}): Promise<string[]> => {
  const { status, body, text } = await app.get(url, call)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.items.length)
  return body.items.map((item: Loose) => item.body)
}

test('a comment needs the session of a person, and counts as having commented', async () => {
  const { app, publication, under, person, session_hash } = await setUp()
  const evil = '<script>alert(1)</script>\u2028'
  const created = await app.post(`${under}?fields=sent`, { body: evil, session_hash })
  const comment = made(created) as Loose
  assert.equal(created.headers.get('x-content-type-options'), 'nosniff')
  assert.deepEqual(comment.sent, {
    ...{ id: person.id, label: 'Person', initials: null, firstname: 'Robin', nickname: null },
  })
  const { sent: _sent, ...shown } = comment
  assert.deepEqual((await app.get(`/v5/comments/${comment.id}`)).body, shown)
  assert.deepEqual(
    [shown.label, shown.body, shown.moderated, shown.status, shown.publication, shown.parent],
    ['Comment', evil, false, 'approved', { id: publication.id }, null],
  )
  assert.deepEqual(await eventsOf(app, comment.id), ['comment.created'])
  const { body: done } = await app.get(`/persons/${person.id}/interactions?label[eq]=Commented`)
  assert.deepEqual([done.total, done.items[0].publication.id], [1, publication.id])
  await eventually(async () => (await app.get(`/persons?commented[eq]=${publication.id}`)).body.total === 1)
  assert.deepEqual(faults(await app.post(under, {})), ['body', 'session_hash'])
  assert.deepEqual(faults(await app.post(under, { body: ' ', session_hash: 7, other: 1 })), [
    ...['body', 'other', 'session_hash'],
  ])
  const user = await openUserSession(app, (await addUser(app)).id)
  for (const wrong of ['no', user])
    assert.deepEqual(faults(await app.post(under, { body: 'x', session_hash: wrong })), ['session_hash'])
  const nowhere = await app.post(`/v5/publications/${absent}/comments`, { body: 'x', session_hash })
  assert.equal(nowhere.status, 404)
})

test('of somebody who is not to be tracked the comment is kept, and no interaction', async () => {
  const { app, say } = await setUp()
  const { person, session_hash } = await addPerson(app, { tracking: false })
  await say('Quietly', session_hash)
  assert.equal((await app.get(`/persons/${person.id}/interactions`)).body.total, 0)
})

test('replies stand under what they reply to, with the writer that a session tells', async () => {
  const { app, under, say, reply, session_hash, person } = await setUp()
  const first = await say('First')
  const user = await addUser(app)
  const byPerson = await reply(first.id, 'Mine', `?fields=sent,created_by&session_hash=${session_hash}`)
  assert.deepEqual([byPerson.sent.id, byPerson.created_by], [person.id, null])
  const secret = await openUserSession(app, user.id)
  const byUser = await reply(first.id, 'Ours', `?fields=sent,created_by&session_hash=${secret}`)
  assert.deepEqual([byUser.sent, byUser.created_by.id], [null, user.id])
  const deeper = await reply(byPerson.id, 'Deeper')
  assert.deepEqual([deeper.parent, deeper.publication], [{ id: byPerson.id }, first.publication])
  assert.deepEqual(await bodies(app, under), ['First'])
  assert.deepEqual(await bodies(app, `/v5/comments/${first.id}/replies`), ['Mine', 'Ours'])
  assert.deepEqual(await bodies(app, '/v5/comments?sort=created_on'), ['First', 'Mine', 'Ours', 'Deeper'])
  assert.deepEqual(await bodies(app, '/v5/comments?parent[has]=false'), ['First'])
  const { body } = await app.get(`${under}?fields=replies`)
  assert.deepEqual(body.items[0].replies, { total: 2 })
  assert.deepEqual(
    faults(await app.post(`/v5/comments/${first.id}/replies?session_hash=no`, { body: 'x' })),
    ['session_hash'],
  )
  assert.equal((await app.post(`/v5/comments/${absent}/replies`, { body: 'x' })).status, 404)
})

test('a comment that a back-office user edits is moderated; its writer may edit it, nobody else’s session', async () => {
  const { app, say, session_hash } = await setUp()
  const { id } = await say('Frist')
  const url = `/v5/comments/${id}`
  const own = await app.put(`${url}?session_hash=${session_hash}`, { body: 'First' })
  assert.deepEqual([own.body.body, own.body.moderated], ['First', false])
  assert.equal((await app.put(url, { body: 'By an application' })).body.moderated, false)
  const { session_hash: other } = await addPerson(app)
  assert.deepEqual(faults(await app.put(`${url}?session_hash=${other}`, { body: 'x' })), ['session_hash'])
  assert.deepEqual(faults(await app.call('DELETE', `${url}?session_hash=${other}`)), ['session_hash'])
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id })
  assert.equal((await app.put(url, { body: 'By an application' }, { token })).body.moderated, false)
  const edited = await app.put(`${url}?fields=updated_by`, { body: 'Mended' }, { token })
  assert.deepEqual([edited.body.moderated, edited.body.updated_by.id], [true, user.id])
  assert.equal((await app.put(`${url}?session_hash=${session_hash}`, { body: 'Again' })).body.moderated, true)
  assert.deepEqual(await bodies(app, '/v5/comments?moderated=true'), ['Again'])
  assert.deepEqual(faults(await app.put(url, { other: 1 })), ['body', 'other'])
  assert.equal((await app.put(url, { body: 'x' }, { headers: { 'if-match': '"1-x"' } })).status, 412)
  const read = await app.get(`${url}?fields=sent,replies`)
  assert.equal((await app.put(url, read.body)).headers.get('etag')?.slice(0, 3), '"5-')
  assert.deepEqual(await eventsOf(app, id), ['comment.created', ...Array(4).fill('comment.changed')])
})

test('comments wait where approval is wanted; readers see approved ones, and none that is hidden', async () => {
  const { app, under, say, reply, session_hash } = await setUp()
  await app.put(`/environments/${app.environment.id}`, { settings: { comment_approval: true } })
  await eventually(
    async () => (await app.context.tokens.environment(app.environment.id))!.settings.comment_approval,
  )
  const first = await say('First')
  assert.equal(first.status, 'pending')
  const { value: token } = await app.addToken({ scopes: ['comments'], visibility: 'published' })
  const reader = { token }
  assert.deepEqual(await bodies(app, under, reader), [])
  assert.equal((await app.get(`/v5/comments/${first.id}`, reader)).status, 404)
  assert.deepEqual(await bodies(app, '/v5/comments?status=pending'), ['First'])
  const approved = await app.post(`/v5/comments/${first.id}/approve`)
  assert.deepEqual([approved.status, approved.body.status, approved.body.moderated], [200, 'approved', false])
  await reply(first.id, 'Waiting', `?session_hash=${session_hash}`)
  const { status } = await reply(first.id, 'Of the house')
  assert.equal(status, 'approved')
  assert.deepEqual(await bodies(app, under, reader), ['First'])
  assert.deepEqual(await bodies(app, `/v5/comments/${first.id}/replies`, reader), ['Of the house'])
  assert.deepEqual((await app.get(`${under}?fields=replies`, reader)).body.items[0].replies, { total: 1 })
  await app.post(`/v5/comments/${first.id}/hide`)
  await app.post(`/v5/comments/${first.id}/hide`)
  assert.deepEqual(await bodies(app, under, reader), [])
  assert.deepEqual(await bodies(app, '/v5/comments?status[in]=hidden,pending&sort=created_on'), [
    'First',
    'Waiting',
  ])
  assert.deepEqual(await eventsOf(app, first.id), ['comment.created', 'comment.changed', 'comment.changed'])
})

test('readers see nothing under what they do not see, and streams tell them no more', async () => {
  const { app, publication, under, say } = await setUp()
  const { value: token } = await app.addToken({ scopes: ['comments'], visibility: 'published' })
  const stream = await listenTo(app, 'events=comment.created,comment.changed,comment.deleted', { token })
  const { id } = await say('Seen')
  await app.post(`/v5/comments/${id}/hide`)
  await stream.count(2)
  const [created, hidden] = stream.events.map(({ data }) => data.payload)
  assert.deepEqual([created.body, hidden], ['Seen', { id }])
  stream.close()
  await app.post(`/v5/comments/${id}/approve`)
  assert.deepEqual(await bodies(app, '/v5/comments', { token }), ['Seen'])
  await app.put(`/publications/${publication.id}`, { status: { 'en-US': { body: 'To do' } } })
  assert.deepEqual(await bodies(app, '/v5/comments', { token }), [])
  assert.equal((await app.get(`/v5/comments/${id}`, { token })).status, 404)
  assert.equal((await app.get(under, { token })).status, 404)
  assert.deepEqual(await bodies(app, under), ['Seen'])
})

test('replies to a deleted comment move up to what it replied to', async () => {
  const { app, under, say, reply, session_hash } = await setUp()
  const first = await say('First')
  const second = await reply(first.id, 'Second')
  const third = await reply(second.id, 'Third')
  assert.equal((await app.delete(`/v5/comments/${second.id}`)).status, 204)
  assert.equal((await app.get(`/v5/comments/${second.id}`)).status, 404)
  assert.deepEqual((await app.get(`/v5/comments/${third.id}`)).body.parent, { id: first.id })
  assert.equal(
    (await app.call('DELETE', `/v5/comments/${first.id}?session_hash=${session_hash}`)).status,
    204,
  )
  assert.deepEqual(await bodies(app, under), ['Third'])
  assert.equal((await app.delete(`/v5/comments/${first.id}`)).status, 404)
  assert.deepEqual(await eventsOf(app, first.id), ['comment.created', 'comment.deleted'])
})

test('comments are found by words, channel and publication, and only in their environment', async () => {
  const channel = await addChannel(await startApp(), {})
  const { app, publication, say } = await setUp()
  const radio = await addChannel(app, {})
  await app.put(`/publications/${publication.id}`, { channels: [{ id: radio.id }] })
  const { id } = await say('The storm was loud')
  await say('Calm again')
  for (const [query, expected] of [
    ['q=strom', ['The storm was loud']],
    [`channel_id=${radio.id}&q=calm`, ['Calm again']],
    [`channel_id=${channel.id}`, []],
    [`publication_id=${publication.id}&sort=created_on`, ['The storm was loud', 'Calm again']],
    [`publication_id=${absent}`, []],
  ] as const)
    assert.deepEqual(await bodies(app, `/v5/comments?${query}`), expected, query)
  assert.deepEqual(faults(await app.get('/v5/comments?status=lost&moderated=perhaps&sort=body&x=1')), [
    ...['moderated.eq', 'sort', 'status.eq', 'x'],
  ])
  const other = await startApp()
  const traceless = ({ status, body }: Loose) => [status, { ...body, dbtrace: '' }]
  for (const [method, path, body] of [
    ['GET', '/v5/comments/ID'],
    ['PUT', '/v5/comments/ID', { body: 'x' }],
    ['DELETE', '/v5/comments/ID'],
    ['GET', '/v5/comments/ID/replies'],
    ['POST', '/v5/comments/ID/replies', { body: 'x' }],
    ['POST', '/v5/comments/ID/approve'],
    ['POST', '/v5/comments/ID/hide'],
  ] as const)
    assert.deepEqual(
      traceless(await other.call(method, path.replace('ID', id), { body })),
      traceless(await other.call(method, path.replace('ID', absent), { body })),
      path,
    )
})

test('paging through comments repeats and loses none, and a repeated key makes one', async () => {
  const { app, under, say, session_hash } = await setUp()
  for (const word of 'abcdefg') await say(word)
  const seen: string[] = []
  for (let after = ''; ; ) {
    const { body } = await app.get(`${under}?limit=3&after=${after}`)
    if (body.items.length === 0) break
    seen.push(...body.items.map((item: Loose) => item.body))
    after = body.after
  }
  assert.equal(seen.join(''), 'gfedcba')
  const call = { headers: { 'idempotency-key': 'once' } }
  const twice = [1, 2].map(() => app.post(under, { body: 'Once', session_hash }, call))
  const ids = (await Promise.all(twice)).map((answer) => made(answer).id)
  assert.equal(ids[0], ids[1])
})

test('words are found by their beginnings, with accents and in any script; errors only where nothing else fits', async () => {
  const { app, under, say } = await setUp()
  for (const body of [
    'Crème brûlée',
    'Harbours at night',
    'Harboured ships',
    '海が静かだ',
    'Tel. 020-5550123',
    'Ship’s bell',
  ])
    await say(body)
  for (const [query, expected] of [
    ['creme', ['Crème brûlée']],
    ['BRULÉE creme', ['Crème brûlée']],
    ['harbour', ['Harboured ships', 'Harbours at night']],
    ['habrours', ['Harbours at night']],
    ['harbours', ['Harbours at night']],
    ['静か', ['海が静かだ']],
    ['5550123', ['Tel. 020-5550123']],
    ['ship', ['Ship’s bell', 'Harboured ships']],
    ['night nothing', []],
    ["'); drop table comments; --", []],
  ] as const)
    assert.deepEqual(await bodies(app, `${under}?q=${encodeURIComponent(query)}`), expected, query)
  assert.deepEqual(faults(await app.get(`${under}?q=%21%21`)), ['q.fz'])
})

test('what was told of deleted words is found by an index', async () => {
  const { app } = await setUp()
  await app.sql.run('set enable_seqscan = off')
  const plan = await app.sql.run<
    { 'QUERY PLAN': string }[]
  >(`explain update webhook_deliveries set record_id = null
    where environment_id = 'a' and record_id = any('{a,b}'::text[])
      and event like any (array['message.%', 'comment.%', 'asset.%'])`)
  await app.sql.run('set enable_seqscan = on')
  assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /webhook_deliveries_words/)
})
