import { byBody, dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

/** Settings are not searched: a configuration is asked for by its name. */
export const configurationList = {
  table: 'configurations',
  family: 'content',
  filters: {
    ...dates,
    ...byBody,
  },
  sorts: { ...dateSorts, body: { type: 'text' } },
  defaultSort: '-created_on',
} satisfies ListOptions
