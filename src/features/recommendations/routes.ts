import { recordRoutes } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { changeRecommendation, createRecommendation, deleteRecommendation } from './commands.ts'
import { recommendationList } from './filters.ts'
import { presentRecommendation, recommendationExpansions } from './present.ts'
import { Recommendation, RecommendationBody, RecommendationChanges } from './schema.ts'

const writes = ['recommendations', 'recommendations_publish'] as const

export const recommendationRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
    path: '/recommendations',
    label: 'Recommendation',
    record: Recommendation,
    list: recommendationList,
    expansions: recommendationExpansions,
    present: presentRecommendation,
    read: ['recommendations'],
    create: { scopes: writes, body: RecommendationBody, run: createRecommendation },
    change: { scopes: writes, body: RecommendationChanges, run: changeRecommendation },
    remove: { scopes: writes, run: deleteRecommendation },
  })
