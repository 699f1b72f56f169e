import type { Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'
import type { Weights } from './model/score.ts'

export const recommendationTypes = ['more_like_this', 'recommended_for_you', 'dummy'] as const
export type RecommendationType = (typeof recommendationTypes)[number]

export type RecommendationTable = RecordColumns & {
  name: string
  type: RecommendationType
  /** As the publications list takes it. */
  filter: Json<Record<string, unknown>>
  weights: Json<Partial<Weights>>
  kpi_label: string | null
  exploration: number
  diversity: number
  control_share: number
  exclude_seen: boolean
}

export type RecommendationRow = Selectable<RecommendationTable>

/** What a prediction is made by, configured or built in. */
export type Settings = Pick<
  RecommendationRow,
  | 'id'
  | 'type'
  | 'filter'
  | 'weights'
  | 'kpi_label'
  | 'exploration'
  | 'diversity'
  | 'control_share'
  | 'exclude_seen'
>
