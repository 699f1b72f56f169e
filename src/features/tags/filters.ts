import { byBody, dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

export const tagList = {
  table: 'tags',
  family: 'content',
  filters: {
    ...dates,
    ...byBody,
    slug: { type: 'text', operators: ['eq', 'in'] },
  },
  sorts: { ...dateSorts, body: { type: 'text' } },
  defaultSort: '-created_on',
} satisfies ListOptions
