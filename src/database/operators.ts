import { type RawBuilder, sql } from 'kysely'
import type { Condition } from './filters.ts'
import { listOf } from './lists.ts'
import { fuzzyMatch, fuzzyRank, wordsOf } from './search.ts'
import { type Moment, type Problem, readers, type ValueType } from './values.ts'

export const operatorNames = [
  'eq',
  'neq',
  'in',
  'all',
  'has',
  'sw',
  'fz',
  'lt',
  'lte',
  'gt',
  'gte',
  'il',
  'near',
] as const
export type Operator = (typeof operatorNames)[number]

type Ref = RawBuilder<unknown>
type Exists = (test?: Condition) => Condition
type Read = (
  reader: (raw: unknown, path: string, problems: Problem[]) => unknown,
  raw: unknown,
  path: string,
  problems: Problem[],
) => unknown

type OperatorSpec = {
  read: Read
  /** The type of the value, where it is not the field's own. */
  type?: ValueType
  plain(column: Ref, value: never): Condition
  linked(exists: Exists, column: Ref, value: never): Condition
  rank?(column: Ref, value: never): RawBuilder<number>
  /** What it finds depends on the clock. */
  moving?: true
}

const maxValues = 1000

const one: Read = (reader, raw, path, problems) => reader(raw, path, problems)

const many: Read = (reader, raw, path, problems) => {
  const items = typeof raw === 'string' ? raw.split(',', maxValues + 1) : listOf(raw)
  if (!items || items.length === 0 || items.length > maxValues) {
    problems.push({ path, message: `must be a list of 1 to ${maxValues} values` })
    return []
  }
  return items.map((item, index) => reader(item, `${path}.${index}`, problems))
}

const words: Read = (_reader, raw, path, problems) => {
  const found = typeof raw === 'string' || typeof raw === 'number' ? wordsOf(String(raw)) : []
  if (found.length === 0) problems.push({ path, message: 'must hold at least one word' })
  return found
}

/** A place and how far from it, in metres. */
export type Circle = { latitude: number; longitude: number; metres: number }

const circle: Read = (_reader, raw, path, problems): Circle => {
  const parts = typeof raw === 'string' ? raw.split(',', 4) : listOf(raw)
  const [latitude, longitude, metres] = (parts ?? []).map((part) =>
    readers.number(part, path, []),
  ) as number[]
  const isPlace = Math.abs(latitude!) <= 90 && Math.abs(longitude!) <= 180 && metres! >= 0
  if (!isPlace || parts?.length !== 3)
    problems.push({ path, message: 'must be latitude,longitude,metres such as 52.37,4.89,500' })
  return { latitude: latitude!, longitude: longitude!, metres: metres! }
}

/** Nothing but places can be near, and they are compared where they are kept. */
const elsewhere = (): Condition => {
  throw new Error('this list keeps no places')
}

export const isMoment = (value: unknown): value is Moment =>
  typeof value === 'object' && value !== null && 'from' in value

/** Dates are as precise as they were written: a day equals every moment in it. */
const equals = (column: Ref, value: unknown): Condition =>
  isMoment(value)
    ? sql`(${column} >= ${value.from} and ${column} < ${value.until})`
    : sql`${column} = ${typed(value)}`

/** Numbers are given a type, so that one that a column cannot hold is found nowhere instead of failing. */
const typed = (value: unknown): RawBuilder<unknown> => {
  if (typeof value !== 'number') return sql`${value}`
  return Number.isSafeInteger(value) ? sql`${value}::bigint` : sql`${value}::double precision`
}

const compare = (before: '<' | '>=', dateEdge: keyof Moment, plain: string): OperatorSpec => ({
  read: one,
  plain: (column, value: unknown) =>
    isMoment(value)
      ? sql`${column} ${sql.raw(before)} ${value[dateEdge]}`
      : sql`${column} ${sql.raw(plain)} ${typed(value)}`,
  linked(exists, column, value) {
    return exists(this.plain(column, value))
  },
})

/** A list is one parameter, however long: the statement stays the same and so does its plan. */
const anyOf = (column: Ref, values: unknown[]): Condition =>
  values.every((value) => typeof value === 'string')
    ? sql`${column} = any(${textArray(values)}::text[])`
    : sql`(${sql.join(
        values.map((value) => equals(column, value)),
        sql` or `,
      )})`

const textArray = (values: string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** One entry per operator of the query language. */
export const operators: Record<Operator, OperatorSpec> = {
  eq: {
    read: one,
    plain: equals,
    linked: (exists, column, value) => exists(equals(column, value)),
  },
  neq: {
    read: one,
    plain: (column, value) => sql`not coalesce(${equals(column, value)}, false)`,
    linked: (exists, column, value) => sql`not ${exists(equals(column, value))}`,
  },
  in: {
    read: many,
    plain: anyOf,
    linked: (exists, column, values) => exists(anyOf(column, values)),
  },
  all: {
    read: many,
    plain: (column, values: unknown[]) =>
      sql`(${sql.join(
        values.map((value) => equals(column, value)),
        sql` and `,
      )})`,
    linked: (exists, column, values: unknown[]) =>
      sql`(${sql.join(
        values.map((value) => exists(equals(column, value))),
        sql` and `,
      )})`,
  },
  has: {
    read: one,
    type: 'boolean',
    plain: (column, value: boolean) => (value ? sql`${column} is not null` : sql`${column} is null`),
    linked: (exists, _column, value: boolean) => (value ? exists() : sql`not ${exists()}`),
  },
  sw: {
    read: one,
    type: 'text',
    plain: (column, value: string) => sql`starts_with(${column}, ${value})`,
    linked: (exists, column, value) => exists(sql`starts_with(${column}, ${value})`),
  },
  fz: {
    read: words,
    type: 'text',
    plain: fuzzyMatch,
    linked: (exists, column, value) => exists(fuzzyMatch(column, value)),
    rank: fuzzyRank,
  },
  lt: compare('<', 'from', '<'),
  lte: compare('<', 'until', '<='),
  gt: compare('>=', 'until', '>'),
  gte: compare('>=', 'from', '>='),
  il: {
    read: one,
    type: 'integer',
    moving: true,
    plain: (column, seconds: number) => sql`${column} >= now() - make_interval(secs => ${seconds})`,
    linked: (exists, column, seconds) => exists(sql`${column} >= now() - make_interval(secs => ${seconds})`),
  },
  near: { read: circle, type: 'text', plain: elsewhere, linked: elsewhere },
}
