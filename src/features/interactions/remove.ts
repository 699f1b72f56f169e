import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { interactionLabels } from './labels.ts'

/** Interactions that one transaction removes: those who wait for it are many. */
const batch = 10_000

/**
 * Removes interactions of these persons, takes them off the counters and forgets the ids that callers gave them. Gives
 * whether there may be more.
 */
const removeSome = async (tx: Tx, environmentId: string, persons: string[]): Promise<boolean> => {
  const { rows } = await sql<{ removed: number }>`
    with next as materialized (
      select person_key, created_on, id from interactions
      where environment_id = ${environmentId} and person_key = any(${persons}::bigint[]) limit ${batch}
    ), gone as (
      delete from interactions row using next
      where row.environment_id = ${environmentId} and row.person_key = next.person_key
        and row.created_on = next.created_on and row.id = next.id
      returning row.id, publication_id, array_position(${[...interactionLabels]}::text[], label) - 1 as number
    ), forgotten as (
      delete from interaction_ids where environment_id = ${environmentId} and id in (select id from gone)
    ), delta as (
      insert into audience_deltas (environment_id, persons, labels, publications, removed)
      select ${environmentId}, '{}', array_agg(number), array_agg(publication_id), true from gone having count(*) > 0
    )
    select count(*)::int as removed from next`.execute(tx)
  return rows[0]!.removed === batch
}

/**
 * Removes what persons did who are no more. No lock ties an interaction to its person, so one can be committed just after
 * its person was removed; its delta tells. What is left comes with a delta of its own. Interactions of a person with a
 * tombstone stay.
 */
export const removeOrphans = async (tx: Tx, environmentId: string, persons: string[]): Promise<void> => {
  const { rows } = await sql<{ key: string }>`select key from unnest(${persons}::bigint[]) as touched (key)
    where not exists (select 1 from persons p where p.environment_id = ${environmentId} and p.key = touched.key)
      and not exists (select 1 from person_tombstones t
        where t.environment_id = ${environmentId} and t.person_key = touched.key)`.execute(tx)
  const keys = rows.map(({ key }) => key)
  if (keys.length > 0 && (await removeSome(tx, environmentId, keys)))
    await sql`insert into audience_deltas (environment_id, persons)
      values (${environmentId}, ${keys}::bigint[])`.execute(tx)
}
