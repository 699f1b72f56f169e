import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import type { Asking } from '../persons/list/conditions.ts'

const lock = 7_236_512

/** When, where and in whose name members are worked out. */
export type Working = Asking & {
  environment: { id: string; organisation_id: string; time_zone: string }
  /** Nobody is told who comes and goes. */
  isSilent?: boolean
}

/**
 * Members of an environment's segments are changed by one transaction at a time: what it works out rests on all that
 * those before it saw and did. The moment is taken behind the lock, so that nobody judges by an earlier one than they.
 */
export const lockMembers = async (tx: Tx, environmentId: string): Promise<Working> => {
  const [, , { rows }] = await Promise.all([
    // Whoever works out a large segment holds it for a moment; to give up would only mean to ask again.
    sql`select set_config('lock_timeout', '50s', true)`.execute(tx),
    sql`select pg_advisory_xact_lock(${lock}, hashtext(${environmentId}))`.execute(tx),
    sql<
      Working['environment'] & { now: Date }
    >`select id, organisation_id, time_zone, clock_timestamp() as now
      from environments where id = ${environmentId}`.execute(tx),
  ])
  const { now, ...environment } = rows[0]!
  return { environment, now }
}
