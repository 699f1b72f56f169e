import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { decodeCursor, encodeCursor } from '../../database/cursor.ts'
import type { Condition } from '../../database/filters.ts'
import { type ListRequest, type Page, planList } from '../../database/page.ts'
import type { SortKey } from '../../database/sort.ts'
import { invalid } from '../../errors.ts'
import type { ListOptions } from '../../http/types.ts'

type Sequenced = { sequence: string }

/** How many rows fulfil the conditions; a list that knows more about its rows counts in its own way. */
export type Count = (
  db: Db,
  source: RawBuilder<unknown>,
  where: Condition[],
  moving: boolean,
) => Promise<number>

const key: SortKey = {
  name: 'sequence',
  expression: sql.ref('row.sequence'),
  type: 'text',
  nullable: false,
  descending: true,
}

/** The same list from its beginning: its cursors hold the number, which no caller sorts by. */
const anew = (request: ListRequest): ListRequest => ({ ...request, after: undefined, before: undefined })

/** A page of what is only ever appended and numbered: the number, or an id, is the order of time, and the cursor. */
export const sequencePage = async <Row extends Sequenced>(
  db: Db,
  spec: ListOptions,
  source: RawBuilder<unknown>,
  only: Condition[],
  request: ListRequest,
  { count = countAll, type = 'bigint' }: { count?: Count; type?: 'bigint' | 'text' } = {},
): Promise<Page<Row>> => {
  const plan = planList(spec, anew(request))
  const { signature, moving } = plan
  const newestFirst = plan.keys[0]!.descending
  const conditions = [...only, ...plan.where]
  const where = sql.join(conditions, sql` and `)
  const cursor = request.after ?? request.before
  const at = cursor === undefined ? undefined : position(cursor, signature, request, type)
  const backwards = request.before !== undefined
  const down = newestFirst !== backwards
  const side = (sign: '<' | '>', inclusive: boolean) =>
    sql` and row.sequence ${sql.raw(sign)}${sql.raw(inclusive ? '=' : '')} ${at!.sequence}::${sql.raw(type)}`
  const [{ rows: found }, opposite, total] = await Promise.all([
    sql<Row>`select row.* from ${source} as row where ${where}${at ? side(down ? '<' : '>', at.inclusive) : sql``}
      order by row.sequence ${sql.raw(down ? 'desc' : 'asc')}
      limit ${request.limit + 1} offset ${request.skip}`.execute(db),
    at
      ? exists(db, sql`select 1 from ${source} as row where ${where}${side(down ? '>' : '<', !at.inclusive)}`)
      : false,
    request.total ? count(db, source, conditions, moving) : undefined,
  ])
  const more = found.length > request.limit
  const rows = found.slice(0, request.limit)
  if (backwards) rows.reverse()
  const { skip, limit } = request
  const missed = skip > 0 && !at && rows.length === 0 ? await lastRow(db, source, where, down) : undefined
  const { after = '', before = '' } = missed
    ? pastTheEnd(signature, missed)
    : edges(rows, signature, at, request)
  const behind = opposite || (skip > 0 && rows.length > 0) || missed !== undefined
  return {
    rows,
    total,
    skip,
    limit,
    after,
    before,
    next: backwards ? behind : more,
    previous: backwards ? more : behind,
  }
}

type Place = { sequence: string; inclusive: boolean }

const position = (cursor: string, signature: string, request: ListRequest, type: string): Place => {
  const path = request.before === undefined ? 'after' : 'before'
  const { values, inclusive } = decodeCursor(cursor, signature, [key], path)
  const sequence = String(values[0])
  if (type === 'bigint' && !/^\d{1,18}$/.test(sequence)) throw invalid(path, 'is not a cursor of this list')
  return { sequence, inclusive }
}

/** Past the end the cursor turns round, so that the way back begins with the row that was last. */
const edges = (rows: Sequenced[], signature: string, at: Place | undefined, request: ListRequest) => {
  const encode = ({ sequence, inclusive }: Place) =>
    encodeCursor(signature, { values: [sequence], inclusive })
  const [first, last] = [rows[0], rows.at(-1)]
  if (first && last)
    return { before: encode({ ...first, inclusive: false }), after: encode({ ...last, inclusive: false }) }
  const turned = at && encode({ ...at, inclusive: !at.inclusive })
  return { before: request.before ?? turned, after: request.after ?? turned }
}

/** Skipped past the end: the last row tells where that is, and the way back begins with it. */
const lastRow = async (
  db: Db,
  source: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  down: boolean,
): Promise<Sequenced | undefined> => {
  const { rows } = await sql<Sequenced>`select row.sequence from ${source} as row where ${where}
    order by row.sequence ${sql.raw(down ? 'asc' : 'desc')} limit 1`.execute(db)
  return rows[0]
}

const pastTheEnd = (signature: string, { sequence }: Sequenced) => ({
  after: encodeCursor(signature, { values: [sequence], inclusive: false }),
  before: encodeCursor(signature, { values: [sequence], inclusive: true }),
})

const exists = async (db: Db, query: RawBuilder<unknown>): Promise<boolean> =>
  (await sql<{ any: boolean }>`select exists (${query}) as any`.execute(db)).rows[0]!.any

const countAll: Count = async (db, source, where) => {
  const { rows } = await sql<{ n: string }>`select count(*) as n from ${source} as row
    where ${sql.join(where, sql` and `)}`.execute(db)
  return Number(rows[0]!.n)
}
