import { type Static, Type } from 'typebox'
import { Nullable } from '../../../http/schemas.ts'
import { Fallback } from '../schema.ts'

const rate = (description: string) => Nullable('number', { description })

const Side = Type.Object({
  impressions: Type.Integer(),
  clicks: Type.Integer(),
  ctr: rate('Clicks by impression'),
})

const counted = {
  impressions: Type.Integer({ description: 'Publications shown to persons, the control among them' }),
  clicks: Type.Integer({ description: 'Interactions that name the recommendation and count as success' }),
  ctr: rate('Clicks by impression'),
  recommended: Side,
  control: Side,
  lift: rate('How much higher the rate is than that of the control: 0.1 is ten per cent'),
  lift_low: rate('Lower end of its 95% interval'),
  lift_high: rate('Upper end'),
}

export const InsightsQuery = Type.Object(
  {
    days: Type.Optional(
      Type.String({
        pattern: '^([1-9]|[1-8][0-9]|90)$',
        examples: ['28'],
        description: 'Up to today, 1 to 90; 28 unless given',
      }),
    ),
  },
  { additionalProperties: false },
)
export type InsightsQuery = Static<typeof InsightsQuery>

export const RecommendationInsights = Type.Object(
  {
    recommendation: Type.Object({ id: Type.String() }),
    ...counted,
    anonymous_impressions: Type.Integer({ description: 'Shown to visitors without a person; not compared' }),
    days: Type.Array(Type.Object({ date: Type.String({ examples: ['2026-11-01'] }), ...counted })),
    fallback: Fallback,
  },
  { title: 'RecommendationInsights' },
)
