import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import type { CursorValue, Position } from './cursor.ts'
import type { Condition } from './filters.ts'
import { allBehind, orderBy, orderInSegment, reversed, type SortKey, segments } from './sort.ts'
import { plannedAnew } from './statements.ts'

/** A way through a table: which rows, in which order, from where on. */
export type Walk = {
  /** What the rows come from, by their ids. */
  table: string
  /** The column and value that bound every row. */
  scope: { column: string; value: string }
  keys: SortKey[]
  conditions: Condition[]
  position: Position | undefined
  backwards: boolean
  /** What the page is found in, if not in the table itself under the alias `row`. */
  source?: { table: string; alias: string }
  /** How rows are found; by an index that has their order unless told otherwise. */
  finding?: Finding
  /** How a row is found by the keys of its `page`, where its id alone has no index. */
  again?: Condition
  /** What is read of each row; all of it unless told otherwise. */
  columns?: readonly string[]
  /** For conditions whose best plan depends on their values. */
  plannedAnew?: boolean
}

/**
 * `sorted`: all that fulfil the conditions are found first, then put in order; for what is known to be little.
 * Otherwise so many of the next rows, which only fulfil `within`, are looked at first; see `nearPage`.
 */
export type Finding = 'sorted' | { ahead: number; within: Condition[] }

/** A row with the values of its sort keys. */
export type Found<Row> = { row: Row; values: CursorValue[] }

/**
 * The rows in the order of the walk. The keys are read from the index alone, which is what makes a deep `skip`
 * bearable; the rows themselves follow by id, and only those that are shown.
 */
export const walkRows = async <Row>(
  db: Db,
  walk: Walk,
  skip: number,
  limit: number,
): Promise<Found<Row>[]> => {
  const order = walk.backwards ? reversed(walk.keys) : walk.keys
  if (isAhead(walk.finding)) {
    const near = await rowsOn<Row>(db, walk, order, nearPage(walk, walk.finding, order, skip, limit), '')
    if (near.length >= limit) return near
  }
  const planning = walk.plannedAnew ? plannedAnew : ''
  return rowsOn<Row>(db, walk, order, pageOf(walk, order, skip, limit), planning)
}

const rowsOn = async <Row>(
  db: Db,
  walk: Walk,
  order: SortKey[],
  page: RawBuilder<unknown>,
  planning: string,
): Promise<Found<Row>[]> => {
  const byId = sql`row.${sql.ref(walk.scope.column)} = ${walk.scope.value} and row.id = ${sql.ref(`page.k${order.length - 1}`)}`
  const { rows } = await sql<Record<string, CursorValue>>`${sql.raw(planning)}
    with page as materialized (${page})
    select ${shownOf(walk)}, page.* from page
    join ${sql.table(walk.table)} as row on ${walk.again ?? byId}
    order by part, ${orderBy(named(order), walk.backwards)}`.execute(db)
  return rows.map((row) => withKeys<Row>(row, order.length))
}

const shownOf = ({ columns }: Walk): RawBuilder<unknown> =>
  columns ? sql.join(columns.map((column) => sql.ref(`row.${column}`))) : sql.raw('row.*')

const isAhead = (finding: Finding | undefined): finding is Exclude<Finding, 'sorted'> =>
  finding !== undefined && finding !== 'sorted'

export const sourceOf = ({ source, table }: Walk): RawBuilder<unknown> =>
  sql`${sql.table(source?.table ?? table)} as ${sql.ref(source?.alias ?? 'row')}`

type Count = RawBuilder<unknown>
/** Rows of one segment under the names of the keys; the limit and the offset are told when it is used. */
type Part = (limit: Count, skip: Count) => RawBuilder<unknown>

const pageOf = (walk: Walk, order: SortKey[], skip: number, limit: number): RawBuilder<unknown> => {
  const [most, from] = [sql`${limit}::bigint`, sql`${skip}::bigint`]
  if (walk.finding === 'sorted') return sortedPart(walk, order)(most, from)
  const parts = segments(order, walk.position, walk.backwards).map((segment, index) =>
    partOf(walk, order, segment, index),
  )
  const [first, second] = parts as [Part, Part?]
  if (!second) return first(most, from)
  const passed = sql`greatest(0, ${from} - (select count(*) from (${first(from, sql`0`)}) as passed))`
  // The second part goes on where the first ends: neither is sorted again, and mostly only one is read. The
  // outer limit says nothing new except to the planner, which cannot know what the inner ones come to.
  return sql`with one as materialized (${first(most, from)})
    select * from (select * from one union all (${second(
      sql`(${most} - (select count(*) from one))`,
      skip === 0 ? from : passed,
    )})) as parts
    limit ${limit}`
}

/** What a page holds of each row: which part it is from, and its sort keys under the names of their places. */
const columnsOf = (order: SortKey[], index: number): RawBuilder<unknown> =>
  sql.join([
    sql`${sql.lit(index)} as part`,
    ...order.map((key, place) => sql`${key.expression} as ${sql.ref(`k${place}`)}`),
  ])

const partOf = (walk: Walk, order: SortKey[], segment: Condition, index: number): Part => {
  const columns = columnsOf(order, index)
  const sorted = sql`order by ${orderInSegment(order, walk.backwards)}`
  const where = sql.join([...walk.conditions, segment], sql` and `)
  const from = walk.finding ? allOf(walk, where) : sql`${sourceOf(walk)} where ${where}`
  return (limit, skip) => sql`select ${columns} from ${from} ${sorted} limit ${limit} offset ${skip}`
}

const aliasOf = ({ source }: Walk): RawBuilder<unknown> => sql.ref(source?.alias ?? 'row')

/** Without the offset the order would be pushed inside, and with it the walk through an index. */
const allOf = (walk: Walk, where: Condition): RawBuilder<unknown> =>
  sql`(select ${aliasOf(walk)}.* from ${sourceOf(walk)} where ${where} offset 0) as ${aliasOf(walk)}`

/** The keys are worked out once, and then both compared and sorted by. */
const sortedPart = (walk: Walk, order: SortKey[]): Part => {
  const keys = named(order)
  const where = sql.join(walk.conditions, sql` and `)
  return (limit, skip) => sql`select * from (
      select ${columnsOf(order, 0)} from ${sourceOf(walk)} where ${where} offset 0) as found
    where ${allBehind(keys, walk.position, walk.backwards)}
    order by ${orderBy(keys, walk.backwards)} limit ${limit} offset ${skip}`
}

/**
 * PostgreSQL takes rows that fulfil a condition for evenly spread: it would walk a million rows to find the 25 newest
 * of a tag that only old ones have. So only the next rows are walked, by a statement that is planned once; where they
 * do not hold enough, all that fulfil the condition are found, by whatever index knows them, and then sorted. Both in
 * one statement took longer to plan, each time, than to run.
 */
const nearPage = (
  walk: Walk,
  { ahead, within }: Exclude<Finding, 'sorted'>,
  order: SortKey[],
  skip: number,
  limit: number,
): RawBuilder<unknown> => {
  const [segment] = segments(order, walk.position, walk.backwards) as [Condition]
  const alias = aliasOf(walk)
  const sorted = sql`order by ${orderInSegment(order, walk.backwards)}`
  return sql`select ${columnsOf(order, 0)} from (
      select ${alias}.* from ${sourceOf(walk)} where ${sql.join([...within, segment], sql` and `)} ${sorted}
      limit ${ahead + 4 * skip}::bigint) as ${alias}
    where ${sql.join(walk.conditions, sql` and `)} ${sorted} limit ${limit}::bigint offset ${skip}::bigint`
}

/** Whether the walk leads to any row at all. */
export const leadsAnywhere = async (db: Db, walk: Walk): Promise<boolean> => {
  const order = walk.backwards ? reversed(walk.keys) : walk.keys
  const parts = segments(order, walk.position, walk.backwards).map(
    // In `exists` the order would be dropped, and with it the index: 14 ms at row 50,000 instead of 0.02.
    (segment) => sql`(select true from ${sourceOf(walk)}
      where ${sql.join([...walk.conditions, segment], sql` and `)}
      order by ${orderInSegment(order, walk.backwards)} limit 1) is not null`,
  )
  const { rows } = await sql<{
    any: boolean
  }>`${sql.raw(walk.plannedAnew ? plannedAnew : '')} select ${sql.join(parts, sql` or `)} as any`.execute(db)
  return rows[0]!.any
}

/** The sort keys under the names that the page gave them. */
const named = (keys: SortKey[]): SortKey[] =>
  keys.map((key, index) => ({ ...key, expression: sql.ref(`k${index}`) as RawBuilder<unknown> }))

/** The row keeps the keys under their names, which nobody asks for: taking them out again made it slow to read. */
const withKeys = <Row>(row: Record<string, CursorValue>, count: number): Found<Row> => ({
  row: row as Row,
  values: Array.from({ length: count }, (_, index) => row[`k${index}`]!),
})
