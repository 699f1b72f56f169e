import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'

/**
 * Waits for everybody who writes about these persons, those who only refer to them too, and lets nobody begin: what
 * they tell would otherwise be committed behind the back of an erasure.
 */
export const holdForErasure = async (tx: Tx, environmentId: string, ids: string[]): Promise<void> => {
  await sql`select 1 from persons where environment_id = ${environmentId} and id = any(${ids}::text[])
    order by key for update`.execute(tx)
}
