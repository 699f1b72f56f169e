import { Type } from 'typebox'
import { base, Nullable } from '../../../http/schemas.ts'
import { UserReference } from '../../access/expansions.ts'

export const Version = Type.Object(
  {
    ...base('Version'),
    version: Type.Integer(),
    event: Type.String({ enum: ['created', 'changed', 'deleted', 'restored'] }),
    created_by: UserReference,
    locales: Type.Array(Type.String(), { description: 'Locales that it touched' }),
    bulk_operation_id: Nullable('string'),
  },
  { title: 'Version' },
)

export const VersionParams = Type.Object({
  id: Type.String({ maxLength: 200 }),
  version: Type.String({ pattern: '^\\d{1,9}$' }),
})

export const CompareQuery = Type.Object(
  {
    with: Type.Optional(
      Type.String({ pattern: '^\\d{1,9}$', description: 'The other version; the newest unless given' }),
    ),
  },
  { additionalProperties: false },
)

export const Comparison = Type.Object(
  {
    label: Type.Literal('Comparison'),
    version: Type.Integer(),
    with: Type.Integer(),
    items: Type.Array(
      Type.Object({
        path: Type.String({ examples: ['items.en-US.title'] }),
        before: Type.Unknown({ description: 'In `version`' }),
        after: Type.Unknown({ description: 'In `with`' }),
      }),
    ),
  },
  { title: 'Comparison' },
)
