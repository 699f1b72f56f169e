import type { ListOptions } from '../../../http/types.ts'

export const auditList = {
  table: 'events',
  family: 'access',
  filters: {
    id: { type: 'id', operators: ['eq', 'in'] },
    event: { type: 'text', operators: ['eq', 'in', 'sw'] },
    label: { type: 'text', operators: ['eq', 'in'] },
    record: { type: 'id', column: 'record_id', operators: ['eq', 'in'] },
    user: { type: 'id', column: 'user_id', operators: ['eq', 'in', 'has'] },
    token: { type: 'id', column: 'token_id', operators: ['eq', 'in', 'has'] },
    created_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
  },
  sorts: { created_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies ListOptions
