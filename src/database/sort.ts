import { type RawBuilder, sql } from 'kysely'
import { Invalid } from '../errors.ts'
import type { CursorValue, Position } from './cursor.ts'
import type { Condition } from './filters.ts'
import type { Problem } from './values.ts'

type SortField = { type: 'text' | 'date' | 'number'; column?: string; nullable?: true }
export type SortSpec = Record<string, SortField>
export type SortKey = {
  name: string
  expression: RawBuilder<unknown>
  type: SortField['type']
  nullable: boolean
  descending: boolean
}

type ExpressionOf = (column: string) => RawBuilder<unknown>

const inRow: ExpressionOf = (column) => sql.ref(`row.${column}`)

/** No list has as many names; what is behind them would only repeat one or be wrong. */
const maxKeys = 50

/** `-publish_on,name` → keys; the id comes last and breaks ties, in the direction of the first key. */
export const parseSort = (spec: SortSpec, text: string, expressionOf: ExpressionOf = inRow): SortKey[] => {
  const problems: Problem[] = []
  const keys: SortKey[] = []
  for (const part of text.split(',', maxKeys)) {
    const descending = part.startsWith('-')
    const name = descending ? part.slice(1) : part
    const field = Object.hasOwn(spec, name) ? spec[name] : undefined
    if (!field) {
      problems.push({
        path: 'sort',
        message: `"${part.slice(0, 100)}" is not one of ${Object.keys(spec).join(', ')}, each also with -`,
      })
    } else if (!keys.some((key) => key.name === name)) {
      const expression = expressionOf(field.column ?? name)
      keys.push({ name, expression, type: field.type, nullable: field.nullable ?? false, descending })
    }
  }
  if (problems.length > 0) throw new Invalid(problems)
  return withId(keys, expressionOf)
}

/** The best fit first. */
export const byRank = (rank: RawBuilder<number>): SortKey[] =>
  withId([{ name: 'rank', expression: rank, type: 'number', nullable: false, descending: true }])

export const withId = (keys: SortKey[], expressionOf: ExpressionOf = inRow): SortKey[] => [
  ...keys,
  {
    name: 'id',
    expression: expressionOf('id'),
    type: 'text',
    nullable: false,
    descending: keys[0]?.descending ?? false,
  },
]

/** Walking backwards is walking forwards through the opposite order; nulls then come first. */
export const reversed = (keys: SortKey[]): SortKey[] =>
  keys.map((key) => ({ ...key, descending: !key.descending }))

/** The order inside one segment, where the first key is null everywhere or nowhere: as the index has it. */
export const orderInSegment = (keys: SortKey[], backwards: boolean): RawBuilder<unknown> =>
  orderBy(
    keys.map((key, index) => (index === 0 ? { ...key, nullable: false } : key)),
    backwards,
  )

export const orderBy = (keys: SortKey[], backwards: boolean): RawBuilder<unknown> =>
  sql.join(
    keys.map(
      (key) =>
        sql`${key.expression} ${sql.raw(key.descending ? 'desc' : 'asc')}${sql.raw(
          key.nullable ? (backwards ? ' nulls first' : ' nulls last') : '',
        )}`,
    ),
  )

/** The rows behind a position as one condition, for what is sorted anyway. */
export const allBehind = (keys: SortKey[], position: Position | undefined, backwards: boolean): Condition =>
  position ? behind(keys, position.values, backwards, position.inclusive) : sql`true`

/**
 * The rows behind a position, in parts that an index (environment_id, first key, …, id) serves one after the
 * other: a first key that may be null gives a part with values and a part without, because one condition
 * over both (`x > $1 or x is null`) would have PostgreSQL read the index from its beginning.
 */
export const segments = (
  keys: SortKey[],
  position: Position | undefined,
  backwards: boolean,
): Condition[] => {
  const [first, ...rest] = keys as [SortKey, ...SortKey[]]
  if (!first.nullable)
    return [position ? behind(keys, position.values, backwards, position.inclusive) : sql`true`]
  const filled = sql`${first.expression} is not null`
  const empty = sql`${first.expression} is null`
  if (!position) return backwards ? [empty, filled] : [filled, empty]
  const { values, inclusive } = position
  if (values[0] === null) {
    const later = sql`${empty} and ${behind(rest, values.slice(1), backwards, inclusive)}`
    return backwards ? [later, filled] : [later]
  }
  const later = sql`${filled} and ${behind([{ ...first, nullable: false }, ...rest], values, backwards, inclusive)}`
  return backwards ? [later] : [later, empty]
}

const behind = (
  keys: SortKey[],
  position: CursorValue[],
  backwards: boolean,
  inclusive: boolean,
): Condition => {
  const [first, ...rest] = keys as [SortKey, ...SortKey[]]
  const sign = sql.raw(first.descending ? '<' : '>')
  const uniform = keys.every((key) => !key.nullable && key.descending === first.descending)
  if (uniform)
    return sql`(${sql.join(keys.map((key) => key.expression))}) ${sign}${sql.raw(inclusive ? '=' : '')} (${sql.join(
      keys.map((key, index) => typed(key, position[index]!)),
    )})`
  const value = position[0]!
  const deeper = behind(rest, position.slice(1), backwards, inclusive)
  if (value === null) {
    const same = sql`(${first.expression} is null and ${deeper})`
    return backwards ? sql`(${same} or ${first.expression} is not null)` : same
  }
  const past = sql`${first.expression} ${sign} ${typed(first, value)}`
  const same = sql`(${first.expression} = ${typed(first, value)} and ${deeper})`
  if (first.nullable && !backwards) return sql`(${past} or ${first.expression} is null or ${same})`
  // Said twice, so that the index starts at the value: an `or` alone is a filter over all that comes before.
  return sql`(${first.expression} ${sign}= ${typed(first, value)} and (${past} or ${same}))`
}

const typed = (key: SortKey, value: CursorValue): RawBuilder<unknown> =>
  key.type === 'date'
    ? sql`${value}::timestamptz`
    : key.type === 'text'
      ? sql`${value}::text`
      : sql`${value}::double precision`
