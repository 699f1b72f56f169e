import { type Static, Type } from 'typebox'
import { Body, base, Changes, Nullable, NullableDateTime, Text } from '../../http/schemas.ts'
import { interactionLabels } from '../interactions/labels.ts'
import { type RecommendationType, recommendationTypes } from './table.ts'

const Weight = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 100, description }))

const RecommendationKind = Type.Unsafe<RecommendationType>({
  type: 'string',
  enum: [...recommendationTypes],
  description:
    'more_like_this: from one publication and what the visitor saw before; recommended_for_you: from what a person or visitor did; dummy: the publications list, a zero reference',
})

const fields = {
  name: Text(200, { examples: ['Home page'] }),
  type: RecommendationKind,
  filter: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'As GET /publications takes it; joined with what a prediction asks for',
    examples: [{ published: [{ eq: true }] }],
  }),
  weights: Type.Object(
    {
      collaborative: Weight('What persons do together'),
      sessions: Weight('What visitors with a like history did; for those without a person'),
      content: Weight('Words, tags and model, the more the fewer persons have seen a publication'),
      popularity: Weight('What many did lately'),
    },
    { additionalProperties: false, description: 'How much each part counts' },
  ),
  kpi_label: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...interactionLabels, null],
    description: 'The interaction that counts as success; any that names the recommendation unless given',
  }),
  exploration: Type.Number({
    minimum: 0,
    maximum: 0.5,
    description: 'Part of the slots that is given to publications that few have seen',
  }),
  diversity: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'How many of one tag may follow one another; 0: any number',
  }),
  control_share: Type.Number({
    minimum: 0,
    maximum: 0.5,
    description: 'Part of the persons that gets the dummy, always the same ones',
  }),
  exclude_seen: Type.Boolean({ description: 'Leave out what the person or visitor has had' }),
}
const readOnly = ['fallback']
export const RecommendationChanges = Changes(fields, readOnly)
export const RecommendationBody = Body(
  { ...RecommendationChanges.properties, name: fields.name, type: fields.type },
  readOnly,
)
export type RecommendationBody = Static<typeof RecommendationBody>
export type RecommendationChanges = Static<typeof RecommendationChanges>

export const Fallback = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: { since: NullableDateTime(), lift: { type: 'number' } },
  description: 'Since when it gives way to the dummy, to which it lost. Changing it tries again',
})

export const Recommendation = Type.Object(
  { ...base('Recommendation'), ...fields, kpi_label: Nullable('string') },
  { title: 'Recommendation' },
)

/** What recommendation.gave_way carries: a built-in one has no record. */
export const RecommendationGaveWay = Type.Object(
  { id: Type.String(), label: Type.Literal('Recommendation'), lift: Type.Number() },
  { title: 'RecommendationGaveWay' },
)
