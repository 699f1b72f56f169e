import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { emitMany } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'

type Whose = { environment_id: string; key: string }

/**
 * Removes what a person wrote under publications, and tells which. Replies of others move up: to the nearest comment
 * above that stays, or to the publication.
 */
export const eraseComments = async (
  tx: Tx,
  actor: Actor,
  { environment_id, key }: Whose,
): Promise<string[]> => {
  // Nobody begins a reply to one of them meanwhile.
  await sql`select 1 from comments where environment_id = ${environment_id} and person_key = ${key}
    order by id for update`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    with recursive gone as (
      select id, parent_id from comments where environment_id = ${environment_id} and person_key = ${key}
    ), above (id, place) as (
      select id, parent_id from gone
      union all select above.id, gone.parent_id from above join gone on gone.id = above.place
    ), moved as (
      update comments row set parent_id = above.place from above
      where row.environment_id = ${environment_id} and row.parent_id = above.id
        and row.person_key is distinct from ${key}
        and not exists (select 1 from gone where gone.id = above.place)
    )
    select id from gone`.execute(tx)
  await sql`delete from comments where environment_id = ${environment_id} and person_key = ${key}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await emitMany(
    tx,
    actor,
    'comment.deleted',
    ids.map((id) => ({ id, label: 'Comment' })),
  )
  return ids
}
