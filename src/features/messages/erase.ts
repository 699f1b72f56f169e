import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { emitMany } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'

type Whose = { environment_id: string; key: string }

/** The messages of a person and the replies to them. */
export const messagesOf = async (tx: Tx, { environment_id, key }: Whose): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with own as (select id from messages where environment_id = ${environment_id} and person_key = ${key})
    select id from own union all select reply.id from messages reply
    where environment_id = ${environment_id} and parent_id in (select id from own)`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Letters to somebody: they go with the person, and with all that was answered. Gives which. */
export const eraseMessages = async (tx: Tx, actor: Actor, whose: Whose): Promise<string[]> => {
  const ids = await messagesOf(tx, whose)
  await sql`delete from messages where environment_id = ${whose.environment_id}
    and person_key = ${whose.key}`.execute(tx)
  await emitMany(
    tx,
    actor,
    'message.deleted',
    ids.map((id) => ({ id, label: 'Message' })),
  )
  return ids
}
