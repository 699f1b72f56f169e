import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { type CursorValue, decodeCursor, encodeCursor, listSignature } from './cursor.ts'
import { type Condition, compileFilter, type FilterSpec } from './filters.ts'
import { byRank, orderBy, parseSort, reversed, type SortKey, type SortSpec, segments } from './sort.ts'
import type { Family } from './versions.ts'

/** What can be listed, as data. */
export type ListSpec = {
  table: string
  family: Family
  filters: FilterSpec
  sorts: SortSpec
  defaultSort: string
  /** The column that ties rows to their environment; records above it name their own scope. */
  scope?: string
}

/** What a caller asked of a list, checked for form but not yet against the list's own names. */
export type ListRequest = {
  limit: number
  skip: number
  after?: string
  before?: string
  sort?: string
  total: boolean
  filter: Record<string, unknown>
}

export type Page<Row> = {
  rows: Row[]
  total: number | undefined
  after: string
  before: string
  skip: number
  limit: number
  /** Whether there is a page on either side. */
  next: boolean
  previous: boolean
}

type Reads = Pick<Context, 'db' | 'totals'>

/**
 * One page of a list: the rows by an index in the order asked for, and the exact total of the same filter.
 * The keys are walked in the index alone, which is what makes a deep `skip` bearable; the rows follow by id.
 */
export const listPage = async <Row extends object>(
  context: Reads,
  spec: ListSpec,
  scope: string,
  request: ListRequest,
  /** Conditions that the caller did not choose, such as what a token may see. */
  only: Condition[] = [],
): Promise<Page<Row>> => {
  const { where, rank } = compileFilter(spec.filters, request.filter)
  const keys =
    request.sort === undefined && rank
      ? byRank(rank)
      : parseSort(spec.sorts, request.sort ?? spec.defaultSort)
  const signature = listSignature(spec.table, sortText(keys), request.filter)
  const conditions = [sql`row.${sql.ref(scopeOf(spec))} = ${scope}`, ...only, ...where]
  const backwards = request.before !== undefined
  const cursor = request.after ?? request.before
  const position =
    cursor === undefined ? undefined : decodeCursor(cursor, signature, keys, backwards ? 'before' : 'after')

  const walk = { spec, scope, keys, conditions, position, skip: request.skip }
  const [found, opposite, total] = await Promise.all([
    select<Row>(context, { ...walk, backwards, limit: request.limit + 1 }),
    position ? any(context, { ...walk, backwards: !backwards, skip: 0 }) : request.skip > 0,
    request.total ? countAll(context, spec, scope, signature, conditions, only) : undefined,
  ])
  const more = found.length > request.limit
  const rows = found.slice(0, request.limit)
  if (backwards) rows.reverse()
  const at = (row: (Row & Position) | undefined) =>
    row ? encodeCursor(signature, row['~position']) : (cursor ?? '')
  return {
    after: at(rows.at(-1)),
    before: at(rows[0]),
    rows: rows.map(({ '~position': _, ...row }) => row as unknown as Row),
    total,
    skip: request.skip,
    limit: request.limit,
    next: backwards ? opposite : more,
    previous: backwards ? more : opposite,
  }
}

type Position = { '~position': CursorValue[] }
type Walk = {
  spec: ListSpec
  scope: string
  keys: SortKey[]
  conditions: Condition[]
  position: CursorValue[] | undefined
  backwards: boolean
  skip: number
}

const select = async <Row>(
  { db }: Reads,
  { spec, scope, keys, conditions, position, backwards, skip, limit }: Walk & { limit: number },
): Promise<(Row & Position)[]> => {
  const order = backwards ? reversed(keys) : keys
  const table = sql.table(spec.table)
  const columns = sql.join(order.map((key, index) => sql`${key.expression} as ${sql.ref(`k${index}`)}`))
  const parts = segments(order, position, backwards, false).map(
    (segment, index) => sql`(select ${sql.lit(index)} as part, ${columns} from ${table} as row
      where ${sql.join([...conditions, segment], sql` and `)}
      order by ${orderBy(order, backwards)} limit ${limit + skip})`,
  )
  const found = await sql<Record<string, CursorValue>>`
    with page as (
      select * from (${sql.join(parts, sql` union all `)}) as parts
      order by part, ${orderBy(named(order), backwards)} limit ${limit} offset ${skip}
    )
    select row.*, page.* from page
    join ${table} as row on row.${sql.ref(scopeOf(spec))} = ${scope} and row.id = ${sql.ref(`page.k${order.length - 1}`)}
    order by part, ${orderBy(named(order), backwards)}`.execute(db)
  return found.rows.map((row) => stripKeys<Row>(row, order.length))
}

/** The sort keys under the names that the page gave them. */
const named = (keys: SortKey[]): SortKey[] =>
  keys.map((key, index) => ({ ...key, expression: sql.ref(`k${index}`) as RawBuilder<unknown> }))

const stripKeys = <Row>(row: Record<string, CursorValue>, count: number): Row & Position => {
  const position = Array.from({ length: count }, (_, index) => row[`k${index}`]!)
  for (let index = 0; index < count; index += 1) delete row[`k${index}`]
  delete row.part
  return { ...row, '~position': position } as Row & Position
}

const any = async (
  { db }: Reads,
  { spec, keys, conditions, position, backwards }: Walk,
): Promise<boolean> => {
  const order = backwards ? reversed(keys) : keys
  const parts = segments(order, position, backwards, true).map(
    (segment) => sql`exists (select 1 from ${sql.table(spec.table)} as row
      where ${sql.join([...conditions, segment], sql` and `)})`,
  )
  const { rows } = await sql<{ any: boolean }>`select ${sql.join(parts, sql` or `)} as any`.execute(db)
  return rows[0]!.any
}

const countAll = (
  { db, totals }: Reads,
  spec: ListSpec,
  scope: string,
  signature: string,
  conditions: Condition[],
  only: Condition[],
): Promise<number> => {
  const seen = only.map((condition) => condition.compile(db)).map(({ sql, parameters }) => [sql, parameters])
  return totals(scope, spec.family, `${spec.table} ${signature} ${JSON.stringify(seen)}`, async () => {
    const { rows } = await sql<{
      count: string
    }>`select count(*) as count from ${sql.table(spec.table)} as row
      where ${sql.join(conditions, sql` and `)}`.execute(db)
    return Number(rows[0]!.count)
  })
}

const scopeOf = (spec: ListSpec): string => spec.scope ?? 'environment_id'

const sortText = (keys: SortKey[]): string =>
  keys.map((key) => (key.descending ? `-${key.name}` : key.name)).join()
