import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import type { OperationRow } from './table.ts'

/** In one statement, so that no lock is held for long. */
const step = 5000

/** Whether calls that the operation queued wait to be sent. */
export const hasCalls = async (tx: Tx, { environment_id, id }: OperationRow): Promise<boolean> => {
  const { rows } = await sql<{ any: boolean }>`select exists (select 1 from webhook_deliveries
    where environment_id = ${environment_id} and bulk_operation_id = ${id} and status = 'pending') as any`.execute(
    tx,
  )
  return rows[0]!.any
}

/** Ends what a cancelled operation queued and nobody has sent. What is being sent right now may still arrive. */
export const cancelCalls = async (
  { db }: Context,
  { environment_id, id }: { environment_id: string; id: string },
): Promise<void> => {
  for (let ended = step; ended === step; ) {
    const { numAffectedRows } = await sql`update webhook_deliveries as row set status = 'cancelled',
        error = 'The operation was cancelled', next_attempt_on = null, claimed_until = null, ended_on = now()
      from (select call.environment_id, call.id from webhook_deliveries as call
        join bulk_operations as operation on operation.environment_id = call.environment_id
          and operation.id = call.bulk_operation_id and operation.status = 'cancelled'
        where call.environment_id = ${environment_id} and call.bulk_operation_id = ${id} and call.status = 'pending'
        limit ${step} for update of call skip locked) as one
      where row.environment_id = one.environment_id and row.id = one.id`.execute(db)
    ended = Number(numAffectedRows)
  }
}
