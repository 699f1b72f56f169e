import { Type } from 'typebox'
import { Body, base, Nullable } from '../../../http/schemas.ts'
import { PublicationChanges } from '../schema.ts'

/** Yes or no in a query, a form or JSON. */
const Switch = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | boolean>({
      type: ['string', 'boolean'],
      enum: ['true', 'false', '1', '0', true, false],
      description,
    }),
  )

const options = {
  all: Switch('true: every publication is meant; without it a filter is needed'),
  dry_run: Switch('true: nothing is done; the answer tells what would be'),
  plan: Type.Optional(
    Type.String({ maxLength: 100, description: 'From a dry run: 409 if other publications match by now' }),
  ),
}

/** Besides these the query holds filters, as that of `GET /publications`. */
export const BulkQuery = Type.Object(options, { additionalProperties: true })

const filter = Type.Optional(
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The filters of GET /publications, here or in the query',
    examples: [{ status: [{ eq: 'Done' }], locale: 'en-US' }],
  }),
)

const { 'x-ignored': ignored } = PublicationChanges as unknown as { 'x-ignored': string[] }
export const BulkPutBody = Body({ ...PublicationChanges.properties, ...options, filter }, ignored)
/** A body is not needed where the query says it all. */
export const BulkDeleteBody = Type.Unsafe<object | null>({
  ...Body({ ...options, filter }),
  type: ['object', 'null'],
})

const count = (description: string) => Type.Integer({ minimum: 0, description })
const kind = Type.Union(['put', 'delete', 'undo', 'webhooks'].map((kind) => Type.Literal(kind)))
const matched = count('Publications that matched when it was accepted')

export const BulkOperation = Type.Object(
  {
    ...base('BulkOperation'),
    kind,
    status: Type.Union(
      ['pending', 'running', 'done', 'cancelled', 'failed'].map((status) => Type.Literal(status)),
    ),
    matched,
    processed: count(
      'Publications that it has dealt with; those that were deleted meanwhile are passed over',
    ),
    failed: count('Those among them that could not be changed'),
    undoes: Nullable('string', { description: 'The id of the operation whose work it takes back' }),
    reason: Nullable('string', { description: 'Why it failed' }),
  },
  { title: 'BulkOperation' },
)

export const PlannedOperation = Type.Object(
  {
    label: Type.Literal('BulkOperation'),
    kind,
    status: Type.Literal('planned'),
    matched,
    ids: Type.Array(Type.String(), { description: 'The first 25' }),
    plan: Type.String({ description: 'Stands for the publications that match and their versions' }),
  },
  { title: 'PlannedBulkOperation' },
)

export const RecordErrors = Type.Array(
  Type.Object({
    id: Type.String({ description: 'Of the publication' }),
    errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
  }),
  { description: 'The first 25 publications that could not be changed' },
)
