import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { interactionLabels } from './labels.ts'
import { placesOf } from './places.ts'

/** So many follow with one fold; a person may have had a million. */
const block = 10_000

type Merged = { person_key: string; kept_key: string }

/**
 * Interactions of those who were merged into somebody become that person's, and are known of it. Gives who got some,
 * and whether there are more.
 */
export const followMerged = async (
  tx: Tx,
  environmentId: string,
  persons: string[],
): Promise<{ kept: string[]; isMore: boolean }> => {
  const { rows } = await sql<Merged>`select person_key, kept_key from merged_persons
    where environment_id = ${environmentId} and person_key = any(${persons}::bigint[])`.execute(tx)
  const kept: string[] = []
  let left = block
  for (const merged of rows) {
    if (left > 0) left -= await followSome(tx, environmentId, merged, left)
    kept.push(merged.kept_key)
  }
  // The next fold goes on.
  if (left === 0)
    await sql`insert into audience_deltas (environment_id, persons)
      values (${environmentId}, ${rows.map(({ person_key }) => person_key)}::bigint[])`.execute(tx)
  return { kept, isMore: left === 0 }
}

/** The newest first. An id may have come again after it was forgotten; then one of the two gets another. */
const followSome = async (
  tx: Tx,
  environmentId: string,
  { person_key, kept_key }: Merged,
  most: number,
): Promise<number> => {
  const places = await placesOf(tx, environmentId, [person_key], most)
  for (const { table, rows } of places)
    await sql`
      with gone as (
        delete from ${sql.table(table)} where ctid = any(${rows}::tid[]) returning *
      ), moved as (
        insert into ${sql.table(table)} (${columns}) ${movedFrom(kept_key, sql`id`)}
        on conflict do nothing returning created_on, id
      ), renamed as (
        insert into ${sql.table(table)} (${columns}) ${movedFrom(kept_key, sql`gen_random_uuid()::text`)}
        where (created_on, id) not in (select created_on, id from moved)
      )
      update person_facts fact set labels = fact.labels | met.labels, last_seen = greatest(fact.last_seen, met.seen)
      from (select bit_or(1 << (array_position(${[...interactionLabels]}::text[], label) - 1)) as labels,
        max(created_on) as seen from gone) met
      where fact.environment_id = ${environmentId} and fact.person_key = ${kept_key}`.execute(tx)
  return places.reduce((sum, { rows }) => sum + rows.length, 0)
}

const columns = sql.raw(
  'environment_id, created_on, id, publication_id, person_key, label, value, recommendation_id',
)

const movedFrom = (keptKey: string, id: RawBuilder<unknown>) =>
  sql`select environment_id, created_on, ${id}, publication_id, ${keptKey}::bigint, label, value, recommendation_id
    from gone`
