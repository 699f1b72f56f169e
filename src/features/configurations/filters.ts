import { dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

/** Settings are not searched: a configuration is asked for by its name. */
export const configurationList = {
  table: 'configurations',
  family: 'content',
  filters: {
    ...dates,
    q: { type: 'text', column: 'body', operators: ['fz'], bare: 'fz' },
    body: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
  },
  sorts: { ...dateSorts, body: { type: 'text' } },
  defaultSort: '-created_on',
} satisfies ListOptions
