import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { interactionLabels } from './labels.ts'

/** Removes all interactions of these persons, and takes them off the counters. Gives how many there were. */
export const removeInteractions = async (
  tx: Tx,
  environmentId: string,
  persons: string[],
): Promise<number> => {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from interactions where environment_id = ${environmentId} and person_key = any(${persons}::bigint[])
      returning publication_id, array_position(${[...interactionLabels]}::text[], label) - 1 as number
    ), delta as (
      insert into audience_deltas (environment_id, persons, labels, publications, removed)
      select ${environmentId}, '{}', array_agg(number), array_agg(publication_id), true from gone having count(*) > 0
    )
    select count(*)::int as removed from gone`.execute(tx)
  return rows[0]!.removed
}

/**
 * No lock ties an interaction to its person, so one can be committed just after its person was removed. Its delta
 * tells: then it goes too. Those of a person with a tombstone stay.
 */
export const removeOrphans = async (tx: Tx, environmentId: string, persons: string[]): Promise<void> => {
  const { rows } = await sql<{ key: string }>`select key from unnest(${persons}::bigint[]) as touched (key)
    where not exists (select 1 from persons p where p.environment_id = ${environmentId} and p.key = touched.key)
      and not exists (select 1 from person_tombstones t
        where t.environment_id = ${environmentId} and t.person_key = touched.key)`.execute(tx)
  if (rows.length > 0)
    await removeInteractions(
      tx,
      environmentId,
      rows.map(({ key }) => key),
    )
}
