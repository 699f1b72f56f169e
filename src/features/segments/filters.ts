import { byBody, dateSorts, dates } from '../../database/common-filters.ts'
import type { FilterField } from '../../database/filters.ts'
import type { ListOptions } from '../../http/types.ts'

const date = { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte', 'il'] } satisfies FilterField

export const segmentList = {
  table: 'counted_segments',
  family: 'segments',
  filters: {
    ...dates,
    ...byBody,
    created_on: date,
    changed_on: { ...date, operators: [...date.operators, 'has'] },
    last_seen: { ...date, operators: [...date.operators, 'has'] },
    persons: {
      type: 'id',
      operators: ['eq', 'in'],
      params: { id: 'id' },
      link: {
        table: 'segment_members',
        on: { segment_id: 'id' },
        target: { table: 'persons', on: { key: 'person_key' } },
      },
      moving: true,
    },
  },
  sorts: {
    ...dateSorts,
    last_seen: { type: 'date', nullable: true },
    body: { type: 'text' },
  },
  defaultSort: '-created_on',
} satisfies ListOptions
