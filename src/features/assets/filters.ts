import { dateSorts, dates } from '../../database/common-filters.ts'
import type { FilterField } from '../../database/filters.ts'
import type { ListOptions } from '../../http/types.ts'
import { assetLabels, assetStatuses } from './table.ts'

const tags: FilterField = {
  type: 'id',
  column: 'tag_id',
  operators: ['eq', 'in', 'all', 'has'],
  bare: 'in',
  params: { id: 'tag_id', body: 'body', slug: 'slug' },
  link: {
    table: 'asset_tags',
    on: { asset_id: 'id' },
    target: { table: 'tags', on: { id: 'tag_id' } },
  },
}

export const assetList = {
  table: 'assets',
  family: 'content',
  filters: {
    ...dates,
    q: { type: 'text', column: 'names', operators: ['fz'], bare: 'fz' },
    label: { type: 'text', operators: ['eq', 'neq', 'in'], bare: 'in', values: assetLabels },
    tags,
    name: { type: 'text', operators: ['eq', 'in', 'sw', 'fz', 'has'] },
    original_name: { type: 'text', operators: ['eq', 'in', 'sw', 'has'] },
    reference_id: { type: 'text', operators: ['eq', 'in', 'has'], bare: 'eq' },
    folder: { type: 'text', operators: ['eq', 'in', 'sw', 'has'], bare: 'eq' },
    status: { type: 'text', operators: ['eq', 'neq', 'in'], bare: 'in', values: assetStatuses },
    mime_type: { type: 'text', operators: ['eq', 'in', 'sw'] },
    private: { type: 'boolean', operators: ['eq'], bare: 'eq' },
    size: { type: 'number', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
    width: { type: 'number', operators: ['eq', 'lt', 'lte', 'gt', 'gte', 'has'] },
    height: { type: 'number', operators: ['eq', 'lt', 'lte', 'gt', 'gte', 'has'] },
    duration: { type: 'number', operators: ['lt', 'lte', 'gt', 'gte', 'has'] },
  },
  sorts: { ...dateSorts, name: { type: 'text', nullable: true } },
  defaultSort: '-created_on',
} satisfies ListOptions

export const assetListV5 = { ...assetList, defaultLimit: 100 } satisfies ListOptions

export const assetTrash = {
  ...assetList,
  filters: { ...assetList.filters, deleted_on: { type: 'date', operators: ['lt', 'lte', 'gt', 'gte'] } },
  sorts: { deleted_on: { type: 'date' } },
  defaultSort: '-deleted_on',
} satisfies ListOptions
