import { dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'
import { sourceLabels } from './labels.ts'

export const sourceList = {
  table: 'source_records',
  family: 'sources',
  filters: {
    ...dates,
    q: { type: 'text', column: 'name', operators: ['fz'], bare: 'fz' },
    name: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    shortname: { type: 'text', operators: ['eq', 'in', 'has'] },
    label: { type: 'text', operators: ['eq', 'neq', 'in'], bare: 'eq', values: sourceLabels },
    tag: { type: 'text', operators: ['eq', 'in', 'has'] },
    origin: { type: 'text', operators: ['eq', 'in'] },
    favorite: { type: 'boolean', operators: ['eq'], bare: 'eq' },
    active: { type: 'boolean', operators: ['eq'], bare: 'eq' },
  },
  sorts: {
    ...dateSorts,
    name: { type: 'text' },
    shortname: { type: 'text', nullable: true },
  },
  defaultSort: '-created_on',
} satisfies ListOptions
