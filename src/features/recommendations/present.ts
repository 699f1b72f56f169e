import type { Expansions } from '../../http/expand.ts'
import { presentBase } from '../../http/schemas.ts'
import { commonExpansions } from '../access/expansions.ts'
import { fallbacksOf } from './insights/fallback.ts'
import { presentFallback } from './insights/present.ts'
import { Fallback } from './schema.ts'
import type { RecommendationRow } from './table.ts'

export const presentRecommendation = (row: RecommendationRow) => ({
  ...presentBase('Recommendation', row),
  name: row.name,
  type: row.type,
  filter: row.filter,
  weights: row.weights,
  kpi_label: row.kpi_label,
  exploration: tidy(row.exploration),
  diversity: row.diversity,
  control_share: tidy(row.control_share),
  exclude_seen: row.exclude_seen,
})

/** Stored with the seven digits of a real. */
const tidy = (value: number): number => Number(value.toPrecision(6))

export const recommendationExpansions: Expansions<RecommendationRow> = {
  ...commonExpansions,
  fallback: {
    schema: Fallback,
    load: async (db, { environment_id }) => {
      const fallbacks = await fallbacksOf(db, environment_id)
      return ({ id }) => presentFallback(fallbacks.get(id))
    },
  },
}
