import type { ListOptions } from '../../../http/types.ts'

export const deliveryList = {
  table: 'webhook_deliveries',
  family: 'access',
  filters: {
    id: { type: 'id', operators: ['eq', 'in'] },
    message_id: { type: 'id', column: 'event_id', operators: ['eq', 'in'] },
    event: { type: 'text', operators: ['eq', 'in'] },
    record: { type: 'id', column: 'record_id', operators: ['eq', 'in'] },
    source: { type: 'text', operators: ['eq', 'neq', 'in'] },
    status: { type: 'text', operators: ['eq', 'neq', 'in'] },
    response_status: { type: 'integer', operators: ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'has'] },
    created_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
  },
  sorts: { created_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies ListOptions
