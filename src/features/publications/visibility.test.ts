import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import {
  addAsset,
  addChannel,
  addContainer,
  addModel,
  addPerson,
  addTag,
} from '../../../test/harness/factories.ts'
import {
  addPublication,
  bodyOf,
  changePublication,
  readerToken,
  readPublication,
  text,
} from '../../../test/harness/publications.ts'
import { absent, faults } from '../../../test/harness/records/kind.ts'
import { scopes as allScopes, type Scope } from '../access/scopes.ts'

const [en, nl] = ['en-US', 'nl-NL'] as const
const both = { [en]: { title: text('A') }, [nl]: { title: text('B') } }
const done = { body: 'Done' }

/** Status, headers that tell, and body without the trace. */
const answerOf = async (app: TestApp, method: string, path: string, token: string, body?: object) => {
  const { status, text: raw, headers } = await app.call(method, path, { token, body })
  const told = raw.replace(/"dbtrace":"\w+"/, '')
  return { status, told, etag: headers.get('etag'), type: headers.get('content-type'), length: raw.length }
}

test('a token that sees what is published sees the published locales alone, in everything it reads', async () => {
  const app = await startApp()
  const token = await readerToken(app)
  const user = await addUser(app)
  const { id } = await addPublication(app, both, {
    status: { [en]: done, [nl]: { body: 'Review' } },
    publish_on: { [nl]: 1 },
    assigned_to: { [en]: { id: user.id }, [nl]: { id: user.id } },
  })
  await app.post(`/publications/${id}/internal_comments`, { body: 'Secret' })
  const fields = 'items,title,locales,status,assigned_to,published,internal_comments,expire_on'
  const body = await readPublication(app, id, `fields=${fields}`, { token })
  for (const name of [
    'items',
    'title',
    'status',
    'assigned_to',
    'published',
    'slug',
    'publish_on',
    'expire_on',
  ])
    assert.deepEqual(Object.keys(body[name]), [en], name)
  assert.deepEqual([body.locales, body.internal_comments.items, body.internal_comments.total], [[en], [], 0])
  assert.equal(body.assigned_to[en].email, undefined)
  assert.ok(!JSON.stringify(body).includes(nl))
  const hidden = await answerOf(app, 'GET', `/publications/${id}?locale=nl-NL`, token)
  assert.deepEqual(hidden, await answerOf(app, 'GET', `/publications/${absent}?locale=nl-NL`, token))
})

test('what is not published is answered as an absent id', async () => {
  const app = await startApp()
  const token = await readerToken(app)
  const hidden: object[] = [
    {},
    { status: { [en]: { body: 'Review' } } },
    { status: { [en]: done }, publish_on: { [en]: '2099-01-01' } },
    { status: { [en]: done }, expire_on: { [en]: 1_000_000_000 } },
    { status: { [nl]: done } },
  ]
  const expected = await answerOf(app, 'GET', `/publications/${absent}`, token)
  assert.equal(expected.status, 404)
  for (const more of hidden) {
    const { id } = await addPublication(app, { [en]: { title: text('A') } }, more)
    for (const query of ['', '?fields=items', '?fallback=true'])
      assert.deepEqual(await answerOf(app, 'GET', `/publications/${id}${query}`, token), expected)
  }
  const shown: object[] = [
    { status: { [en]: done } },
    { status: { [en]: done }, publish_on: { [en]: 1 }, expire_on: { [en]: '2099-01-01' } },
  ]
  for (const more of shown) {
    const { id } = await addPublication(app, { [en]: { title: text('A') } }, more)
    assert.equal((await answerOf(app, 'GET', `/publications/${id}`, token)).status, 200)
    await changePublication(app, id, { status: { [en]: { body: 'Archived' } } })
    assert.deepEqual(await answerOf(app, 'GET', `/publications/${id}`, token), expected)
  }
})

test('the default locale stands in for readers only where it is published', async () => {
  const app = await startApp()
  const token = await readerToken(app)
  const items = { [en]: { title: text('A'), lead: text('Secret') }, [nl]: { title: text('B') } }
  const { id } = await addPublication(app, items, { status: { [nl]: done } })
  const seen = async () =>
    Object.keys(
      (await readPublication(app, id, 'fields=items&locale=nl-NL&fallback=true', { token })).items[nl],
    )
  assert.deepEqual(await seen(), ['title'])
  await changePublication(app, id, { status: { [en]: done } })
  assert.deepEqual((await seen()).toSorted(), ['lead', 'title'])
})

test('references lead readers only to what is published, and only to its published locales', async () => {
  const app = await startApp()
  const token = await readerToken(app)
  const open = await addPublication(app, both, { status: { [en]: done } })
  const closed = await addPublication(app, both)
  const more = { label: 'Publication', items: [{ id: closed.id }, { id: open.id }] }
  const box = { label: 'ElementBox', items: [more] }
  const { id } = await addPublication(app, { [en]: { more, box } }, { status: { [en]: done } })
  for (const fields of ['items', 'items{more{title,items,status,published,slug},box}']) {
    const { items } = await readPublication(app, id, `fields=${fields}`, { token })
    const { more: targets, box: elements } = items[en]
    assert.deepEqual(
      Object.values(targets.items).map((item) => (item as { id: string }).id),
      [open.id],
    )
    assert.deepEqual(Object.keys(elements.items[0].items), ['0'])
    assert.ok(!JSON.stringify(items).includes(closed.id))
    assert.ok(!JSON.stringify(items).includes(nl))
  }
  const whole = await readPublication(app, id)
  assert.equal(Object.keys(whole.items[en].more.items).length, 2)
})

test('whoever sees only what is published changes and deletes nothing else', async () => {
  const app = await startApp()
  const { value: token } = await app.addToken({ visibility: 'published' })
  const { id } = await addPublication(app)
  const paths = (one: string): [string, string, object?][] => [
    ['PUT', `/publications/${one}`, { status: { [en]: done } }],
    ['PUT', `/publications/${one}`, { status: { [en]: { body: 'No such' } } }],
    ['DELETE', `/publications/${one}`],
  ]
  for (const [index, [method, path, body]] of paths(id).entries()) {
    const expected = await answerOf(app, method, paths(absent)[index]![1], token, body)
    assert.equal(expected.status, 404)
    assert.deepEqual(await answerOf(app, method, path, token, body), expected, `${method} ${path}`)
  }
  await changePublication(app, id, { status: { [en]: done } })
  assert.equal((await app.put(`/publications/${id}`, { slug: { [en]: 'mine' } }, { token })).status, 200)
  const notes = `/publications/${id}/internal_comments`
  assert.equal((await app.get(notes, { token })).status, 403)
  assert.equal((await app.post(notes, { body: 'x' }, { token })).status, 403)
})

test('each call needs its scopes, all of them and no others', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const one = `/publications/${id}`
  const read: Scope[] = ['publications']
  const write: Scope[] = ['publications', 'publications_publish']
  const note = (await app.post(`${one}/internal_comments`, { body: 'x' })).body.id
  const calls: [string, string, Scope[], number, object?][] = [
    ['GET', one, read, 404],
    ['POST', '/publications', write, 201, bodyOf({ [en]: { title: text('x') } })],
    ['PUT', one, write, 200, { slug: { [en]: 'by-put' } }],
    ['GET', `${one}/internal_comments`, write, 200],
    ['POST', `${one}/internal_comments`, write, 201, { body: 'x' }],
    ['PUT', `${one}/internal_comments/${note}`, write, 200, { body: 'y' }],
    ['DELETE', `${one}/internal_comments/${note}`, write, 204],
    ['DELETE', one, ['publications', 'publications_delete'], 204],
  ]
  for (const [method, path, needed, success, body] of calls) {
    assert.equal((await app.call(method, path, { token: null, body })).status, 401)
    for (const missing of needed) {
      const scopes = allScopes.filter((scope) => scope !== missing)
      const refused = await app.call(method, path, { scopes, body })
      assert.deepEqual(
        [refused.status, refused.body.type],
        [403, 'InsufficientScope'],
        `${method} ${missing}`,
      )
    }
    const allowed = await app.call(method, path, { scopes: needed, body })
    assert.equal(allowed.status, success, `${method} ${path} ${allowed.text}`)
  }
})

test('ids of another environment are absent in paths and refused in bodies by the path of each', async () => {
  const app = await startApp()
  const environment = await app.addEnvironment()
  const { value: token } = await app.addToken({ environment })
  const { id } = await addPublication(app)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { slug: { [en]: 'taken-over' } } : undefined
    const expected = await answerOf(app, method, `/publications/${absent}`, token, body)
    assert.equal(expected.status, 404)
    assert.deepEqual(await answerOf(app, method, `/publications/${id}`, token, body), expected)
  }
  const other = { organisation: (await startApp()).organisation }
  const ids = {
    model: (await addModel(app, { environment })).id,
    channel: (await addChannel(app, { environment })).id,
    container: (await addContainer(app, { environment })).id,
    user: (await addUser(app, 'editor', other.organisation)).id,
    publication: (await addPublication(app, undefined, {}, { token })).id,
    asset: (await addAsset(app, { environment })).id,
    person: (await addPerson(app, { environment })).id,
    tag: (await addTag(app, { environment })).id,
    status: (await app.get('/statuses', { token })).body.items[0].id,
  }
  const refer = (label: string, target: string) => ({ label, items: [{ id: target }] })
  const bodyWith = (named: typeof ids) => ({
    ...bodyOf({
      [en]: {
        more: refer('Publication', named.publication),
        cover: refer('Asset', named.asset),
        author: refer('Person', named.person),
        tags: refer('TagBox', named.tag),
        untyped: { items: [{ id: named.asset }] },
        box: { label: 'ElementBox', items: [refer('Publication', named.publication)] },
      },
    }),
    channels: [{ id: named.channel }],
    containers: [{ id: named.container }],
    assigned_to: { [nl]: { id: named.user } },
    status: { [en]: { id: named.status } },
  })
  const nobody = Object.fromEntries(Object.keys(ids).map((name) => [name, absent])) as typeof ids
  const messages = async (named: typeof ids) => {
    const answer = await app.post('/publications', bodyWith(named))
    assert.deepEqual(faults(answer), [
      'assigned_to.nl-NL.id',
      'channels.0.id',
      'containers.0.id',
      ...['author', 'box.items.0', 'cover', 'more', 'tags', 'untyped'].map(
        (path) => `items.en-US.${path}.items.0.id`,
      ),
      'status.en-US.id',
    ])
    return answer.body.errors
  }
  assert.deepEqual(await messages(ids), await messages(nobody))
  const byModel = await app.post('/publications', bodyOf({ [en]: {} }, { model: { id: ids.model } }))
  assert.deepEqual(faults(byModel), ['model.id'])
})

test('references that a read left out survive its being sent back', async () => {
  const app = await startApp()
  const shown = await addPublication(app, undefined, { status: { [en]: done } })
  const hidden = await addPublication(app)
  const gone = await addPublication(app)
  const rel = { label: 'Publication', items: [hidden, shown, gone].map(({ id }) => ({ id })) }
  const { id } = await addPublication(
    app,
    { [en]: { title: text('Holder'), rel } },
    { status: { [en]: done } },
  )
  await app.delete(`/publications/${gone.id}`)
  const { value: token } = await app.addToken({ visibility: 'published' })
  for (const by of [{ token }, {}]) {
    const read = await app.get(`/publications/${id}?fields=items`, by)
    const back = await app.put(`/publications/${id}?fields=items`, read.body, by)
    assert.deepEqual([back.status, back.headers.get('etag')], [200, read.headers.get('etag')])
  }
  await app.post(`/publications/${gone.id}/restore`)
  const { body } = await app.get(`/publications/${id}?fields=items`)
  const ids = Object.values(body.items[en].rel.items as Record<string, { id: string }>).map((item) => item.id)
  assert.deepEqual(ids, [hidden.id, shown.id, gone.id])
})
