import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addInteraction, addPerson } from '../../../../test/harness/factories.ts'
import { addPublication, text } from '../../../../test/harness/publications.ts'
import { eventsOf } from '../../../../test/harness/records/kind.ts'
import { addReader, signIn, signInSettings } from '../../../../test/harness/sign-in.ts'

const published = { status: { 'en-US': { body: 'Done' } } }
const title = (body: string) => ({ 'en-US': { title: text(body) } })

const signedIn = async (app: TestApp, more: object = {}) => {
  const reader = await addReader(app, more)
  const { body } = await signIn(app, reader)
  return { ...reader, hash: body.hash as string }
}
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

test('a like is set once, told once and taken back once, by each of its ways', async () => {
  const app = await startApp(signInSettings)
  const person = await signedIn(app)
  const { id } = await addPublication(app, title('News'), published)
  const liked = async () => idsOf(await app.get(`/persons/${person.id}/likes`))
  const call = (method: string, path: string, options = {}) =>
    app.call(method, `/publications/${id}/${path}`, { scopes: ['publications', 'persons_me'], ...options })
  for (const back of [
    () => call('DELETE', `like?session_hash=${person.hash}`),
    () => call('POST', 'unlike', { body: { session_hash: person.hash } }),
  ]) {
    assert.equal((await call('POST', `like?session_hash=${person.hash}`)).status, 204)
    assert.equal((await call('POST', 'like', { body: { session_hash: person.hash } })).status, 204)
    assert.deepEqual(await liked(), [id])
    assert.deepEqual((await app.get(`/persons?liked[eq]=${id}`)).body.total, 1)
    assert.equal((await back()).status, 204)
    assert.equal((await back()).status, 204)
    assert.deepEqual(await liked(), [])
    assert.deepEqual((await app.get(`/persons?liked[eq]=${id}`)).body.total, 0)
  }
  const told = async () => (await eventsOf(app, person.id)).filter((name) => name.endsWith('liked'))
  await eventually(async () => (await told()).length >= 4)
  assert.deepEqual(await told(), ['person.liked', 'person.unliked', 'person.liked', 'person.unliked'])
})

test('a subscription is apart from a like, and both are interactions', async () => {
  const app = await startApp(signInSettings)
  const person = await signedIn(app)
  const { id } = await addPublication(app, title('News'), published)
  await app.post(`/publications/${id}/subscribe`, { session_hash: person.hash })
  await app.post(`/publications/${id}/like`, { session_hash: person.hash })
  await app.delete(`/publications/${id}/like?session_hash=${person.hash}`)
  assert.deepEqual(idsOf(await app.get(`/persons/${person.id}/subscriptions`)), [id])
  assert.deepEqual(idsOf(await app.get(`/persons/${person.id}/likes`)), [])
  const { body } = await app.get(`/persons/${person.id}/interactions`)
  assert.deepEqual(
    body.items.map(({ label, publication }: never) => [label, publication]),
    [
      ['Like', { id, label: 'Publication' }],
      ['Subscribe', { id, label: 'Publication' }],
    ],
  )
  const known = '/persons?interactions[0][has]=true&interactions[0][type]=Subscribed'
  await eventually(async () => (await app.get(known)).body.total === 1)
})

test('who is not to be tracked likes without an interaction', async () => {
  const app = await startApp(signInSettings)
  const person = await signedIn(app, { tracking: false })
  const { id } = await addPublication(app, title('News'), published)
  assert.equal((await app.post(`/publications/${id}/like`, { session_hash: person.hash })).status, 204)
  assert.deepEqual(idsOf(await app.get(`/persons/${person.id}/likes`)), [id])
  assert.equal((await app.get(`/persons/${person.id}/interactions`)).body.total, 0)
})

test('a personal token likes for its own person alone', async () => {
  const app = await startApp(signInSettings)
  const [own, other] = [await signedIn(app), await signedIn(app)]
  const { rows } = await app.context.db
    .selectFrom('persons')
    .select('key')
    .where('id', '=', own.id)
    .execute()
    .then((rows) => ({ rows }))
  const { value: token } = await app.addToken({
    kind: 'personal',
    person_key: rows[0]!.key,
    scopes: ['publications', 'persons_me'],
  } as never)
  const { id } = await addPublication(app, title('News'), published)
  assert.equal((await app.post(`/publications/${id}/like`, undefined, { token })).status, 204)
  assert.equal(
    (await app.post(`/publications/${id}/like`, { session_hash: other.hash }, { token })).status,
    400,
  )
  assert.deepEqual(idsOf(await app.get(`/persons/${own.id}/likes`)), [id])
  assert.deepEqual(idsOf(await app.get(`/persons/${other.id}/likes`)), [])
  for (const path of ['likes', 'subscriptions', 'interactions'])
    assert.equal((await app.get(`/persons/${own.id}/${path}`, { token })).status, 403, path)
})

test('what a reader can no longer see can still be let go of, and nothing else is told of it', async () => {
  const app = await startApp(signInSettings)
  const [person, other] = [await signedIn(app), await signedIn(app)]
  const { id } = await addPublication(app, title('News'), published)
  const { value: token } = await app.addToken({ scopes: ['publications', 'persons_me'] })
  const call = (path: string, hash: string) =>
    app.post(`/publications/${id}/${path}`, { session_hash: hash }, { token })
  assert.equal((await call('subscribe', person.hash)).status, 204)
  assert.equal((await call('like', person.hash)).status, 204)
  assert.equal(
    (await app.put(`/publications/${id}`, { status: { 'en-US': { body: 'Archived' } } })).status,
    200,
  )
  assert.equal((await app.get(`/publications/${id}`, { token })).status, 404)
  assert.equal((await call('subscribe', other.hash)).status, 404)
  assert.equal((await call('unsubscribe', other.hash)).status, 404)
  assert.equal((await call('unsubscribe', person.hash)).status, 204)
  assert.equal((await call('unsubscribe', person.hash)).status, 404)
  const liked = await app.delete(`/publications/${id}/like?session_hash=${person.hash}`, { token })
  assert.equal(liked.status, 204)
  for (const path of ['likes', 'subscriptions'])
    assert.equal((await app.get(`/persons/${person.id}/${path}`)).body.total, 0)
})

test('nobody likes without a session, what is not there, or what is not published to the token', async () => {
  const app = await startApp(signInSettings)
  const person = await signedIn(app)
  const foreign = await app.addEnvironment()
  const { value: foreignToken } = await app.addToken({ environment: foreign })
  const { id } = await addPublication(app, title('News'), published)
  const draft = await addPublication(app, title('Draft'))
  const like = (publication: string, hash: string | undefined, call = {}) =>
    app.call('POST', `/publications/${publication}/like${hash ? `?session_hash=${hash}` : ''}`, call)
  const faults = async (hash: string | undefined) =>
    (await like(id, hash)).body.errors.map(({ path }: { path: string }) => path)
  assert.deepEqual(await faults(undefined), ['session_hash'])
  assert.deepEqual(await faults('mqk_nothing'), ['session_hash'])
  assert.equal((await like(id, person.hash, { token: foreignToken })).status, 404)
  assert.equal((await like('absent', person.hash)).status, 404)
  const { value: published_ } = await app.addToken({ scopes: ['publications', 'persons_me'] })
  assert.equal((await like(draft.id, person.hash, { token: published_ })).status, 404)
  assert.equal((await like(id, person.hash, { scopes: ['publications'] })).status, 403)
})

test('the publications that a person likes are paged, the latest like first, and seen as the token may', async () => {
  const app = await startApp(signInSettings)
  const person = await signedIn(app)
  const made: string[] = []
  for (const name of ['One', 'Two', 'Three']) {
    const { id } = await addPublication(app, title(name), published)
    made.unshift(id)
    await app.post(`/publications/${id}/like`, { session_hash: person.hash })
  }
  const path = `/persons/${person.id}/likes`
  const first = await app.get(`${path}?limit=2&fields=title`)
  assert.deepEqual(
    first.body.items.map(({ title }: never) => title),
    [{ 'en-US': 'Three' }, { 'en-US': 'Two' }],
  )
  assert.deepEqual([first.body.total, first.body.items[0].label], [3, 'Publication'])
  const second = await app.get(`${path}?limit=2&after=${first.body.after}`)
  assert.deepEqual(idsOf(second), made.slice(2))
  assert.deepEqual(idsOf(await app.get(`${path}?sort=created_on`)), made.toReversed())
  await app.put(`/publications/${made[0]}`, { status: { 'en-US': { body: 'To do' } } })
  const { value: token } = await app.addToken({ scopes: ['persons'] })
  const seen = await app.get(path, { token })
  assert.deepEqual([idsOf(seen), seen.body.total], [made.slice(1), 2])
  assert.equal((await app.get(`${path}?colour=red`)).status, 400)
  assert.equal((await app.get('/persons/absent/likes')).status, 404)
})

test('the interactions of a person are filtered and paged without repeating or skipping one', async () => {
  const app = await startApp(signInSettings)
  const [person, other] = [await addPerson(app), await addPerson(app)]
  const moment = new Date('2026-11-01T12:00:00Z')
  for (let n = 0; n < 7; n += 1)
    await addInteraction(app, {
      person,
      created_on: n < 5 ? moment : new Date(moment.getTime() + n),
      id: `i${n}`,
      publication_id: `p${n % 2}`,
      label: n % 3 ? 'View' : 'Share',
    } as never)
  await addInteraction(app, { person: other })
  const path = `/persons/${person.id}/interactions`
  const seen: string[] = []
  for (let after = ''; ; ) {
    const page = await app.get(`${path}?limit=2${after && `&after=${after}`}`)
    if (page.body.items.length === 0) break
    assert.equal(page.body.total, 7)
    seen.push(...idsOf(page))
    after = page.body.after
  }
  assert.deepEqual(seen, ['i6', 'i5', 'i4', 'i3', 'i2', 'i1', 'i0'])
  assert.deepEqual(idsOf(await app.get(`${path}?label[eq]=Share&publication[eq]=p0&sort=created_on`)), [
    'i0',
    'i6',
  ])
  assert.deepEqual(idsOf(await app.get(`${path}?created_on[gt]=2026-11-01T12:00:00.000Z`)), ['i6', 'i5'])
  assert.equal((await app.get(`${path}?label[eq]=Pondered`)).status, 400)
  const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
  assert.equal((await app.get(path, { token })).status, 404)
})
