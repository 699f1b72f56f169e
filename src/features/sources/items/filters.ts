import { dates } from '../../../database/common-filters.ts'
import { q, type Searched } from '../../../database/words.ts'
import type { ListOptions } from '../../../http/types.ts'
import { sourceLabels } from '../labels.ts'

const { id, created_on } = dates

export const sourceItemList = {
  table: 'source_item_records',
  family: 'sources',
  filters: {
    id,
    created_on,
    q,
    source_ids_or: { type: 'id', column: 'source_id', operators: ['in'], bare: 'in' },
    label: {
      type: 'text',
      column: 'source_label',
      operators: ['eq', 'in'],
      bare: 'eq',
      values: sourceLabels,
    },
    published_on: created_on,
    publication: { type: 'id', column: 'publication_id', operators: ['has'] },
  },
  sorts: { published_on: { type: 'date' }, created_on: { type: 'date' } },
  defaultSort: '-published_on',
} satisfies ListOptions

export const inItems: Searched = { table: 'source_items', columns: ['words'] }
