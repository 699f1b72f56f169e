import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { found, holdAll, type Library, lettersOf, startLibrary } from '../../../test/harness/library.ts'
import { inTurns, type Loose, readerToken, readPublication } from '../../../test/harness/publications.ts'
import { faults } from '../../../test/harness/records/kind.ts'

let library: Library
before(async () => {
  library = await startLibrary()
})

const sorts: [string, string][] = [
  ['sort=created_on', 'ABCDE'],
  ['sort=-created_on', 'EDCBA'],
  ['sort=changed_on,created_on', 'DBACE'],
  ['sort=-changed_on,-created_on', 'BDECA'],
  ['sort=publish_on,created_on', 'ABCDE'],
  ['sort=-publish_on,created_on', 'BACED'],
  ['sort=published_on,-created_on', 'ABDEC'],
  ['locale=nl-NL&sort=publish_on', 'BCE'],
  ['locale=nl-NL&sort=-publish_on', 'CBE'],
  ['locale=nl-NL&sort=-created_on', 'ECB'],
]

test('sorts go both ways with nulls last, publish_on by the locale or by the default one', async () => {
  for (const [sort, letters] of sorts) assert.equal(await found(library, sort), letters, sort)
  assert.equal(await found(library, ''), 'EDCBA')
})

const narrowed = ['status[eq]=Done', 'q=run', 'or[0][tags][has]=true&or[1][status][eq]=Review']

/** Page after page by cursor; every page is told how many there are, and the last has no next one. */
const walk = async (where: string, limit: number, expected: string) => {
  const { app } = library
  const pages: Loose[] = []
  for (let after = ''; pages.length < 10; after = pages.at(-1).after) {
    const { body, headers } = await app.get(
      `/publications?${where}&limit=${limit}${after && `&after=${after}`}`,
    )
    if (body.items.length === 0) break
    pages.push(body)
    assert.equal(body.total, expected.length)
    const isLast = pages.flatMap(({ items }) => items).length === expected.length
    assert.equal(/rel="next"/.test(headers.get('link') ?? ''), !isLast, where)
  }
  return pages
}

test('cursors and Link walk every page under every sort and filter, forwards and back', async () => {
  const { app } = library
  const ways = sorts.flatMap(([sort], index) => [sort, `${sort}&${narrowed[index % narrowed.length]}`])
  await inTurns(ways, async (where) => {
    const expected = await found(library, where)
    const pages = await walk(where, 2, expected)
    const letters = pages.map(({ items }) => lettersOf(library, items))
    assert.equal(letters.join(''), expected, where)
    if (pages.length === 0) return
    const back = await app.get(`/publications?${where}&limit=100&before=${pages.at(-1).before}`)
    assert.equal(lettersOf(library, back.body.items), letters.slice(0, -1).join(''), where)
  })
  const { body } = await app.get('/publications?limit=2&sort=created_on')
  for (const other of ['sort=-created_on', 'sort=created_on&tags[has]=true', 'sort=created_on&locale=nl-NL'])
    assert.deepEqual(
      faults(await app.get(`/publications?limit=2&${other}&after=${body.after}`)),
      ['after'],
      other,
    )
  assert.equal((await app.get('/publications?sort=created_on&skip=3')).body.items.length, 2)
  assert.equal((await app.get('/publications?total=false')).body.total, undefined)
})

test('items of a list have the fields that the specification names, and expansions as a single read has', async () => {
  const { app, all } = library
  const { body } = await app.get('/publications?sort=created_on')
  assert.equal(Object.keys(body).toSorted().join(), 'after,before,items,limit,skip,total')
  for (const item of body.items) {
    assert.equal(Object.keys(item).join(), 'id,created_on,changed_on,label,slug,publish_on,status')
    const {
      expire_on: _expire,
      locales: _locales,
      ...single
    } = (await app.get(`/publications/${item.id}`)).body
    assert.deepEqual(item, single)
  }
  const fields =
    'items,title,model,locales,environment,created_by,updated_by,assigned_to,published,insights,channels,containers,internal_comments,expire_on'
  for (const query of ['', '&locale=nl-NL', '&fallback=true', '&locale=nl-NL&fallback=true']) {
    const whole = await app.get(`/publications?fields=${fields}${query}`)
    assert.equal(whole.status, 200, whole.text)
    for (const item of whole.body.items)
      assert.deepEqual(item, await readPublication(app, item.id, `fields=${fields}${query}`))
  }
  const dutch = await app.get(`/publications?locale=nl-NL&id[eq]=${all.B.id}`)
  assert.deepEqual(Object.keys(dutch.body.items[0].slug), ['nl-NL'])
})

test('who sees only what is published finds nothing else, by no filter', async () => {
  const { app } = library
  const token = await readerToken(app)
  const cases = [
    ['', 'ABC'],
    ['locale=nl-NL', 'C'],
    ['status[eq]=Review', ''],
    ['status[eq]=To do', ''],
    ['published[eq]=false', ''],
    ['tags[eq]=<T1>', 'A'],
    ['title=hardlopen', ''],
    ['q=chairs', ''],
    ['assigned_to[eq]=<U0>', 'A'],
    ['publish_on[gt]=2026-02-15', 'C'],
    ['locale=nl-NL&slug[sw]=h', ''],
    ['model[eq]=<M>&items.nl-NL.price[gte]=1', ''],
    ['model[eq]=<M>&items.en-US.price[gte]=1', 'AB'],
    ['or[0][title]=hardlopen&or[1][id][eq]=<A>', 'A'],
    ['model[eq]=<N>', ''],
  ] as const
  await holdAll(library, cases, { token })
  const { items } = (await app.get('/publications?fields=items,title', { token })).body
  assert.ok(items.every((item: Loose) => Object.keys(item.items).join() === Object.keys(item.title).join()))
  assert.ok(!JSON.stringify(items).includes('Hardlopen'))
})

test('another environment finds nothing of ours, by no id', async () => {
  const { app } = library
  const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
  const queries = ['', 'id[in]=<A>,<B>', 'model[in]=<M>,<N>', 'channels[in]=<C0>,<C1>', 'tags[in]=<T0>,<T1>']
  const more = [
    'containers[eq]=<K>',
    'created_by[eq]=<U1>',
    'assigned_to[eq]=<U0>',
    'locales[eq]=en-US',
    'q=music',
  ]
  const named = ['channels[0][eq]=one&channels[0][param]=slug', 'tags[0][eq]=red tag&tags[0][param]=body']
  const byField = ['model[eq]=<M>&items.en-US.price[gt]=0', 'tags[has]=false', 'locale=en-US&slug[sw]=r']
  await holdAll(
    library,
    [...queries, ...more, ...named, ...byField].map((query) => [query, ''] as const),
    { token },
  )
  for (const missing of ['channels', 'publications_publish'])
    assert.equal((await app.get('/publications', { scopes: [missing] })).status, 403)
})
