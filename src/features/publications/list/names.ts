import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { Filter, Test } from '../../../database/filters.ts'

const tables = { channels: 'channels', tags: 'tags', containers: 'containers' } as const
type Table = keyof typeof tables

/** The ids that a name stands for; none where nothing has it. */
export type IdsOf = (test: Test, name: string) => string[]

/** The ids of everything that is named by slug or body, by one query per table. */
export const findIds = async (db: Db | Tx, environmentId: string, filter: Filter): Promise<IdsOf> => {
  const found = new Map<string, string[]>()
  const tests = testsOf(filter).filter(({ name, param }) => name in tables && param && param !== 'id')
  const asked = Object.keys(tables).filter((table) => tests.some(({ name }) => name === table)) as Table[]
  await Promise.all(
    asked.map(async (table) => {
      for (const { key, id } of await lookUp(db, environmentId, table, tests))
        found.set(key, [...(found.get(key) ?? []), id])
    }),
  )
  return ({ name, param = 'id' }, value) =>
    name in tables && param !== 'id' ? (found.get(`${name} ${param} ${value}`) ?? []) : [value]
}

export const testsOf = ({ tests, alternatives }: Filter): Test[] => [
  ...tests,
  ...alternatives.flat().flatMap(testsOf),
]

/** Slugs as they are written, bodies whatever their case, as PostgreSQL sees it. */
const lookUp = async (db: Db | Tx, environmentId: string, table: Table, all: Test[]) => {
  const tests = all.filter(({ name }) => name === table)
  const wanted = (param: string): string[] =>
    tests.flatMap(
      (test) => (test.param === param && test.operator !== 'has' ? [test.value].flat() : []) as string[],
    )
  const body = sql.ref(tests[0]!.field.params!.body!)
  const { rows } = await sql<{ key: string; id: string }>`
    select ${`${table} slug `} || slug as key, id from ${sql.table(table)}
    where environment_id = ${environmentId} and slug = any(${wanted('slug')}::text[])
    union all
    select ${`${table} body `} || sent.wanted, id from unnest(${wanted('body')}::text[]) as sent (wanted)
    join ${sql.table(table)} on environment_id = ${environmentId} and lower(${body}) = lower(sent.wanted)`.execute(
    db,
  )
  return rows
}
