import { type Static, Type } from 'typebox'
import { Body, base, Nullable, Text } from '../../http/schemas.ts'
import { Choice } from '../access/schemas.ts'
import { commentStatuses } from './table.ts'

const body = Text(10_000, { examples: ['We heard the storm before we saw it.'] })
const Reference = Type.Object({ id: Type.String() })
const NullableReference = Type.Unsafe<{ id: string } | null>({
  type: ['object', 'null'],
  properties: { id: { type: 'string' } },
})

const shown = ['moderated', 'status', 'publication', 'parent', 'sent', 'replies']

/** A person comments by its session. */
export const NewComment = Body(
  {
    body,
    session_hash: Type.String({ maxLength: 200, writeOnly: true, description: 'The session of the person' }),
  },
  shown,
)
export const CommentBody = Body({ body }, shown)
export type CommentBody = Static<typeof CommentBody>

export const Comment = Type.Object(
  {
    ...base('Comment'),
    body,
    moderated: Type.Boolean({ description: 'Whether a back-office user has edited it' }),
    status: Choice(commentStatuses, { description: 'Readers see approved ones' }),
    publication: Reference,
    parent: NullableReference,
  },
  { title: 'Comment' },
)

/** What everybody may see of who wrote it. */
export const Writer = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {
    id: { type: 'string' },
    label: { type: 'string', const: 'Person' },
    initials: Nullable('string'),
    firstname: Nullable('string'),
    nickname: Nullable('string'),
  },
})

/** As events carry a comment; of one that is deleted they tell no more than that. */
export const CommentPayload = Type.Object(
  {
    ...base('Comment'),
    ...Type.Partial(Type.Omit(Comment, ['id', 'created_on', 'changed_on', 'label'])).properties,
  },
  { title: 'CommentPayload' },
)
