import { dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

export const webhookList = {
  table: 'webhooks',
  family: 'access',
  filters: {
    ...dates,
    q: { type: 'text', column: 'url', operators: ['fz'], bare: 'fz' },
    url: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    active: { type: 'boolean', operators: ['eq'] },
    failing_since: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte', 'has'] },
  },
  sorts: {
    ...dateSorts,
    url: { type: 'text' },
  },
  defaultSort: '-created_on',
} satisfies ListOptions
