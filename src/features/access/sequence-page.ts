import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { decodeCursor, encodeCursor, listSignature } from '../../database/cursor.ts'
import { type Condition, compileFilter } from '../../database/filters.ts'
import type { ListRequest, Page } from '../../database/page.ts'
import type { SortKey } from '../../database/sort.ts'
import { invalid } from '../../errors.ts'
import type { ListOptions } from '../../http/types.ts'

type Sequenced = { sequence: string }

const key: SortKey = {
  name: 'sequence',
  expression: sql.ref('row.sequence'),
  type: 'text',
  nullable: false,
  descending: true,
}

/** A page of what is only ever appended and numbered: the number is the order of time, and the cursor. */
export const sequencePage = async <Row extends Sequenced>(
  db: Db,
  spec: ListOptions,
  source: RawBuilder<unknown>,
  only: Condition[],
  request: ListRequest,
): Promise<Page<Row>> => {
  if (request.sort !== undefined && request.sort !== 'created_on' && request.sort !== '-created_on')
    throw invalid('sort', 'must be created_on or -created_on')
  const newestFirst = request.sort !== 'created_on'
  const signature = listSignature(spec.table, newestFirst, request.filter)
  const where = sql.join([...only, ...compileFilter(spec.filters, request.filter).where], sql` and `)
  const cursor = request.after ?? request.before
  const at = cursor === undefined ? undefined : position(cursor, signature, request)
  const backwards = request.before !== undefined
  const down = newestFirst !== backwards
  const side = (sign: '<' | '>', inclusive: boolean) =>
    sql` and row.sequence ${sql.raw(sign)}${sql.raw(inclusive ? '=' : '')} ${at!.sequence}::bigint`
  const [{ rows: found }, opposite, total] = await Promise.all([
    sql<Row>`select row.* from ${source} as row where ${where}${at ? side(down ? '<' : '>', at.inclusive) : sql``}
      order by row.sequence ${sql.raw(down ? 'desc' : 'asc')}
      limit ${request.limit + 1} offset ${request.skip}`.execute(db),
    at
      ? exists(db, sql`select 1 from ${source} as row where ${where}${side(down ? '>' : '<', !at.inclusive)}`)
      : request.skip > 0,
    request.total ? count(db, sql`select count(*) as n from ${source} as row where ${where}`) : undefined,
  ])
  const more = found.length > request.limit
  const rows = found.slice(0, request.limit)
  if (backwards) rows.reverse()
  const { after = '', before = '' } = edges(rows, signature, at, request)
  const { skip, limit } = request
  return {
    rows,
    total,
    skip,
    limit,
    after,
    before,
    next: backwards ? opposite : more,
    previous: backwards ? more : opposite,
  }
}

type Place = { sequence: string; inclusive: boolean }

const position = (cursor: string, signature: string, request: ListRequest): Place => {
  const path = request.before === undefined ? 'after' : 'before'
  const { values, inclusive } = decodeCursor(cursor, signature, [key], path)
  const sequence = String(values[0])
  if (!/^\d{1,18}$/.test(sequence)) throw invalid(path, 'is not a cursor of this list')
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

const exists = async (db: Db, query: RawBuilder<unknown>): Promise<boolean> =>
  (await sql<{ any: boolean }>`select exists (${query}) as any`.execute(db)).rows[0]!.any

const count = async (db: Db, query: RawBuilder<unknown>): Promise<number> =>
  Number(((await query.execute(db)).rows[0] as { n: string }).n)
