import type { ListOptions } from '../../../http/types.ts'

const moments = ['eq', 'lt', 'lte', 'gt', 'gte', 'il'] as const

export const trashList = {
  table: 'deleted_publications',
  family: 'content',
  filters: {
    id: { type: 'id', operators: ['eq', 'in'] },
    title: { type: 'text', operators: ['eq', 'in', 'sw', 'has'] },
    created_on: { type: 'date', operators: moments },
    deleted_on: { type: 'date', operators: moments },
    deleted_by: { type: 'id', operators: ['eq', 'in', 'has'] },
  },
  sorts: { deleted_on: { type: 'date' } },
  defaultSort: '-deleted_on',
} satisfies ListOptions
