import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { stopWay } from '../../../events.ts'
import { eraseTold } from '../../messages/told.ts'

/** Stands in place of the id of somebody who was erased. */
export const erasedId = 'erased'

export type Counts = Record<string, number>
type Whom = { environment_id: string; id: string }

/**
 * Takes a person out of what was told of it: events, whether they were dispatched or not, the log of deliveries, where
 * answers may repeat what was sent, and keys of repeated requests. The events stay, because their numbers have no gaps,
 * and say of nobody that something happened; without a snapshot they are not told any more.
 */
export const eraseTraces = async (tx: Tx, { environment_id, id }: Whom, words: string[]): Promise<Counts> => {
  await stopWay(tx)
  const about = sql`environment_id = ${environment_id} and label = 'Person' and record_id = ${id}`
  const nobody = sql`record_id = ${erasedId}, snapshot = null, match = null`
  // One statement, because everybody's events wait meanwhile.
  const { rows } = await sql<Counts>`
    with waiting as (update outbox set ${nobody} where ${about} returning 1),
      told as (update events set ${nobody} where ${about} returning 1),
      sent as (update webhook_deliveries set record_id = null, response_head = null
        where environment_id = ${environment_id} and record_id = ${id} and event like 'person.%' returning 1),
      repeated as (update idempotency_keys set record_id = ${erasedId}
        where environment_id = ${environment_id} and record_id = ${id})
    select ((select count(*) from waiting) + (select count(*) from told))::integer as events,
      (select count(*) from sent)::integer as deliveries`.execute(tx)
  const said = await eraseTold(tx, environment_id, words)
  const { events, deliveries } = rows[0]!
  return { events: events! + said.events, deliveries: deliveries! + said.deliveries }
}

/** Every address that the person was ever told to have. */
export const addressesOf = async (tx: Tx, { environment_id, id }: Whom): Promise<string[]> => {
  const about = sql`environment_id = ${environment_id} and label = 'Person' and record_id = ${id}`
  const { rows } = await sql<{ email: string }>`select distinct one ->> 'email' as email
    from (select snapshot from outbox where ${about} union all select snapshot from events where ${about}) told,
      jsonb_array_elements(told.snapshot #> '{emails,items}') as one`.execute(tx)
  return rows.map(({ email }) => email)
}
