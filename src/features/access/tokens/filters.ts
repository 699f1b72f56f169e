import { dateSorts, dates } from '../../../database/common-filters.ts'
import type { ListOptions } from '../../../http/types.ts'

export const tokenList = {
  table: 'tokens',
  family: 'access',
  scope: 'organisation_id',
  filters: {
    ...dates,
    q: { type: 'text', column: 'name', operators: ['fz'], bare: 'fz' },
    name: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    kind: {
      type: 'text',
      operators: ['eq', 'neq', 'in'],
      values: ['environment', 'organisation', 'application', 'personal'],
    },
    user: { type: 'id', column: 'user_id', operators: ['eq', 'in', 'has'] },
    expires_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte', 'has'] },
    last_used_on: { type: 'date', operators: ['lt', 'lte', 'gt', 'gte', 'has'] },
    revoked: { type: 'date', column: 'revoked_on', operators: ['has'] },
  },
  sorts: {
    ...dateSorts,
    name: { type: 'text' },
    expires_on: { type: 'date', nullable: true },
    last_used_on: { type: 'date', nullable: true },
  },
  defaultSort: '-created_on',
} satisfies ListOptions
