import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { operatorNames } from '../../../src/database/operators.ts'
import type { TestApp } from '../app.ts'
import { faults, generations, made, type RecordKind, sample, startEmpty } from './kind.ts'

type Stamped = { letter: string; text: string; created_on: string; changed_on: string | null }
const rows: Stamped[] = [
  { letter: 'A', text: 'Website', created_on: '2020-01-01T10:00:00.000Z', changed_on: null },
  {
    letter: 'B',
    text: 'Web radio',
    created_on: '2020-01-01T10:00:00.900Z',
    changed_on: '2020-02-01T00:00:00Z',
  },
  { letter: 'C', text: 'Zürich', created_on: '2020-01-01T23:59:59.999Z', changed_on: '2020-02-01T12:00:00Z' },
  { letter: 'D', text: 'Sport', created_on: '2020-01-02T00:00:00.000Z', changed_on: '2020-02-02T00:00:00Z' },
]

/** Four records that each filter tells apart, and the first of them once more in another environment. */
const startWithRows = async (kind: RecordKind): Promise<{ app: TestApp; ids: Record<string, string> }> => {
  const app = await startEmpty(kind)
  const ids: Record<string, string> = {}
  for (const { letter, text, created_on, changed_on } of rows) {
    const { id } = made(await app.post(kind.path, sample(kind, text)))
    ids[letter] = id
    await sql`update ${sql.table(kind.table)}
      set created_on = ${created_on}::text::timestamptz, changed_on = ${changed_on}::text::timestamptz
      where environment_id = ${app.environment.id} and id = ${id}`.execute(app.context.db)
  }
  const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
  made(await app.post(kind.path, sample(kind, 'Website'), { token }))
  return { app, ids }
}

const epoch = Date.parse('2020-01-01T10:00:00Z') / 1000

/** Query → the letters it must find. */
const expectations = (text: string, ids: Record<string, string>): [string, string][] => [
  ['', 'ABCD'],
  [`id[eq]=${ids.B}`, 'B'],
  [`id[in]=${ids.A},${ids.D}`, 'AD'],
  [`id[0][in][0]=${ids.A}&id[0][in][1]=${ids.C}`, 'AC'],
  [`${text}[eq]=Website`, 'A'],
  [`${text}[eq]=website`, ''],
  [`${text}[0][eq]=Sport`, 'D'],
  [`${text}[in]=Website,Sport,Nothing`, 'AD'],
  [`${text}[0][in][]=Website&${text}[0][in][]=Zürich`, 'AC'],
  [`${text}[sw]=Web`, 'AB'],
  [`${text}[sw]=web`, ''],
  [`${text}[sw]=%25`, ''],
  [`${text}[fz]=wesbite`, 'A'],
  [`${text}[fz]=ZURICH`, 'C'],
  [`${text}[fz]=radio`, 'B'],
  [`${text}[fz]=xylophone`, ''],
  ['q=sport', 'D'],
  ['q[fz]=zürich', 'C'],
  ['created_on[eq]=2020-01-01', 'ABC'],
  ['created_on[eq]=2020-01-01T10:00:00Z', 'AB'],
  ['created_on[eq]=2020-01-01T11:00:00%2B01:00', 'AB'],
  ['created_on[eq]=2020-01-01T10:00:00.900Z', 'B'],
  [`created_on[eq]=${epoch}`, 'AB'],
  [`created_on[lt]=${epoch}`, ''],
  [`created_on[lte]=${epoch}`, 'AB'],
  [`created_on[gt]=${epoch}`, 'CD'],
  [`created_on[gte]=${epoch}`, 'ABCD'],
  ['created_on[lt]=2020-01-02', 'ABC'],
  ['created_on[lte]=2020-01-01', 'ABC'],
  ['created_on[gt]=2020-01-01', 'D'],
  ['created_on[gte]=2020-01-02', 'D'],
  ['created_on[gte]=2020-01-01T10:00:01Z&created_on[lt]=2020-01-02', 'C'],
  ['changed_on[eq]=2020-02-01', 'BC'],
  ['changed_on[lt]=2020-02-01T12:00:00Z', 'B'],
  ['changed_on[lte]=2020-02-01T12:00:00Z', 'BC'],
  ['changed_on[gt]=2020-02-01T12:00:00Z', 'D'],
  ['changed_on[gte]=2020-02-01T12:00:00Z', 'CD'],
  ['changed_on[has]=true', 'BCD'],
  ['changed_on[has]=false', 'A'],
  [`or[0][${text}][eq]=Website&or[1][created_on][gte]=2020-01-02`, 'AD'],
  [`changed_on[has]=true&or[0][${text}][sw]=Web&or[1][${text}][sw]=Z`, 'BC'],
]
const slugExpectations: [string, string][] = [
  ['slug[eq]=website', 'A'],
  ['slug[eq]=Website', ''],
  ['slug[in]=website,zurich,nothing', 'AC'],
]

const sorts = (text: string): [string, string][] => [
  ['created_on', 'ABCD'],
  ['-created_on', 'DCBA'],
  ['changed_on', 'BCDA'],
  ['-changed_on', 'DCBA'],
  [text, 'DBAC'],
  [`-${text}`, 'CABD'],
  [`changed_on,-${text}`, 'BCDA'],
]

export const checkLists = (kind: RecordKind): void => {
  const { path, text } = kind
  const operators: Record<string, string[]> = {
    id: ['eq', 'in'],
    created_on: ['eq', 'lt', 'lte', 'gt', 'gte'],
    changed_on: ['eq', 'lt', 'lte', 'gt', 'gte', 'has'],
    q: ['fz'],
    [text]: ['eq', 'in', 'sw', 'fz'],
    ...(kind.slug && { slug: ['eq', 'in'] }),
    ...kind.operators,
  }

  for (const generation of generations) {
    const url = generation + path

    test(`${url}: every filter finds what it should in this environment and nothing else`, async () => {
      const { app, ids } = await startWithRows(kind)
      const letters = Object.fromEntries(Object.entries(ids).map(([letter, id]) => [id, letter]))
      const all = [...expectations(text, ids), ...(kind.slug ? slugExpectations : [])]
      for (const [query, expected] of all) {
        const { status, body, text: raw } = await app.get(`${url}?${query}`)
        assert.equal(status, 200, `${query} ${raw}`)
        const found = body.items.map((item: { id: string }) => letters[item.id])
        assert.equal(found.sort().join(''), expected, query)
        assert.equal(body.total, expected.length, query)
      }
    })

    test(`${url}: an operator that a filter does not list, or a value of the wrong type, is 400`, async () => {
      const app = await startEmpty(kind)
      for (const [field, listed] of Object.entries(operators)) {
        for (const operator of [...operatorNames, 'like', 'toString', '__proto__'])
          if (!listed.includes(operator)) {
            const refused = faults(await app.get(`${url}?${field}[${operator}]=1`))
            assert.deepEqual(refused, [
              operator === '__proto__' ? `${field}[__proto__]` : `${field}.${operator}`,
            ])
          }
        if (field !== 'q') assert.deepEqual(faults(await app.get(`${url}?${field}=1`)), [field])
        assert.deepEqual(faults(await app.get(`${url}?${field}[${listed[0]}][a][b]=1`)), [
          `${field}.${listed[0]}`,
        ])
      }
      const wrong = 'created_on[eq]=yesterday&changed_on[has]=perhaps&nonsense[eq]=1&limit=5'
      assert.deepEqual(faults(await app.get(`${url}?${wrong}`)), [
        'changed_on.has',
        'created_on.eq',
        'nonsense',
      ])
      assert.deepEqual(faults(await app.get(`${url}?limit=0&skip=-1`)), ['limit', 'skip'])
    })

    test(`${url}: sorts go both ways, nulls last in both`, async () => {
      const { app, ids } = await startWithRows(kind)
      const letters = Object.fromEntries(Object.entries(ids).map(([letter, id]) => [id, letter]))
      for (const [sort, expected] of sorts(text)) {
        const { body } = await app.get(`${url}?sort=${sort}`)
        const found = body.items.map((item: { id: string }) => letters[item.id])
        assert.equal(found.join(''), expected, sort)
      }
      assert.deepEqual(faults(await app.get(`${url}?sort=version`)), ['sort'])
    })
  }
}
