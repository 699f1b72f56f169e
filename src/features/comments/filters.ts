import { dateSorts, dates } from '../../database/common-filters.ts'
import type { FilterSpec } from '../../database/filters.ts'
import { q, type Searched } from '../../database/words.ts'
import type { ListOptions } from '../../http/types.ts'
import { commentStatuses } from './table.ts'

const filters = {
  ...dates,
  q,
  status: { type: 'text', operators: ['eq', 'in'], values: commentStatuses, bare: 'eq' },
  moderated: { type: 'boolean', operators: ['eq'], bare: 'eq' },
} satisfies FilterSpec

const list = {
  table: 'comments',
  family: 'messages',
  filters,
  sorts: dateSorts,
  defaultSort: '-created_on',
} satisfies ListOptions

export const inComments: Searched = { table: 'comments', columns: ['body'] }

/** Comments under one publication, or replies to one comment. */
export const threadList = list satisfies ListOptions
/** As one reads a conversation. */
export const replyList = { ...list, defaultSort: 'created_on' } satisfies ListOptions

/** All of them: what moderators look through. */
export const commentList = {
  ...list,
  filters: {
    ...filters,
    channel_id: {
      type: 'id',
      operators: ['eq', 'in'],
      bare: 'eq',
      link: { table: 'publication_channels', on: { publication_id: 'publication_id' } },
      moving: true,
    },
    publication_id: { type: 'id', operators: ['eq', 'in'], bare: 'eq' },
    parent: { type: 'id', operators: ['eq', 'in', 'has'], column: 'parent_id' },
  },
} satisfies ListOptions
