import { dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

export const tagList = {
  table: 'tags',
  family: 'content',
  filters: {
    ...dates,
    q: { type: 'text', column: 'body', operators: ['fz'], bare: 'fz' },
    body: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    slug: { type: 'text', operators: ['eq', 'in'] },
  },
  sorts: { ...dateSorts, body: { type: 'text' } },
  defaultSort: '-created_on',
} satisfies ListOptions
