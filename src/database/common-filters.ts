import type { FilterSpec } from './filters.ts'
import type { SortSpec } from './sort.ts'

/** What every record can be found by. */
export const dates = {
  id: { type: 'id', operators: ['eq', 'in'] },
  created_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
  changed_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte', 'has'] },
} satisfies FilterSpec

/** What records whose name is their `body` can be found by. */
export const byBody = {
  q: { type: 'text', column: 'body', operators: ['fz'], bare: 'fz' },
  body: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
} satisfies FilterSpec

export const dateSorts = {
  created_on: { type: 'date' },
  changed_on: { type: 'date', nullable: true },
} satisfies SortSpec
