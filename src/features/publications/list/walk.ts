import type { ListRequest } from '../../../database/page.ts'
import { parseSort, type SortSpec } from '../../../database/sort.ts'
import type { Finding, Walk } from '../../../database/walk.ts'
import type { Conjunction, Home } from './atoms.ts'
import { publicationSorts } from './fields.ts'
import { allIn, baseIn, columnIn, type Listed, placeOf } from './home.ts'

export const defaultSort = '-created_on'

/**
 * With a locale the page is found among the rows of that locale where its order is theirs; in any other order among
 * publications, whose indexes have it.
 */
export const sortedWalk = (
  list: Listed,
  request: ListRequest,
  total: number | undefined,
  sorts: SortSpec = publicationSorts,
): Walk => {
  const sort = request.sort ?? defaultSort
  const home: Home = list.locale !== undefined && /publish|name/.test(sort) ? 'local' : 'row'
  const narrowed = list.filter.conditionsIn(home, true)
  const finding = narrowed.length > 0 ? findingOf(list, home, total) : undefined
  return {
    ...placeOf(list, home),
    keys: parseSort(sorts, sort, (column) => columnIn(home, column)),
    conditions: finding ? allIn(list, home, true) : [...baseIn(list, home), ...narrowed],
    position: undefined,
    backwards: request.before !== undefined,
    ...(narrowed.length > 0 && { plannedAnew: true }),
    ...(finding && { finding }),
  }
}

/** Sorted in about 10 ms. */
const few = 5000
/** Walked in about 3 ms; what one of a hundred rows has is found 25 times among them. */
const ahead = 3000
const farthest = 20_000

/** Without a total only those that are found by facets are taken for many. */
const findingOf = (list: Listed, home: Home, total: number | undefined): Finding | undefined => {
  if (total !== undefined && total <= few) return 'sorted'
  return total !== undefined || isSpread(list.filter.conjunction)
    ? lookingAhead(list, home, total)
    : undefined
}

/** Looking at half as many as there are costs at most half of what finding them all would cost. */
export const lookingAhead = (list: Listed, home: Home, total = 0): Finding => ({
  ahead: Math.min(Math.max(ahead, Math.round(total / 2)), farthest),
  within: baseIn(list, home),
})

/** Whether rows are found by nothing but facets and dates: many, or few, and anywhere. */
const isSpread = ({ atoms, alternatives }: Conjunction): boolean =>
  atoms.every((atom) => atom.facets !== undefined || atom.row !== undefined) &&
  alternatives.flat().every(isSpread)
