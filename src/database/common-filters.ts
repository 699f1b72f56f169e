import type { FilterSpec } from './filters.ts'
import type { SortSpec } from './sort.ts'

/** What every record can be found by. */
export const dates = {
  id: { type: 'id', operators: ['eq', 'in'] },
  created_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
  changed_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte', 'has'] },
} satisfies FilterSpec

export const dateSorts = {
  created_on: { type: 'date' },
  changed_on: { type: 'date', nullable: true },
} satisfies SortSpec
