import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { emittedName } from '../../../events.ts'
import { type Calling, findCalling } from '../../webhooks/queries.ts'
import { queueDeliveries } from '../../webhooks/queue.ts'
import { snapshotOf } from '../store/load.ts'
import { loadMany } from '../store/load-many.ts'
import type { PublicationRow } from '../table.ts'
import type { OperationRow, StoredCall } from './table.ts'

/** Publications in one transaction, and of those that must be looked into: one may be large. */
const [most, mostWhole] = [1000, 50]
const maxDeliveries = 10_000

type Calls = {
  /** Publications that a batch takes. */
  size: number
  queue(tx: Tx, ids: string[]): Promise<void>
}

/** The webhooks that an operation calls, as they are when it begins on this node. */
export const callsOf = async (context: Context, operation: OperationRow): Promise<Calls> => {
  const { environment_id, id, body } = operation
  const { event } = body as StoredCall
  const calling = await context.remember(environment_id, 'access', `calls of ${id}`, async () =>
    findCalling(context, (await context.tokens.environment(environment_id))!, event),
  )
  const room = Math.max(1, Math.floor(maxDeliveries / Math.max(1, calling.count)))
  return {
    size: Math.min(room, calling.index.asksForMatch(emittedName(event)) ? mostWhole : most),
    queue: (tx, ids) => queueCalls(tx, operation, event, calling, ids),
  }
}

/** One message per publication, whoever it goes to; those that were deleted meanwhile are passed over. */
const queueCalls = async (
  tx: Tx,
  { environment_id, id }: OperationRow,
  event: string,
  { index }: Calling,
  ids: string[],
): Promise<void> => {
  const name = emittedName(event)
  const { rows } = await sql<PublicationRow>`select * from publications
    where environment_id = ${environment_id} and id = any(${ids}::text[]) order by id`.execute(tx)
  const stored = index.asksForMatch(name) ? await loadMany(tx, rows) : undefined
  const called = rows.flatMap((row, place) => {
    const whole = stored?.[place]
    const snapshot = whole ? snapshotOf(whole.publication, row.facets, whole.facets, whole.words) : null
    const message = { environment_id, event_id: randomUUIDv7(), sequence: null, record_id: row.id }
    return index
      .wanting(name, snapshot)
      .map(({ webhook, names }) => ({ ...message, webhook_id: webhook.id, event: names.get(name)! }))
  })
  await queueDeliveries(tx, 'bulk', called, id)
}
