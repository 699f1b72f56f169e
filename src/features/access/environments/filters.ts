import { dateSorts, dates } from '../../../database/common-filters.ts'
import type { ListOptions } from '../../../http/types.ts'

export const environmentList = {
  table: 'environments',
  family: 'access',
  scope: 'organisation_id',
  filters: {
    ...dates,
    q: { type: 'text', column: 'name', operators: ['fz'], bare: 'fz' },
    name: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
  },
  sorts: { ...dateSorts, name: { type: 'text' } },
  defaultSort: 'name',
} satisfies ListOptions
