import { Type } from 'typebox'
import { Body, NullableDateTime } from '../../http/schemas.ts'
import { SentRules } from './schema.ts'

export const PreviewBody = Body({
  rules: Type.Optional(SentRules),
  exact: Type.Optional(Type.Boolean({ description: 'Wait for the exact number', default: false })),
})

export const Preview = Type.Object(
  {
    total: Type.Integer({ description: 'How many persons the rules find' }),
    exact: Type.Boolean({ description: 'False: the total is an estimate' }),
    margin: Type.Integer({
      description: 'The number lies so near to the total in 19 cases of 20; 0 when exact',
    }),
  },
  { title: 'SegmentPreview' },
)

const Reference = (label: string) => ({ id: Type.String(), label: Type.Literal(label) })

export const Why = Type.Object(
  {
    label: Type.Literal('SegmentPerson'),
    segment: Type.Object({ ...Reference('Segment'), body: Type.String() }),
    person: Type.Object(Reference('Person')),
    member: Type.Boolean(),
    since: NullableDateTime({ description: 'Null for somebody who is not in it' }),
    matched: Type.Array(Type.String(), {
      description: 'Names of the rules that match, those inside of groups behind a dot',
      examples: [['grown_up', 'interested', 'interested.liked']],
    }),
    rules: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'The rules, each with `matched`; a filter tells it of each of its fields',
      examples: [
        {
          match: 'all',
          matched: true,
          items: { grown_up: { matched: true, filters: { age: true } } },
        },
      ],
    }),
  },
  { title: 'SegmentPerson' },
)
