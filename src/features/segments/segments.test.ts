import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/harness/access.ts'
import { startApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { checkCrud } from '../../../test/harness/records/crud.ts'
import { absent, faults, type RecordKind } from '../../../test/harness/records/kind.ts'
import { checkLists } from '../../../test/harness/records/lists.ts'
import { checkPaging } from '../../../test/harness/records/paging.ts'
import { addSegment, membersOf, movesOf, settled } from '../../../test/harness/segments.ts'
import { scopes as allScopes } from '../access/scopes.ts'

const kind: RecordKind = {
  path: '/segments',
  label: 'Segment',
  table: 'segments',
  text: 'body',
  slug: false,
  read: ['persons', 'segments'],
  write: ['segments', 'segments_publish'],
  remove: ['segments', 'segments_publish'],
  whole: {
    json: { body: 'Wömen', rules: { match: 'any', items: { women: { gender: [{ eq: 'female' }] } } } },
    form: [
      ['body', 'Wömen'],
      ['rules[match]', 'any'],
      ['rules[items][women][gender][0][eq]', 'female'],
    ],
  },
  settling: ['status'],
  wrong: {
    body: { body: 1, rules: { items: { a: { size: { eq: 1 } } } }, other: 1 },
    paths: ['body', 'other', 'rules.items.a.size'],
  },
  operators: {
    created_on: ['eq', 'lt', 'lte', 'gt', 'gte', 'il'],
    changed_on: ['eq', 'lt', 'lte', 'gt', 'gte', 'il', 'has'],
    last_seen: ['eq', 'lt', 'lte', 'gt', 'gte', 'il', 'has'],
  },
}

checkCrud(kind)
checkLists(kind)
checkPaging(kind)

test('reading the list needs persons, reading one segments, changing one segments_publish too', async () => {
  const app = await startApp()
  const id = await addSegment(app, { items: {} })
  const person = await addPerson(app)
  const calls: [string, string, string[]][] = [
    ['GET', '/segments', ['persons']],
    ['POST', '/segments', ['segments']],
    ['GET', `/segments/${id}`, ['segments']],
    ['PUT', `/segments/${id}`, ['segments', 'segments_publish']],
    ['GET', `/segments/${id}/persons`, ['persons', 'segments']],
    ['GET', `/segments/${id}/persons/${person.id}`, ['persons', 'segments']],
    ['GET', `/segments/${id}/export`, ['persons', 'segments']],
    ['POST', '/segments/preview', ['persons', 'segments']],
    ['DELETE', `/segments/${id}`, ['segments', 'segments_publish']],
  ]
  for (const [method, path, needed] of calls) {
    const body =
      method === 'GET' || method === 'DELETE' ? undefined : path.endsWith('preview') ? {} : { body: 'x' }
    assert.equal((await app.call(method, path, { token: null, body })).status, 401)
    for (const missing of needed) {
      const scopes = allScopes.filter((scope) => scope !== missing)
      assert.equal(
        (await app.call(method, path, { scopes, body })).status,
        403,
        `${method} ${path} ${missing}`,
      )
    }
    const allowed = await app.call(method, path, { scopes: needed, body })
    assert.ok(allowed.status < 300, `${method} ${path} ${allowed.text}`)
  }
})

test('a segment of another environment is answered as an absent one, whatever is asked of it', async () => {
  const app = await startApp()
  const id = await addSegment(app, { items: {} })
  const stranger = await app.addToken({ environment: await app.addEnvironment() })
  const { id: person } = await addPerson(app)
  for (const path of ['', '/persons', `/persons/${person}`, '/export'])
    for (const one of [id, absent]) {
      const answer = await app.get(`/segments/${one}${path}`, { token: stranger.value })
      assert.deepEqual([answer.status, answer.body.message], [404, 'Not Found'], path)
    }
  assert.equal((await app.get(`/segments/${id}/persons/${absent}`)).status, 404)
})

test('changed rules are worked out anew, and only who comes or goes is told of', async () => {
  const app = await startApp()
  const man = await addPerson(app, { gender: 'male', date_of_birth: '1980-01-01' })
  const boy = await addPerson(app, { gender: 'male', date_of_birth: '2020-01-01' })
  const woman = await addPerson(app, { gender: 'female', date_of_birth: '1980-01-01' })
  const id = await addSegment(app, { items: { men: { gender: { eq: 'male' } } } })
  const changed = await app.put(`/segments/${id}`, { rules: { items: { old: { age: { gte: 18 } } } } })
  assert.deepEqual([changed.body.status, changed.body.rules.match], ['pending', 'all'])
  assert.equal((await settled(app, id)).total, 2)
  assert.deepEqual(await membersOf(app, id), [man.id, woman.id])
  const same = await app.put(`/segments/${id}`, { body: 'New name', rules: changed.body.rules })
  assert.deepEqual([same.body.status, same.body.body], ['ready', 'New name'])
  const moves = await movesOf(app, id)
  assert.deepEqual(
    moves.toSorted(),
    [...[man, boy, woman].map((one) => ['added', one.id]), ['removed', boy.id]].toSorted(),
  )
  assert.deepEqual(moves.at(-1), ['removed', boy.id])
})

test('the members of a deleted segment go too, without an event for each', async () => {
  const app = await startApp()
  await addPerson(app)
  const id = await addSegment(app, { items: {} })
  assert.equal((await app.delete(`/segments/${id}`)).status, 204)
  await eventually(async () => (await membersOf(app, id)).length === 0, 10_000)
  assert.equal((await movesOf(app, id)).length, 1)
})

test('a person that is deleted leaves every segment, and their totals move in the same transaction', async () => {
  const app = await startApp()
  const [first, second] = [await addPerson(app), await addPerson(app)]
  const ids = [await addSegment(app, { items: {} }), await addSegment(app, { items: {} })]
  const totals = async () => {
    const { body } = await app.get('/segments')
    return body.items.map(({ total }: { total: number }) => total)
  }
  assert.deepEqual(await totals(), [2, 2])
  await app.context.db.transaction().execute(async (tx) => {
    await sql`delete from persons where environment_id = ${app.environment.id} and key = ${first.key}`.execute(
      tx,
    )
    const { rows } =
      await sql`select total from counted_segments where environment_id = ${app.environment.id}`.execute(tx)
    assert.deepEqual(rows, [{ total: 1 }, { total: 1 }])
    assert.deepEqual(await totals(), [2, 2])
  })
  assert.deepEqual(await totals(), [1, 1])
  assert.deepEqual(await membersOf(app, ids[0]!), [second.id])
})

test('an environment has at most 1,000 segments', async () => {
  const app = await startApp()
  await sql`insert into segments (environment_id, id, body, rules, status)
    select ${app.environment.id}, n::text, 'x', '{"match": "any", "items": {}}', 'ready'
    from generate_series(1, 1000) n`.execute(app.context.db)
  assert.deepEqual(faults(await app.post('/segments', { body: 'One more' }), 409), ['body'])
})
