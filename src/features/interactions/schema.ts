import { type Static, Type } from 'typebox'
import { Nullable, Text } from '../../http/schemas.ts'
import { Choice, Moment } from '../access/schemas.ts'
import { interactionLabels } from './labels.ts'

const mostInteractions = 1000

const fields = {
  id: Type.Optional(
    Text(200, {
      description: 'Of the caller’s choice: a repeat within 35 days is taken and not counted again',
    }),
  ),
  value: Type.Optional(Nullable('number', { examples: [1] })),
  person: Type.Optional(
    Type.Object(
      { id: Type.Optional(Text(200)), reference_id: Type.Optional(Text(200)) },
      {
        additionalProperties: false,
        minProperties: 1,
        description:
          'An unknown reference_id makes a person. Without one: the person of the session or token',
      },
    ),
  ),
  session_hash: Type.Optional(Text(500, { description: 'The session of the person, in place of `person`' })),
  created_on: Type.Optional(Moment({ description: 'Epoch seconds or ISO 8601; now unless sent' })),
  recommendation_id: Type.Optional(
    Nullable('string', { maxLength: 200, description: 'What `recommendation.id` of a prediction was' }),
  ),
}
const label = Choice(interactionLabels, { examples: ['View'] })

const Interaction = Type.Object({ label, ...fields }, { additionalProperties: false, title: 'Interaction' })

/** One interaction, or many under `items`. */
export const InteractionBody = Type.Object(
  {
    label: Type.Optional(label),
    ...fields,
    items: Type.Optional(Type.Array(Interaction, { minItems: 1, maxItems: mostInteractions })),
  },
  { additionalProperties: false },
)
export type InteractionBody = Static<typeof InteractionBody>
export type InteractionInput = Static<typeof Interaction>

export const Accepted = Type.Object({ accepted: Type.Integer({ description: 'How many interactions' }) })
