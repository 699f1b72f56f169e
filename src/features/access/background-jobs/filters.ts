import type { ListOptions } from '../../../http/types.ts'

export const jobList = {
  table: 'graphile_worker.jobs',
  family: 'access',
  filters: {
    id: { type: 'id', operators: ['eq', 'in'] },
    task: { type: 'text', operators: ['eq', 'in', 'sw'] },
    attempts: { type: 'integer', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
    last_error: { type: 'text', operators: ['has'] },
    run_at: { type: 'date', operators: ['lt', 'lte', 'gt', 'gte'] },
    created_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
  },
  sorts: { created_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies ListOptions
