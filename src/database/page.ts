import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { faultsOf, Invalid } from '../errors.ts'
import type { Db } from './connect.ts'
import { decodeCursor, encodeCursor, listSignature, type Position } from './cursor.ts'
import { type CompiledFilter, type Condition, compileFilter, type FilterSpec } from './filters.ts'
import { byRank, parseSort, type SortKey, type SortSpec } from './sort.ts'
import { findAny, findRows, type TieredWalk } from './tiers.ts'
import { countAll, type Matcher } from './totals.ts'
import type { Family } from './versions.ts'
import type { Found, Walk } from './walk.ts'

/** What can be listed, as data. */
export type ListSpec = {
  table: string
  family: Family
  filters: FilterSpec
  sorts: SortSpec
  defaultSort: string
  /** So many of the next rows are looked at before all that fulfil the filter are found and sorted. */
  ahead?: number
  /** Which rows there are depends on more than the listed records: no total of it is remembered. */
  moving?: boolean
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

type Plan = CompiledFilter & { keys: SortKey[]; signature: string; position: Position | undefined }

/** Holds what a caller asked for against the names of the list, and tells everything that is wrong at once. */
export const planList = (spec: ListSpec, request: ListRequest): Plan => {
  let filter!: CompiledFilter
  let keys!: SortKey[]
  const faults = [
    ...faultsOf(() => {
      filter = compileFilter(spec.filters, request.filter)
    }),
    ...faultsOf(() => {
      keys = parseSort(spec.sorts, request.sort ?? spec.defaultSort)
    }),
  ]
  if (faults.length > 0) throw new Invalid(faults)
  if (request.sort === undefined && filter.rank) keys = byRank(filter.rank)
  return { ...filter, keys, ...placeIn(spec.table, keys, request) }
}

/** Where in a list to begin. */
export const placeIn = (
  table: string,
  keys: SortKey[],
  { after, before, filter }: ListRequest,
): Pick<Plan, 'signature' | 'position'> => {
  const signature = listSignature(table, sortText(keys), filter)
  const cursor = after ?? before
  if (cursor === undefined) return { signature, position: undefined }
  return {
    signature,
    position: decodeCursor(cursor, signature, keys, after === undefined ? 'before' : 'after'),
  }
}

/** One page of a list: the rows by an index in the order asked for, and the exact total of the same filter. */
export const listPage = async <Row extends object>(
  context: Reads,
  spec: ListSpec,
  scope: string,
  request: ListRequest,
  /** Conditions that the caller did not choose, such as what a token may see. */
  only: Condition[] = [],
  /** Of a list without filters: whether a record that changes is among its rows, so that its total need not be counted anew. */
  matches?: Matcher,
): Promise<Page<Row>> => {
  const plan = planList(spec, request)
  const column = spec.scope ?? 'environment_id'
  const within = [sql`row.${sql.ref(column)} = ${scope}`, ...only]
  const walk: Walk = {
    table: spec.table,
    scope: { column, value: scope },
    keys: plan.keys,
    conditions: [...within, ...plan.where],
    position: plan.position,
    backwards: request.before !== undefined,
    ...(spec.ahead !== undefined && { finding: { ahead: spec.ahead, within } }),
  }
  const total = request.total
    ? countAll(
        context,
        spec,
        scope,
        plan.moving || spec.moving === true,
        walk.conditions,
        request.filter,
        only,
        matches,
      )
    : undefined
  return readPage<Row>(context.db, walk, plan.signature, request, total)
}

/** The page that a walk leads to, with its cursors, while the total is on its way. */
export const readPage = async <Row extends object>(
  db: Db,
  walk: TieredWalk,
  signature: string,
  request: ListRequest,
  counting: Promise<number> | number | undefined,
): Promise<Page<Row>> => {
  const { skip, limit } = request
  const [found, opposite, total] = await Promise.all([
    findRows<Row>(db, walk, skip, limit + 1),
    walk.position ? findAny(db, opposed(walk)) : false,
    counting,
  ])
  const shown = found.slice(0, limit)
  const edges = await edgesOf(db, walk, signature, request, shown)
  const more = found.length > limit
  const skipped = skip > 0 && shown.length > 0
  const behind = opposite || skipped || edges.missed
  return {
    after: edges.after,
    before: edges.before,
    rows: (walk.backwards ? shown.reverse() : shown).map(({ row }) => row),
    total,
    skip,
    limit,
    next: walk.backwards ? behind : more,
    previous: walk.backwards ? more : behind,
  }
}

/** The other way from the same place; the row that the place is named after then belongs to what follows. */
const opposed = (walk: TieredWalk): TieredWalk => ({
  ...walk,
  backwards: !walk.backwards,
  position: walk.position && { ...walk.position, inclusive: !walk.position.inclusive },
})

type Edges = { after: string; before: string; missed: boolean }

/** The cursors of a page. An empty page has them too, so that a caller at the end can turn round or wait. */
const edgesOf = async <Row>(
  db: Db,
  walk: TieredWalk,
  signature: string,
  { after, before, skip }: ListRequest,
  shown: Found<Row>[],
): Promise<Edges> => {
  const { position } = walk
  const at = (values: Position['values'], inclusive = false) => encodeCursor(signature, { values, inclusive })
  if (shown.length > 0) {
    const [start, end] = [shown[0]!.values, shown.at(-1)!.values]
    const [first, last] = walk.backwards ? [end, start] : [start, end]
    return { after: at(last), before: at(first), missed: false }
  }
  if (position) {
    const turned = at(position.values, !position.inclusive)
    return { after: after ?? turned, before: before ?? turned, missed: false }
  }
  // Skipped past the end: the last row tells where that is.
  const [last] = skip > 0 ? await findRows<Row>(db, { ...walk, backwards: true }, 0, 1) : []
  if (!last) return { after: '', before: '', missed: false }
  return { after: at(last.values), before: at(last.values, true), missed: true }
}

const sortText = (keys: SortKey[]): string =>
  keys.map((key) => (key.descending ? `-${key.name}` : key.name)).join()
