import type { ListOptions } from '../../../http/types.ts'

export const versionList = {
  table: 'publication_versions',
  family: 'content',
  filters: {
    version: { type: 'integer', operators: ['eq', 'in', 'lt', 'lte', 'gt', 'gte'] },
    event: { type: 'text', operators: ['eq', 'in'], values: ['created', 'changed', 'deleted', 'restored'] },
    created_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte', 'il'] },
    created_by: { type: 'id', operators: ['eq', 'in', 'has'] },
    bulk_operation_id: { type: 'id', operators: ['eq', 'in', 'has'] },
  },
  sorts: { created_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies ListOptions
