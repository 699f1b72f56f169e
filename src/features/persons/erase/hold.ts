import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { dispatchLock } from '../../../events.ts'

/**
 * Waits for everybody who writes about these persons, those who only refer to them too, and lets nobody begin: what
 * they tell would otherwise be committed behind the back of an erasure.
 */
export const holdForErasure = async (tx: Tx, environmentId: string, ids: string[]): Promise<void> => {
  await sql`select 1 from persons where environment_id = ${environmentId} and id = any(${ids}::text[])
    order by key for update`.execute(tx)
}

/** Stops the way from the outbox to events and deliveries until the commit, so that nothing is between two tables. */
export const holdEvents = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${dispatchLock})`.execute(tx)
  await sql`select 1 from webhook_position for update`.execute(tx)
}
