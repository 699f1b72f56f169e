import { dateSorts, dates } from '../../../database/common-filters.ts'
import type { ListOptions } from '../../../http/types.ts'
import { roles } from '../table.ts'

export const invitationList = {
  table: 'invitations',
  family: 'access',
  scope: 'organisation_id',
  filters: {
    ...dates,
    q: { type: 'text', column: 'email', operators: ['fz'], bare: 'fz' },
    email: { type: 'text', operators: ['eq', 'in', 'sw', 'fz'] },
    role: { type: 'text', operators: ['eq', 'in'], values: roles },
    accepted: { type: 'date', column: 'accepted_on', operators: ['has'] },
    expires_on: { type: 'date', operators: ['lt', 'lte', 'gt', 'gte'] },
  },
  sorts: { ...dateSorts, email: { type: 'text' }, expires_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies ListOptions
