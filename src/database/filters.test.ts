import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startApp, type TestApp } from '../../test/harness/app.ts'
import { addPerson, addTag } from '../../test/harness/factories.ts'
import { Invalid } from '../errors.ts'
import { compileFilter, type FilterSpec } from './filters.ts'
import { listPage } from './page.ts'

const text = ['eq', 'neq', 'in', 'all', 'has', 'sw', 'fz', 'lt', 'lte', 'gt', 'gte'] as const
const spec = {
  id: { type: 'id', operators: ['eq', 'in'] },
  name: { type: 'text', column: 'first_name', operators: text, bare: 'fz' },
  surname: { type: 'text', column: 'last_name', operators: text },
  version: { type: 'integer', operators: ['eq', 'neq', 'in', 'lt', 'lte', 'gt', 'gte'] },
  exclude_until: {
    type: 'date',
    operators: ['eq', 'neq', 'in', 'all', 'has', 'lt', 'lte', 'gt', 'gte', 'il'],
  },
  kind: { type: 'text', column: 'reference_id', operators: ['eq', 'in', 'has'], values: ['one', 'two'] },
  tags: {
    type: 'id',
    column: 'tag_id',
    operators: ['eq', 'neq', 'in', 'all', 'has', 'sw', 'fz'],
    params: { id: 'id', slug: 'slug', body: 'body' },
    link: {
      table: 'person_tags',
      on: { person_key: 'key' },
      target: { table: 'tags', on: { id: 'tag_id' } },
    },
  },
} satisfies FilterSpec

const list = {
  table: 'persons',
  family: 'audience',
  filters: spec,
  sorts: { id: { type: 'text' } },
  defaultSort: 'id',
} as const

let app: TestApp
let news: string
let sport: string

const soon = new Date(Date.now() - 60_000)

before(async () => {
  app = await startApp()
  news = (await addTag(app, { body: 'News', slug: 'nieuws' })).id
  sport = (await addTag(app, { body: 'Spört', slug: 'sport' })).id
  const unused = await addTag(app, { body: 'Unused' })
  const seen = (date: string) => new Date(date)
  await addPerson(app, {
    id: 'A',
    first_name: 'Anna',
    last_name: 'Ott',
    exclude_until: seen('2020-01-01T10:00:00Z'),
    tags: [news],
  })
  await addPerson(app, {
    id: 'B',
    first_name: 'Bob',
    exclude_until: seen('2020-01-01T10:00:00.9Z'),
    version: 2,
    tags: [news, sport],
  })
  await addPerson(app, { id: 'C', first_name: null, exclude_until: null, version: 3, reference_id: 'one' })
  await addPerson(app, {
    id: 'D',
    first_name: 'anna',
    exclude_until: seen('2020-01-02T00:00:00Z'),
    version: 4,
    tags: [sport],
  })
  await addPerson(app, {
    id: 'E',
    first_name: "O'%_\\",
    exclude_until: soon,
    version: 5,
    reference_id: 'two',
  })
  const environment = await app.addEnvironment()
  const foreign = await addTag(app, { body: 'News', slug: 'nieuws', environment })
  await addPerson(app, { id: 'X', first_name: 'Anna', last_name: 'Ott', tags: [foreign.id], environment })
  assert.ok(unused)
})

const find = async (filter: Record<string, unknown>): Promise<string> => {
  const request = { limit: 100, skip: 0, total: true, filter }
  const page = await listPage<{ id: string }>(app.context, list, app.environment.id, request)
  assert.equal(page.total, page.rows.length, JSON.stringify(filter))
  return page.rows.map((row) => row.id).join('')
}

const problems = (filter: Record<string, unknown>): string[] => {
  try {
    compileFilter(spec, filter)
  } catch (error) {
    assert.ok(error instanceof Invalid)
    return error.errors!.map(({ path }) => path)
  }
  return []
}

/** Test name → filters and the ids they must find. */
const cases: Record<string, () => [Record<string, unknown>, string][]> = {
  'eq, neq and in compare exactly, and neq also finds rows without a value': () => [
    [{ name: [{ eq: 'Anna' }] }, 'A'],
    [{ name: { eq: 'Anna' } }, 'A'],
    [{ name: [{ neq: 'Anna' }] }, 'BCDE'],
    [{ name: [{ neq: 'Anna' }, { neq: 'Bob' }] }, 'CDE'],
    [{ name: [{ in: ['Anna', 'Bob', 'Nobody'] }] }, 'AB'],
    [{ name: [{ in: 'Bob,anna' }] }, 'BD'],
    [{ name: [{ in: { 3: 'Bob' } }] }, 'B'],
    [{ name: [{ all: ['Anna'] }] }, 'A'],
    [{ name: [{ all: ['Anna', 'Bob'] }] }, ''],
    [{ name: [{ eq: "O'%_\\" }] }, 'E'],
    [{ version: [{ neq: '2' }] }, 'ACDE'],
    [{ version: [{ in: [1, '3'] }] }, 'AC'],
  ],
  'has tells values from none': () => [
    [{ name: [{ has: true }] }, 'ABDE'],
    [{ name: [{ has: 'false' }] }, 'C'],
    [{ surname: [{ has: '1' }] }, 'A'],
    [{ exclude_until: [{ has: '0' }] }, 'C'],
  ],
  'sw takes every character as it is': () => [
    [{ name: [{ sw: 'An' }] }, 'A'],
    [{ name: [{ sw: "O'%" }] }, 'E'],
    [{ name: [{ sw: '%' }] }, ''],
    [{ name: [{ sw: '_' }] }, ''],
    [{ name: [{ sw: '' }] }, 'ABDE'],
  ],
  'lt, lte, gt and gte compare numbers and texts': () => [
    [{ version: [{ lt: 3 }] }, 'AB'],
    [{ version: [{ lte: '3' }] }, 'ABC'],
    [{ version: [{ gt: 3 }] }, 'DE'],
    [{ version: [{ gte: 3, lt: 5 }] }, 'CD'],
    [{ name: [{ gt: 'Bob' }] }, 'DE'],
    [{ name: [{ lte: 'Bob' }] }, 'AB'],
  ],
  'a date is as precise as it was written': () => [
    [{ exclude_until: [{ eq: '2020-01-01' }] }, 'AB'],
    [{ exclude_until: [{ eq: '2020-01-01T10:00:00Z' }] }, 'AB'],
    [{ exclude_until: [{ eq: 1577872800 }] }, 'AB'],
    [{ exclude_until: [{ eq: '1577872800' }] }, 'AB'],
    [{ exclude_until: [{ eq: '2020-01-01T10:00:00.900Z' }] }, 'B'],
    [{ exclude_until: [{ eq: '2020-01-01T12:00:00+02:00' }] }, 'AB'],
    [{ exclude_until: [{ eq: '2020-01-01T12:00:00 02:00' }] }, 'AB'],
    [{ exclude_until: [{ eq: '2020-01-01T10:00:01Z' }] }, ''],
    [{ exclude_until: [{ neq: '2020-01-01' }] }, 'CDE'],
    [{ exclude_until: [{ in: ['2020-01-02', '2020-01-01T10:00:00.900Z'] }] }, 'BD'],
    [{ exclude_until: [{ all: ['2020-01-01', '2020-01-01T10:00:00.900Z'] }] }, 'B'],
    [{ exclude_until: [{ lt: '2020-01-01T10:00:00Z' }] }, ''],
    [{ exclude_until: [{ lte: '2020-01-01T10:00:00Z' }] }, 'AB'],
    [{ exclude_until: [{ gt: '2020-01-01' }] }, 'DE'],
    [{ exclude_until: [{ gte: '2020-01-01', lte: '2020-01-01' }] }, 'AB'],
  ],
  'il finds what was in the last seconds': () => [
    [{ exclude_until: [{ il: 604_800 }] }, 'E'],
    [{ exclude_until: [{ il: '30' }] }, ''],
    [{ exclude_until: [{ il: 2_147_483_647 }] }, 'ABDE'],
  ],
  'a link is asked by id, slug or body of what it leads to': () => [
    [{ tags: [{ eq: news }] }, 'AB'],
    [{ tags: [{ eq: news, param: 'id' }] }, 'AB'],
    [{ tags: [{ eq: 'nieuws', param: 'slug' }] }, 'AB'],
    [{ tags: [{ eq: 'Spört', param: 'Body' }] }, 'BD'],
    [{ tags: [{ eq: 'spört', param: 'body' }] }, ''],
    [{ tags: [{ eq: 'nieuws' }] }, ''],
    [{ tags: [{ neq: news }] }, 'CDE'],
    [{ tags: [{ neq: 'sport', param: 'slug' }] }, 'ACE'],
    [{ tags: [{ in: [news, sport] }] }, 'ABD'],
    [{ tags: [{ in: 'nieuws,nothing', param: 'slug' }] }, 'AB'],
    [{ tags: [{ all: [news, sport] }] }, 'B'],
    [{ tags: [{ all: 'News,Spört', param: 'body' }] }, 'B'],
    [{ tags: [{ has: true }] }, 'ABD'],
    [{ tags: [{ has: false, param: 'slug' }] }, 'CE'],
    [{ tags: [{ sw: 'Sp', param: 'body' }] }, 'BD'],
    [{ tags: [{ fz: 'sprot', param: 'body' }] }, 'BD'],
    [{ tags: [{ eq: news }, { eq: sport }] }, 'B'],
  ],
  'objects, fields and operators combine with and, or gives alternatives': () => [
    [{ name: [{ neq: 'Bob' }], version: [{ lt: 4 }] }, 'AC'],
    [{ or: [{ name: { eq: 'Bob' } }, { version: { gte: 4 } }] }, 'BDE'],
    [{ or: { 0: { name: { eq: 'Bob' }, version: { eq: 1 } }, 5: { name: { has: false } } } }, 'C'],
    [{ version: { gt: 1 }, or: [{ tags: { eq: news } }, { tags: { eq: sport } }] }, 'BD'],
    [{ or: [{ or: [{ name: { eq: 'Bob' } }, { name: { eq: 'anna' } }] }, { version: { eq: 5 } }] }, 'BDE'],
    [{ kind: { in: 'one,two' } }, 'CE'],
    [{}, 'ABCDE'],
  ],
}

for (const [name, made] of Object.entries(cases))
  test(name, async () => {
    for (const [filter, expected] of made())
      assert.equal(await find(filter), expected, JSON.stringify(filter))
  })

test('ranked and unranked alternatives can be mixed, and rows without the text are found too', async () => {
  const found = await find({
    or: [{ name: { fz: 'bob' } }, { version: { eq: 3 } }, { tags: { fz: 'news', param: 'body' } }],
  })
  assert.equal(found, 'BCA')
})

test('every fault is named by the path it was sent under', () => {
  const filter = {
    nonsense: { eq: 1 },
    name: [{ eq: 'fine' }, { like: 'x' }, { eq: { a: 1 } }],
    surname: 'bare',
    version: [{ eq: 'three' }, { lt: '1.5' }, { in: [1, 'x', 2_147_483_648] }],
    exclude_until: { eq: '2020-02-30', lt: 'yesterday', il: 'week', has: 'maybe', gt: '99999-01-01' },
    kind: { eq: 'three' },
    tags: [{ eq: 'x', param: 'name' }, { param: 'slug' }, {}, { in: [] }],
    id: { eq: 'x'.repeat(201) },
    or: [{ name: { no: 1 } }],
  }
  assert.deepEqual(problems(filter), [
    'nonsense',
    'name.1.like',
    'name.2.eq',
    'surname',
    'version.0.eq',
    'version.1.lt',
    'version.2.in.1',
    'version.2.in.2',
    'exclude_until.eq',
    'exclude_until.lt',
    'exclude_until.il',
    'exclude_until.has',
    'exclude_until.gt',
    'kind.eq',
    'tags.0.param',
    'tags.1',
    'tags.2',
    'tags.3.in',
    'id.eq',
    'or.0.name.no',
  ])
})

test('names of JavaScript itself are no filters, operators or params', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    assert.deepEqual(problems(JSON.parse(`{"${name}": {"eq": 1}}`)), [name])
    assert.deepEqual(problems({ name: JSON.parse(`{"${name}": 1}`) }), [`name.${name}`])
    assert.deepEqual(problems({ tags: { eq: 'x', param: name } }), ['tags.param'])
  }
})

test('or takes only a list of objects, and conditions are counted', () => {
  for (const or of ['x', [], ['x'], { name: { eq: 'x' } }, [['x']]])
    assert.deepEqual(problems({ or }), ['or'])
  const many = (count: number) => ({ name: Array.from({ length: count }, () => ({ eq: 'x' })) })
  assert.deepEqual(problems(many(200)), [])
  assert.deepEqual(problems(many(250)), ['name.200.eq'])
  assert.deepEqual(problems({ name: { in: Array(1001).fill('x') } }), ['name.in'])
})

test('what is asked for never becomes SQL', async () => {
  for (const nasty of [
    "'; drop table persons; --",
    "' or '1'='1",
    '$1',
    '%',
    '\\',
    '"',
    "fold('')",
    '{a,b}',
  ]) {
    for (const operator of ['eq', 'sw', 'gt']) await find({ name: { [operator]: nasty } })
    await find({ name: { in: [nasty, nasty] }, tags: { eq: nasty, param: 'body' } })
    if (/[a-z]/.test(nasty)) await find({ name: { fz: nasty } })
  }
  assert.equal(await find({}), 'ABCDE')
})
