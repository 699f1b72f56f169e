import { byBody, dateSorts, dates } from '../../database/common-filters.ts'
import type { ListOptions } from '../../http/types.ts'

export const modelList = {
  table: 'publication_models',
  family: 'structure',
  filters: {
    ...dates,
    ...byBody,
    stories: { type: 'boolean', operators: ['eq'] },
    channels: { type: 'boolean', operators: ['eq'] },
  },
  sorts: { ...dateSorts, body: { type: 'text' } },
  defaultSort: '-created_on',
} satisfies ListOptions
