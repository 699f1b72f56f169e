import { Type } from 'typebox'
import { base, DateTime, Nullable } from '../../../http/schemas.ts'
import { UserReference } from '../../access/expansions.ts'

export const DeletedPublication = Type.Object(
  {
    ...base('DeletedPublication'),
    title: Nullable('string', { description: 'Of the default locale, or the first there was' }),
    deleted_on: DateTime(),
    deleted_by: UserReference,
    version: Type.Integer(),
  },
  { title: 'DeletedPublication' },
)
