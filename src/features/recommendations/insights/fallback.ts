import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'

export type FallbackRow = { recommendation_id: string; since: Date; lift: number }

/** Recommendations that lost to the dummy and give way to it. */
export const fallbacksOf = async (db: Db, environmentId: string): Promise<Map<string, FallbackRow>> => {
  const { rows } = await sql<FallbackRow>`select recommendation_id, since, lift from recommendation_fallbacks
    where environment_id = ${environmentId}`.execute(db)
  return new Map(rows.map((row) => [row.recommendation_id, row]))
}
