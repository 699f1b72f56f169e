import { dateSorts, dates } from '../../../database/common-filters.ts'
import type { FilterSpec } from '../../../database/filters.ts'
import type { SortSpec } from '../../../database/sort.ts'
import type { ListOptions } from '../../../http/types.ts'
import { musicStatuses } from '../table.ts'

const moments = ['eq', 'lt', 'lte', 'gt', 'gte'] as const

const common = {
  ...dates,
  body: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
  status: { type: 'text', operators: ['eq', 'neq', 'in'], bare: 'eq', values: musicStatuses },
  published_on: { type: 'date', operators: moments },
  unpublish_on: { type: 'date', operators: [...moments, 'has'] },
  reference_unique: { type: 'text', operators: ['eq', 'in', 'sw', 'has'] },
  cover: { type: 'id', column: 'cover_id', operators: ['eq', 'in', 'has'] },
} satisfies FilterSpec

const tagged = (table: string, key: string) =>
  ({
    type: 'text',
    operators: ['eq', 'in', 'all', 'has'],
    column: 'tag_id',
    params: { id: 'tag_id', slug: 'slug', body: 'body' },
    link: { table, on: { [key]: 'id' }, target: { table: 'tags', on: { id: 'tag_id' } } },
  }) satisfies FilterSpec[string]

const linked = (own: string, other: string, target: string) =>
  ({
    type: 'text',
    operators: ['eq', 'in', 'all', 'has'],
    column: other,
    params: { id: other, body: 'body', reference_unique: 'reference_unique' },
    link: { table: 'artist_tracks', on: { [own]: 'id' }, target: { table: target, on: { id: other } } },
  }) satisfies FilterSpec[string]

const sorts = {
  ...dateSorts,
  published_on: { type: 'date' },
  body: { type: 'text' },
} satisfies SortSpec

export const artistList = {
  table: 'artists',
  family: 'music',
  filters: {
    ...common,
    q: { type: 'text', column: 'body', operators: ['fz'], bare: 'fz' },
    tags: tagged('artist_tags', 'artist_id'),
    tracks: linked('artist_id', 'track_id', 'tracks'),
  },
  sorts,
  defaultSort: '-created_on',
} satisfies ListOptions

export const trackList = {
  table: 'tracks',
  family: 'music',
  filters: {
    ...common,
    q: { type: 'text', column: 'search', operators: ['fz'], bare: 'fz' },
    artist_text: { type: 'text', operators: ['eq', 'in', 'sw'] },
    tags: tagged('track_tags', 'track_id'),
    artists: linked('track_id', 'artist_id', 'artists'),
    isrc: {
      type: 'text',
      operators: ['eq', 'in', 'has'],
      link: { table: 'track_isrcs', on: { track_id: 'id' } },
    },
  },
  sorts: { ...sorts, artist_text: { type: 'text' } },
  defaultSort: '-created_on',
} satisfies ListOptions
