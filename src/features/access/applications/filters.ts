import { dateSorts, dates } from '../../../database/common-filters.ts'
import type { ListOptions } from '../../../http/types.ts'

export const applicationList = {
  table: 'applications',
  family: 'access',
  filters: {
    ...dates,
    q: { type: 'text', column: 'name', operators: ['fz'], bare: 'fz' },
    name: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    user: { type: 'id', column: 'user_id', operators: ['eq', 'in', 'has'] },
  },
  sorts: { ...dateSorts, name: { type: 'text' } },
  defaultSort: '-created_on',
} satisfies ListOptions
