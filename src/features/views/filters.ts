import { dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

export const viewList = {
  table: 'views',
  family: 'access',
  filters: {
    ...dates,
    q: { type: 'text', column: 'name', operators: ['fz'], bare: 'fz' },
    name: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    area: { type: 'text', operators: ['eq', 'in'] },
  },
  sorts: { ...dateSorts, name: { type: 'text' }, position: { type: 'number' } },
  defaultSort: 'position',
} satisfies ListOptions
