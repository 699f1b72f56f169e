import type { ListOptions } from '../../http/types.ts'
import { listFilters, personSorts } from './list/fields.ts'
import { faultsIn } from './list/list.ts'
import { defaultSort } from './list/walk.ts'

/** How the list is documented, and judged where something else is wrong already; what it finds is made per request. */
export const personList = {
  table: 'persons',
  family: 'audience',
  filters: listFilters,
  sorts: personSorts,
  defaultSort,
  maxLimit: 500,
  faults: faultsIn,
} satisfies ListOptions

export const personListV5 = { ...personList, defaultLimit: 100 } satisfies ListOptions
