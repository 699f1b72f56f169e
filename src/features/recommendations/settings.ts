import type { Context } from '../../context.ts'
import { findRecord } from '../../database/records.ts'
import type { Actor } from '../access/authenticate.ts'
import { type RecommendationType, recommendationTypes, type Settings } from './table.ts'

/** Unless told otherwise: one slot in ten explores, no five of one tag in a row, one person in twenty is compared. */
export const defaults = {
  exploration: 0.1,
  diversity: 4,
  control_share: 0.05,
  exclude_seen: true,
  kpi_label: null,
}

const isBuiltIn = (id: string): id is RecommendationType =>
  (recommendationTypes as readonly string[]).includes(id)

/** A configured recommendation, or one that every environment has by the name of its type. */
export const settingsOf = (context: Context, actor: Actor, id: string): Promise<Settings> | Settings => {
  const { environment, environment_id } = actor
  if (isBuiltIn(id)) {
    const share = Number(environment.settings.control_share ?? defaults.control_share)
    return { ...defaults, id, type: id, filter: {}, weights: {}, control_share: share }
  }
  return context.remember(environment_id, 'structure', `recommendation ${id}`, () =>
    findRecord(context.db, 'recommendations', 'Recommendation', environment_id, id),
  )
}
