import { byBody, dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

/** In the order of the workflow, which is the order they were made in. */
export const statusList = {
  table: 'statuses',
  family: 'content',
  filters: {
    ...dates,
    ...byBody,
  },
  sorts: { ...dateSorts, body: { type: 'text' } },
  defaultSort: 'created_on',
} satisfies ListOptions
