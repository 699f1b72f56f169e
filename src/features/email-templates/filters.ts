import { dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

export const emailTemplateList = {
  table: 'email_templates',
  family: 'access',
  filters: {
    ...dates,
    q: { type: 'text', column: 'name', operators: ['fz'], bare: 'fz' },
    name: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
  },
  sorts: { ...dateSorts, name: { type: 'text' } },
  defaultSort: '-created_on',
} satisfies ListOptions
