import { dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

export const channelList = {
  table: 'channels',
  family: 'content',
  filters: {
    ...dates,
    q: { type: 'text', column: 'name', operators: ['fz'], bare: 'fz' },
    name: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    slug: { type: 'text', operators: ['eq', 'in'] },
    type: { type: 'text', operators: ['eq', 'neq', 'in', 'has'] },
  },
  sorts: {
    ...dateSorts,
    name: { type: 'text' },
  },
  defaultSort: '-created_on',
} satisfies ListOptions
