import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { interactionLabels } from './labels.ts'
import { placesOf } from './places.ts'

/** So many go with one fold; a person may have had a million. */
const block = 10_000

/**
 * Interactions whose persons were removed go too, and off the counters. No lock ties an interaction to its person, so
 * one can also be committed just after: its delta brings it here. Those of a person with a tombstone stay, and those of
 * one who was merged follow. Gives whether there are more.
 */
export const removeOrphans = async (tx: Tx, environmentId: string, persons: string[]): Promise<boolean> => {
  const { rows } = await sql<{ key: string }>`select key from unnest(${persons}::bigint[]) as touched (key)
    where not exists (select 1 from persons p where p.environment_id = ${environmentId} and p.key = touched.key)
      and not exists (select 1 from person_tombstones t
        where t.environment_id = ${environmentId} and t.person_key = touched.key)
      and not exists (select 1 from merged_persons m
        where m.environment_id = ${environmentId} and m.person_key = touched.key)`.execute(tx)
  if (rows.length === 0) return false
  const gone = rows.map(({ key }) => key)
  const removed = await removeSome(tx, environmentId, gone)
  // The next fold goes on.
  if (removed === block)
    await sql`insert into audience_deltas (environment_id, persons) values (${environmentId}, ${gone}::bigint[])`.execute(
      tx,
    )
  return removed === block
}

/** With the ids that callers gave them: they may say whose they were. */
const removeSome = async (tx: Tx, environmentId: string, persons: string[]): Promise<number> => {
  const places = await placesOf(tx, environmentId, persons, block)
  for (const { table, rows } of places)
    await sql`
      with gone as (
        delete from ${sql.table(table)} where ctid = any(${rows}::tid[])
        returning id, publication_id, array_position(${[...interactionLabels]}::text[], label) - 1 as number
      ), forgotten as (
        delete from interaction_ids where environment_id = ${environmentId} and id in (select id from gone)
      )
      insert into audience_deltas (environment_id, persons, labels, publications, removed)
      select ${environmentId}, '{}', array_agg(number), array_agg(publication_id), true from gone`.execute(tx)
  return places.reduce((sum, { rows }) => sum + rows.length, 0)
}
