import type { Context } from '../../../context.ts'
import { type ListRequest, type Page, placeIn, readPage } from '../../../database/page.ts'
import { type SortKey, withId } from '../../../database/sort.ts'
import type { Walk } from '../../../database/walk.ts'
import { countPublications } from '../list/count.ts'
import { allIn, columnIn, type Listed, placeOf } from '../list/home.ts'
import { nearest } from '../list/near.ts'
import { type ShownRow, shownColumns } from '../table.ts'
import type { Near } from './asked.ts'

/** So many are sorted at once. */
const few = 1000
/** Where to begin when there may be many: smaller circles cost little, larger ones hold too much. */
const begin = 1000

/**
 * The nearest first. Of many, only a circle is looked at that should hold a page; where it does not, a larger one:
 * whatever is nearer than its edge is in it, so that the page is the same.
 */
export const readNearest = async (
  context: Pick<Context, 'db' | 'totals'>,
  listedWith: (near: Near) => Listed,
  near: Near,
  request: ListRequest,
): Promise<Page<ShownRow>> => {
  const keys = keysOf(near)
  const { signature, position } = placeIn('publications', keys, request)
  const whole = listedWith(near)
  const counting = request.total ? countPublications(context, whole) : undefined
  // It is waited for where the first page is read, unless that fails before.
  counting?.catch(() => {})
  const read = (list: Listed) => {
    const walk: Walk = {
      ...placeOf(list, 'local'),
      keys,
      conditions: allIn(list, 'local', true),
      position,
      backwards: request.before !== undefined,
      finding: 'sorted',
      plannedAnew: true,
      columns: shownColumns,
    }
    return readPage<ShownRow>(context.db, walk, signature, request, counting)
  }
  if (request.before !== undefined) return read(whole)
  let metres = Math.max(begin, 1.2 * Number(position?.values[0] ?? 0))
  while (2 * metres < near.metres) {
    const page = await read(listedWith({ ...near, metres }))
    if (page.next) return page
    if (page.total !== undefined && page.total <= few) break
    metres *= growth(page.rows.length, request)
  }
  return read(whole)
}

/** What is found grows with the square. */
const growth = (found: number, { skip, limit }: ListRequest): number =>
  Math.min(4, Math.max(1.5, Math.sqrt((2 * (skip + limit + 1)) / (skip + found + 1))))

const keysOf = (near: Near): SortKey[] =>
  withId(
    [{ name: 'distance', expression: nearest(near), type: 'number', nullable: false, descending: false }],
    (column) => columnIn('local', column),
  )
