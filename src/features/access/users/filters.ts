import { dateSorts, dates } from '../../../database/common-filters.ts'
import type { ListOptions } from '../../../http/types.ts'
import { roles } from '../table.ts'

export const userList = {
  table: 'organisation_users',
  family: 'access',
  scope: 'organisation_id',
  filters: {
    ...dates,
    q: { type: 'text', column: 'name', operators: ['fz'], bare: 'fz' },
    name: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    email: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    role: { type: 'text', operators: ['eq', 'neq', 'in'], values: roles },
    last_seen: { type: 'date', operators: ['lt', 'lte', 'gt', 'gte', 'has'] },
  },
  sorts: {
    ...dateSorts,
    name: { type: 'text' },
    email: { type: 'text' },
    last_seen: { type: 'date', nullable: true },
  },
  defaultSort: '-created_on',
} satisfies ListOptions
