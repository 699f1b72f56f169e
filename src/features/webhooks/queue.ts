import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import type { DeliverySource } from './table.ts'

/** Something that a webhook is to be told. */
export type Call = {
  environment_id: string
  webhook_id: string
  event_id: string
  sequence: string | null
  event: string
  record_id: string
}

/** Deliveries that are due at once, in one statement. */
export const queueDeliveries = async (
  tx: Tx,
  source: DeliverySource,
  calls: Call[],
  operationId: string | null = null,
): Promise<void> => {
  if (calls.length === 0) return
  const of = <K extends keyof Call>(name: K): Call[K][] => calls.map((call) => call[name])
  await sql`insert into webhook_deliveries
      (environment_id, id, webhook_id, event_id, sequence, event, record_id, source, bulk_operation_id)
    select called.*, ${source}, ${operationId}
    from unnest(${of('environment_id')}::text[], ${calls.map(() => randomUUIDv7())}::text[],
      ${of('webhook_id')}::text[], ${of('event_id')}::text[], ${of('sequence')}::bigint[], ${of('event')}::text[],
      ${of('record_id')}::text[]) as called`.execute(tx)
}
