import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { stopWay } from '../../events.ts'

type Counts = { events: number; deliveries: number }

/**
 * Takes what messages and comments said, and how files were called, out of the events about them, dispatched or not,
 * and out of the log of deliveries. The events stay, since their numbers have no gaps, and are not told any more.
 */
export const eraseTold = async (tx: Tx, environmentId: string, ids: string[]): Promise<Counts> => {
  if (ids.length === 0) return { events: 0, deliveries: 0 }
  await stopWay(tx)
  const about = sql`environment_id = ${environmentId} and record_id = any(${ids}::text[])
    and label in ('Message', 'Comment', 'Asset')`
  const { rows } = await sql<Counts>`
    with waiting as (update outbox set snapshot = null where ${about} returning 1),
      told as (update events set snapshot = null where ${about} returning 1),
      sent as (update webhook_deliveries set record_id = null, response_head = null
        where environment_id = ${environmentId} and record_id = any(${ids}::text[])
          and event like any (array['message.%', 'comment.%', 'asset.%']) returning 1)
    select ((select count(*) from waiting) + (select count(*) from told))::integer as events,
      (select count(*) from sent)::integer as deliveries`.execute(tx)
  return rows[0]!
}
