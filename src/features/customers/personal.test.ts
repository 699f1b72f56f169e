import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addPublication, text } from '../../../test/harness/publications.ts'
import {
  addReader,
  fromSomewhere,
  personalToken,
  signInSettings as settings,
  signIn,
} from '../../../test/harness/sign-in.ts'
import { transaction } from '../../database/transaction.ts'
import { buildApp } from '../../http/app.ts'
import { holds, personalScopes } from '../access/scopes.ts'
import { signOutPerson } from '../persons/sessions.ts'

/** Where a personal token may be used; each acts for its own person, or shows what is published. */
const reach = new Set([
  'GET /publications',
  'GET /publications/{id}',
  'GET /v5/publications',
  'GET /v5/publications/{id}',
  'PUT /v5/publications/{id}/notification',
  'POST /publications/{id}/interactions',
  'POST /publications/{id}/like',
  'DELETE /publications/{id}/like',
  'POST /publications/{id}/unlike',
  'POST /publications/{id}/subscribe',
  'DELETE /publications/{id}/subscribe',
  'POST /publications/{id}/unsubscribe',
  'GET /recommendations/{id}/predict',
  'POST /recommendations/{id}/predict',
  'GET /v5/persons/session',
])

const routesOf = async ({ context }: TestApp) => {
  const built = await buildApp(context)
  await built.close()
  return built.routeTable.map(({ method, path, generation, config }) => {
    const url = `${generation === 'v5' ? '/v5' : ''}${path}`
    return { method, url, name: `${method} ${url}`, config }
  })
}

test('a personal token reaches publications, recommendations and its own person, and every other route refuses it', async () => {
  const app = await startApp(settings)
  const token = await personalToken(app, await addReader(app))
  const routes = (await routesOf(app)).filter(({ config }) => config.access !== 'public')
  const taken = routes.filter(({ config }) => config.personal)
  assert.deepEqual(
    taken.filter(({ name }) => !reach.has(name)).map(({ name }) => name),
    [],
  )
  const held = new Set<string>(personalScopes)
  for (const { name, config } of taken)
    assert.ok(
      config.scopes!.every((scope) => holds(held, scope)),
      name,
    )
  const others = routes.filter(({ config }) => !config.personal)
  assert.ok(others.length > 100)
  for (const { method, url, name } of others) {
    const answer = await app.call(method, url.replace(/\{\w+\}/g, 'x'), { token })
    assert.equal(answer.status, 403, name)
    if (method !== 'HEAD') assert.equal(answer.body.type, 'InsufficientScope', name)
  }
})

test('a personal token sees what is published, and nothing of persons beside its own', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const token = await personalToken(app, reader)
  const shown = await addPublication(
    app,
    { 'en-US': { title: text('Shown') } },
    { status: { 'en-US': { body: 'Done' } } },
  )
  const author = { label: 'Person', items: [{ id: (await addReader(app, { first_name: 'Hidden' })).id }] }
  const hidden = await addPublication(app, { 'en-US': { title: text('Hidden') } })
  const signed = await addPublication(
    app,
    { 'en-US': { title: text('Signed'), author } },
    { status: { 'en-US': { body: 'Done' } } },
  )
  const list = await app.get('/publications', { token })
  assert.equal(list.status, 200, list.text)
  assert.deepEqual(list.body.items.map(({ id }: { id: string }) => id).sort(), [shown.id, signed.id].sort())
  assert.equal((await app.get(`/publications/${hidden.id}`, { token })).status, 404)
  assert.equal((await app.get(`/publications/${hidden.id}?draft=true`, { token })).status, 403)
  const whole = await app.get(
    `/publications/${signed.id}?fields=items{author{first_name}},internal_comments`,
    { token },
  )
  assert.equal(whole.status, 200, whole.text)
  assert.ok(!whole.text.includes('Hidden'))
  const own = await app.get('/v5/persons/session?fields=email', { token })
  assert.deepEqual([own.body.id, own.body.email.items[0].email], [reader.id, reader.email])
  const other = await signIn(app, await addReader(app))
  assert.equal((await app.get(`/v5/persons/session?session_hash=${other.body.hash}`, { token })).status, 404)
  const mine = await signIn(app, reader)
  assert.equal(
    (await app.get(`/v5/persons/session?session_hash=${mine.body.hash}`, { token })).body.id,
    reader.id,
  )
})

test('a personal token signs nobody in, and out only its own person', async () => {
  const app = await startApp(settings)
  const [reader, other] = [await addReader(app), await addReader(app)]
  const token = await personalToken(app, reader)
  assert.equal((await signIn(app, other, {}, { token, headers: fromSomewhere() })).status, 403)
  const [mine, theirs] = [await signIn(app, reader), await signIn(app, other)]
  assert.equal((await app.get(`/sessions/${mine.body.id}`, { token })).status, 403)
  assert.equal((await app.delete(`/sessions/${theirs.body.id}`, { token })).status, 404)
  assert.equal((await app.delete(`/sessions/${mine.body.id}`, { token })).status, 204)
})

test('interactions by a personal token are those of its own person', async () => {
  const app = await startApp(settings)
  const [reader, other] = [await addReader(app), await addReader(app)]
  const token = await personalToken(app, reader)
  const done = { status: { 'en-US': { body: 'Done' } } }
  const { id } = await addPublication(app, { 'en-US': { title: text('Liked') } }, done)
  const post = (body: object) => app.post(`/publications/${id}/interactions`, body, { token })
  assert.equal((await post({ label: 'View' })).status, 202)
  assert.equal((await post({ label: 'View', person: { id: reader.id } })).status, 202)
  assert.ok((await post({ label: 'View', person: { id: other.id } })).status >= 400)
  assert.ok((await post({ label: 'View', person: { id: 'x', reference_id: 'new' } })).status >= 400)
  const { rows } = await sql<{ id: string; count: number }>`select person.id, count(*)::int from interactions
    join persons person on person.environment_id = interactions.environment_id and key = person_key
    where publication_id = ${id} group by person.id`.execute(app.context.db)
  assert.deepEqual(rows, [{ id: reader.id, count: 2 }])
})

test('a personal token stops when it is revoked, with a new password, and with its person', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const works = async (token: string) => (await app.get('/publications', { token })).status === 200
  const [first, second, third] = [
    await personalToken(app, reader),
    await personalToken(app, reader),
    await personalToken(app, reader),
  ]
  const { body } = await app.get('/tokens?kind[eq]=personal&sort=created_on')
  assert.equal(body.total, 3)
  assert.ok(!JSON.stringify(body).includes(reader.id), 'whose it is, is not told')
  await app.delete(`/tokens/${body.items[0].id}`)
  assert.deepEqual([await works(first), await works(second)], [false, true])
  await app.put(`/persons/${reader.id}`, { password: 'another password' })
  assert.deepEqual([await works(second), await works(third)], [false, false])
  const fourth = await personalToken(app, reader)
  const { key } = await app.context.db
    .selectFrom('persons')
    .select('key')
    .where('id', '=', reader.id)
    .executeTakeFirstOrThrow()
  await transaction(app.context, (tx) => signOutPerson(tx, app.environment.id, key))
  assert.equal(await works(fourth), false, 'at once')
  const fifth = await personalToken(app, reader)
  assert.equal((await app.put(`/persons/${reader.id}/anonymize`)).status, 200)
  assert.equal(await works(fifth), false)
  for (const generation of ['', '/v5']) {
    const other = await addReader(app)
    const token = await personalToken(app, other)
    assert.equal((await app.delete(`${generation}/persons/${other.id}`)).status, 204)
    assert.equal(await works(token), false, 'gone with its person, at once')
  }
})

test('signing in by a link leaves nothing personal in the audit log', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app)
  const token = await personalToken(app, reader)
  const rows = await eventually(async () => {
    const { rows } = await sql<{ event: string }>`select event, record_id, snapshot, performed_by from events
      where environment_id = ${app.environment.id} and event not like 'person.%' order by sequence`.execute(
      app.context.db,
    )
    return rows.at(-1)?.event === 'token.created' && rows.length > 2 ? rows : undefined
  }, 20_000)
  const told = JSON.stringify(rows)
  assert.match(told, /sign_in_request\.created.*token\.created/)
  for (const trace of [reader.id, reader.email, 'Robin', token, '198.18.'])
    assert.ok(!told.includes(trace), trace)
})
