import { type Static, Type } from 'typebox'
import { Body, base, Changes, NullableDateTime, Text } from '../../http/schemas.ts'
import type { Rules } from './table.ts'

const example = {
  match: 'all',
  items: {
    grown_up: { age: [{ gte: 18 }] },
    active: { last_seen: [{ il: 604_800 }] },
    interested: {
      match: 'any',
      items: { liked: { liked: [{ has: true }] }, paying: { purchased: [{ has: true }] } },
    },
  },
}

/** What stands in the items is read by `readRules`, which names every fault by its path. */
export const SentRules = Type.Unsafe<Partial<Rules>>({
  type: 'object',
  properties: {
    match: { description: '`all`, which it is without one, or `any`' },
    items: { description: 'Name → filter of persons, or rules' },
  },
  description:
    'Each item is a filter of persons, as GET /persons takes them, or rules of its own. With `all` every item must match, with `any` one of them.',
  examples: [example],
})

const fields = { body: Text(200, { examples: ['Active grown-ups'] }), rules: SentRules }
const readOnly = ['total', 'status', 'last_seen']
export const SegmentChanges = Changes(fields, readOnly)
export const SegmentBody = Body({ ...SegmentChanges.properties, body: fields.body }, readOnly)
export type SegmentBody = Static<typeof SegmentBody>
export type SegmentChanges = Static<typeof SegmentChanges>

/** What person.segment.added and .removed carry: nothing of the person but its id. */
export const PersonInSegment = Type.Object(
  {
    id: Type.String(),
    label: Type.Literal('Person'),
    segment: Type.Object({ id: Type.String(), label: Type.Literal('Segment'), body: Type.String() }),
  },
  { title: 'PersonInSegment' },
)

export const Segment = Type.Object(
  {
    ...base('Segment'),
    body: fields.body,
    rules: Type.Unsafe<Rules>({
      type: 'object',
      properties: {
        match: { type: 'string', enum: ['all', 'any'] },
        items: { type: 'object', additionalProperties: true },
      },
      examples: [example],
    }),
    total: Type.Integer({ description: 'How many persons are in it' }),
    status: Type.Unsafe<'pending' | 'ready'>({
      type: 'string',
      enum: ['pending', 'ready'],
      description: 'Pending while the members are worked out after its rules were changed',
    }),
    last_seen: NullableDateTime({ description: 'When one of its members was last seen, to the minute' }),
  },
  { title: 'Segment' },
)
