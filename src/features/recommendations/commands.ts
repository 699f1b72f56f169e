import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import {
  deleteRecord,
  type Expected,
  insertRecord,
  lockRecord,
  updateRecord,
} from '../../database/records.ts'
import type { FieldError } from '../../errors.ts'
import { Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { compilePublicationFilter } from '../publications/list/compile.ts'
import { presentRecommendation } from './present.ts'
import type { RecommendationBody, RecommendationChanges } from './schema.ts'
import { defaults } from './settings.ts'
import type { RecommendationRow } from './table.ts'

/** A filter is refused when it is written, not when somebody asks. */
const checkFilter = async (tx: Tx, { environment }: Actor, filter: object = {}): Promise<void> => {
  const context = {
    db: tx,
    remember: <T>(_in: string, _family: string, _key: string, load: () => Promise<T>) => load(),
  }
  await compilePublicationFilter(context, { environment, visibility: 'all' }, { ...filter }).catch(
    (error) => {
      throw error instanceof Invalid ? new Invalid(within('filter', error.errors ?? [])) : error
    },
  )
}

const within = (name: string, errors: readonly FieldError[]): FieldError[] =>
  errors.map(({ path, message }) => ({ path: `${name}.${path}`, message }))

export const createRecommendation = async (
  tx: Tx,
  actor: Actor,
  body: RecommendationBody,
): Promise<RecommendationRow> => {
  await checkFilter(tx, actor, body.filter)
  const share = Number(actor.environment.settings.control_share ?? defaults.control_share)
  const values = { ...defaults, control_share: share, filter: {}, weights: {}, ...body }
  const row = await insertRecord(tx, 'recommendations', actor, values)
  await emit(tx, actor, 'recommendation.created', row, presentRecommendation(row))
  return row
}

/** What was changed is tried again, if it had given way to the dummy. */
export const changeRecommendation = async (
  tx: Tx,
  actor: Actor,
  id: string,
  { filter, weights, ...rest }: RecommendationChanges,
  expected: Expected,
): Promise<RecommendationRow> => {
  await checkFilter(tx, actor, filter)
  const before = await lockRecord(tx, 'recommendations', 'Recommendation', actor, id, expected)
  const row = await updateRecord(tx, 'recommendations', actor, before, {
    ...rest,
    ...(filter !== undefined && { filter: json(filter) }),
    ...(weights !== undefined && { weights: json(weights) }),
  })
  if (row === before) return row
  await forgetFallback(tx, actor, id)
  await emit(tx, actor, 'recommendation.changed', row, presentRecommendation(row))
  return row
}

export const deleteRecommendation = async (
  tx: Tx,
  actor: Actor,
  id: string,
  expected: Expected,
): Promise<void> => {
  const row = await lockRecord(tx, 'recommendations', 'Recommendation', actor, id, expected)
  await deleteRecord(tx, 'recommendations', actor, row)
  await forgetFallback(tx, actor, id)
  await sql`delete from recommendation_impressions
    where environment_id = ${actor.environment_id} and recommendation_id = ${id}`.execute(tx)
  await emit(tx, actor, 'recommendation.deleted', row, presentRecommendation(row))
}

const forgetFallback = async (tx: Tx, { environment_id }: Actor, id: string): Promise<void> => {
  await sql`delete from recommendation_fallbacks
    where environment_id = ${environment_id} and recommendation_id = ${id}`.execute(tx)
}
