import type { ListOptions } from '../../../http/types.ts'

export const operationList = {
  table: 'bulk_operations',
  family: 'access',
  filters: {
    id: { type: 'id', operators: ['eq', 'in'] },
    created_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
    kind: { type: 'text', operators: ['eq', 'in'], values: ['put', 'delete', 'undo', 'webhooks'] },
    status: {
      type: 'text',
      operators: ['eq', 'in'],
      values: ['pending', 'running', 'done', 'cancelled', 'failed'],
    },
  },
  sorts: { created_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies ListOptions
