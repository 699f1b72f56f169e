import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type ListSpec, listPage } from '../../src/database/page.ts'
import { startApp, type TestApp } from '../harness/app.ts'

type Item = { id: string; name: string }
type Listed = {
  body: { items: Item[]; total?: number; after: string; before: string }
  headers: Headers
  status: number
}

const names = (answer: Listed): string => answer.body.items.map(({ name }) => name).join('')
const faults = (answer: { status: number; body: { errors?: { path: string }[] } }): string[] => {
  assert.equal(answer.status, 400)
  return answer.body.errors!.map(({ path }) => path).sort()
}
const links = (answer: Listed): Record<string, string> =>
  Object.fromEntries(
    [...(answer.headers.get('link') ?? '').matchAll(/<https:\/\/marquee\.test([^>]+)>; rel="(\w+)"/g)].map(
      ([, address, rel]) => [rel, address],
    ),
  )

/** Channels named a, b, c … in that order of creation. */
const startWith = async (count: number): Promise<TestApp> => {
  const app = await startApp()
  const letters = Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index))
  for (const [index, name] of letters.entries())
    await sql`insert into channels (environment_id, id, name, slug, created_on)
      values (${app.environment.id}, ${`id-${name}`}, ${name}, ${name}, ${new Date(1_600_000_000_000 + index)})`.execute(
      app.context.db,
    )
  app.context.versions.bump(app.environment.id, 'content')
  return app
}

test('limit is from 1 to 1000 and 25 without one', async () => {
  const app = await startWith(3)
  assert.equal((await app.get('/channels')).body.limit, 25)
  assert.equal((await app.get('/channels?limit=1000')).body.limit, 1000)
  assert.equal(names(await app.get('/channels?limit=1')), 'c')
  for (const limit of ['0', '-1', '1001', '1.5', 'x', '', ' ', '1e9', '99999999999999999999', '0x10', '1,2'])
    assert.deepEqual(faults(await app.get(`/channels?limit=${limit}`)), ['limit'], limit)
  assert.deepEqual(faults(await app.get('/channels?limit=1&limit=2')), ['limit'])
  assert.deepEqual(faults(await app.get('/channels?limit[length]=1e9')), ['limit'])
})

test('skip, or offset, counts rows', async () => {
  const app = await startWith(4)
  assert.equal(names(await app.get('/channels?sort=name&skip=2')), 'cd')
  assert.equal(names(await app.get('/channels?sort=name&offset=3')), 'd')
  assert.equal((await app.get('/channels?offset=3')).body.skip, 3)
  assert.deepEqual(faults(await app.get('/channels?skip=-1')), ['skip'])
  assert.deepEqual(faults(await app.get('/channels?offset=2147483648')), ['offset'])
  assert.equal((await app.get('/channels?skip=2147483647')).status, 200)
})

test('a cursor of another sort is named beside other faults', async () => {
  const app = await startWith(2)
  const { after } = (await app.get('/channels?sort=name')).body
  assert.deepEqual(faults(await app.get(`/channels?sort=-name&limit=0&after=${after}`)), ['after', 'limit'])
  assert.deepEqual(faults(await app.get('/channels?limit=0&after=x')), ['after', 'limit'])
  assert.deepEqual(faults(await app.get(`/channels?sort=name&limit=0&after=${after}`)), ['limit'])
  assert.deepEqual(faults(await app.get('/channels?limit=0&after=x&after=y')), ['after', 'limit'])
})

test('everything that is wrong with a list is told at once', async () => {
  const app = await startApp()
  const path =
    '/channels?limit=0&skip=x&sort=oops,-name,-nope&fields=what&unknown=1&name[zz]=1&created_on[lt]=soon&total=maybe&after=a&before=b'
  assert.deepEqual(faults(await app.get(path)), [
    'before',
    'created_on.lt',
    'fields',
    'limit',
    'name.zz',
    'skip',
    'sort',
    'sort',
    'total',
    'unknown',
  ])
  assert.deepEqual(faults(await app.get('/channels?fields=what,created_by{nope}&unknown=1&sort=oops')), [
    'fields',
    'fields',
    'sort',
    'unknown',
  ])
  assert.deepEqual(faults(await app.get('/channels?fields=a{b&unknown=1')), ['fields', 'unknown'])
})

test('fields are held against what there is, with their braces', async () => {
  const app = await startWith(1)
  const full = await app.get('/channels?fields=streams,environment{name},created_by')
  assert.deepEqual(full.body.items[0].streams, [])
  assert.deepEqual(Object.keys(full.body.items[0].environment).sort(), ['id', 'name'])
  assert.equal(full.body.items[0].created_by, null)
  const bad = [
    'nope',
    'streams{x}',
    'environment{nope}',
    'a{b',
    'a}',
    '{a}',
    'environment{name{x{y}}}',
    '__proto__',
    'constructor',
    'toString',
    'environment{settings}',
    `${'a,'.repeat(500)}a`,
  ]
  for (const fields of bad)
    assert.ok(faults(await app.get(`/channels?fields=${fields}`)).includes('fields'), fields)
  assert.deepEqual(faults(await app.get('/channels?fields[a]=b')), ['fields'])
  assert.equal((await app.get('/channels?fields=')).status, 200)
})

test('after and before cannot be combined, and belong to their sort and filter', async () => {
  const app = await startWith(5)
  const { body } = await app.get('/channels?sort=name&limit=2')
  assert.deepEqual(faults(await app.get(`/channels?sort=name&after=${body.after}&before=${body.before}`)), [
    'before',
  ])
  for (const query of ['sort=-name', 'sort=created_on', 'sort=name,created_on', 'sort=name&name[eq]=a', ''])
    assert.deepEqual(faults(await app.get(`/channels?${query}&after=${body.after}`)), ['after'], query)
  assert.equal(names(await app.get(`/channels?sort=name&limit=9&after=${body.after}`)), 'cde')
  for (const cursor of [
    'x',
    'null',
    '[]',
    '%00',
    btoa('[]'),
    btoa('{}'),
    btoa('["x",1,2]'),
    'a'.repeat(5000),
  ])
    assert.deepEqual(faults(await app.get(`/channels?sort=name&before=${cursor}`)), ['before'], cursor)
  assert.deepEqual(faults(await app.get('/channels?after[]=x')), ['after'])
})

test('past the end there is an empty page whose cursors lead back', async () => {
  const app = await startWith(3)
  const last = await app.get('/channels?sort=name&skip=2')
  const past = await app.get(`/channels?sort=name&after=${last.body.after}`)
  assert.deepEqual([past.body.items, past.body.total], [[], 3])
  assert.equal(typeof past.body.after, 'string')
  assert.equal(
    names(await app.get(`/channels?sort=name&before=${past.body.before}`)),
    'abc',
    'none is lost on the way back',
  )
  const first = await app.get('/channels?sort=name&limit=1')
  const ahead = await app.get(`/channels?sort=name&before=${first.body.before}`)
  assert.deepEqual(ahead.body.items, [])
  assert.equal(names(await app.get(`/channels?sort=name&after=${ahead.body.after}`)), 'abc')
  const skipped = await app.get('/channels?sort=name&skip=50')
  assert.deepEqual(skipped.body.items, [])
  assert.equal(names(await app.get(links(skipped).prev!)), 'abc')
  await app.post('/channels', { name: 'zz' })
  for (const page of [past, skipped])
    assert.equal(
      names(await app.get(`/channels?sort=name&after=${page.body.after}`)),
      'zz',
      'what came since',
    )
})

test('an empty list has string cursors, no Link, and goes on when something comes', async () => {
  const app = await startApp()
  const empty = await app.get('/channels')
  assert.deepEqual(
    [empty.body.items, empty.body.total, typeof empty.body.after, typeof empty.body.before],
    [[], 0, 'string', 'string'],
  )
  assert.deepEqual(links(empty), {})
  assert.deepEqual(links(await app.get('/channels?skip=5')), {})
  await app.post('/channels', { name: 'a' })
  assert.equal(names(await app.get(`/channels?after=${empty.body.after}`)), 'a')
})

test('Link names a page only where there is one, also after rows were deleted', async () => {
  const app = await startWith(5)
  const first = await app.get('/channels?sort=name&limit=2')
  assert.deepEqual(Object.keys(links(first)), ['next'])
  const second = await app.get(links(first).next!)
  assert.equal(names(second), 'cd')
  assert.deepEqual(Object.keys(links(second)).sort(), ['next', 'prev'])
  const third = await app.get(links(second).next!)
  assert.equal(names(third), 'e')
  assert.deepEqual(Object.keys(links(third)), ['prev'])
  assert.equal(names(await app.get(links(third).prev!)), 'cd')

  await app.delete('/channels/id-a')
  await app.delete('/channels/id-b')
  const again = await app.get(links(first).next!)
  assert.equal(names(again), 'cd')
  assert.deepEqual(Object.keys(links(again)), ['next'], 'nothing is left before it')
  await app.delete('/channels/id-e')
  assert.deepEqual(links(await app.get(links(first).next!)), {}, 'nor behind it')
  assert.deepEqual(
    Object.keys(links(await app.get(links(second).next!))),
    ['prev'],
    'an empty page leads back',
  )
  await app.delete('/channels/id-c')
  await app.delete('/channels/id-d')
  assert.deepEqual(links(await app.get(links(second).next!)), {})
})

test('Link keeps the query, leaves out the token, and is built from configuration', async () => {
  const app = await startWith(3)
  const token = await app.tokenFor(['channels'])
  const page = await app.get(
    `/channels?access_token=${token}&sort=name&limit=1&name[in][]=a&name[in][]=b&fields=type`,
    {
      token: null,
      headers: { 'x-forwarded-host': 'evil.example' },
    },
  )
  const next = links(page).next!
  assert.ok(next.startsWith('/channels?'))
  assert.ok(!next.includes(token))
  const following = await app.get(next)
  assert.equal(names(following), 'b')
  assert.ok('type' in following.body.items[0]!)
})

test('the total is exact after own writes, the same for every page, and absent with total=false', async () => {
  const app = await startWith(3)
  for (let count = 3; count < 8; count += 1) {
    const totals = await Promise.all(
      ['', '?limit=1', '?skip=2', '?sort=-name', '?created_on[gt]=2001-01-01'].map((query) =>
        app.get(`/channels${query}`),
      ),
    )
    assert.deepEqual(
      totals.map(({ body }) => body.total),
      Array(5).fill(count),
    )
    assert.equal((await app.post('/channels', { name: `more ${count}` })).status, 201)
  }
  assert.equal((await app.get('/channels?name[sw]=more')).body.total, 5)
  const without = await app.get('/channels?total=false')
  assert.ok(!('total' in without.body))
  assert.equal((await app.delete('/channels/id-a')).status, 204)
  assert.equal((await app.get('/channels')).body.total, 7)
})

test('sorting by several keys, and what is not a key', async () => {
  const app = await startWith(4)
  await sql`update channels set changed_on = '2020-01-01'::timestamptz where environment_id = ${app.environment.id} and name in ('b', 'd')`.execute(
    app.context.db,
  )
  assert.equal(names(await app.get('/channels?sort=changed_on,name')), 'bdac')
  assert.equal(names(await app.get('/channels?sort=-changed_on,name')), 'bdac')
  assert.equal(names(await app.get('/channels?sort=-changed_on,-name')), 'dbca')
  assert.equal(names(await app.get('/channels?sort=name,-name')), 'abcd', 'the first word counts')
  for (const sort of [
    'nope',
    'name,',
    ',',
    '--name',
    'NAME',
    'name desc',
    'row.name',
    "name'",
    '__proto__',
    'id',
    'environment_id',
  ])
    assert.ok(faults(await app.get(`/channels?sort=${encodeURIComponent(sort)}`)).includes('sort'), sort)
})

test('a total that moves with the clock is counted anew', async () => {
  const app = await startApp()
  const { db } = app.context
  const spec: ListSpec = {
    table: 'persons',
    family: 'audience',
    filters: { exclude_until: { type: 'date', operators: ['il'] } },
    sorts: { created_on: { type: 'date' } },
    defaultSort: 'created_on',
  }
  const list = () =>
    listPage(app.context, spec, app.environment.id, {
      limit: 25,
      skip: 0,
      total: true,
      filter: { exclude_until: { il: '60' } },
    })
  await sql`insert into persons (environment_id, id, exclude_until) values (${app.environment.id}, 'p', now())`.execute(
    db,
  )
  assert.equal((await list()).total, 1)
  await sql`update persons set exclude_until = now() - interval '2 minutes' where environment_id = ${app.environment.id}`.execute(
    db,
  )
  assert.equal((await list()).total, 0)
})
