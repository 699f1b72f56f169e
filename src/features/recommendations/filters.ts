import { dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'
import { recommendationTypes } from './table.ts'

export const recommendationList = {
  table: 'recommendations',
  family: 'structure',
  filters: {
    ...dates,
    name: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    type: { type: 'text', operators: ['eq', 'neq', 'in'], values: [...recommendationTypes] },
  },
  sorts: { ...dateSorts, name: { type: 'text' } },
  defaultSort: '-created_on',
} satisfies ListOptions
