import { dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

export const importStatuses = ['pending', 'running', 'done', 'cancelled', 'failed'] as const

export const importList = {
  table: 'imports',
  family: 'access',
  filters: {
    ...dates,
    status: { type: 'text', operators: ['eq', 'in'], values: [...importStatuses] },
    dry_run: { type: 'boolean', operators: ['eq'] },
  },
  sorts: dateSorts,
  defaultSort: '-created_on',
} satisfies ListOptions

export const importErrorList = {
  table: 'import_errors',
  family: 'access',
  filters: {
    row: { type: 'integer', column: 'number', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
    column: { type: 'text', operators: ['eq', 'in'] },
  },
  sorts: { row: { type: 'number', column: 'number' } },
  defaultSort: 'row',
} satisfies ListOptions
