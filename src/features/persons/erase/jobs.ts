import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import { erasedId } from './traces.ts'

const batch = 5000
/** How those look that were renamed. Any other id, one that only looks like ours, may be a caller's. */
const renamed = '^anonymous-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

type Whose = { environment_id: string; key: string }

/**
 * Interactions that outlive who they were of lose the ids that callers chose, some thousand at a time. First those that
 * have still to follow from somebody who was merged: where they go is looked at last.
 */
export const renameInteractions = async ({ db }: Context, { environment_id, key }: Whose): Promise<void> => {
  const { rows } = await sql<Whose>`select environment_id, person_key as key from merged_persons
    where environment_id = ${environment_id} and kept_key = ${key}`.execute(db)
  for (const whose of [...rows, { environment_id, key }]) await renameOf(db, whose)
}

const renameOf = async (db: Db, { environment_id, key }: Whose): Promise<void> => {
  let from = '-infinity'
  for (let found = batch; found === batch; ) {
    const { rows } = await sql<{ found: number; until: string }>`
      with given as materialized (
        select created_on, id from interactions
        where environment_id = ${environment_id} and person_key = ${key} and created_on >= ${from}::timestamptz
          and id !~ ${renamed} order by created_on, id limit ${batch}
      ), forgotten as (
        delete from interaction_ids where environment_id = ${environment_id} and id in (select id from given)
      ), renamed as (
        update interactions row set id = 'anonymous-' || gen_random_uuid() from given
        where row.environment_id = ${environment_id} and row.person_key = ${key}
          and row.created_on = given.created_on and row.id = given.id
      )
      select count(*)::integer as found, max(created_on)::text as until from given`.execute(db)
    found = rows[0]!.found
    from = rows[0]!.until
  }
}

/** Who was told of a person has had the time to hear that it is no more: a call is tried for three days. */
const told = "interval '7 days'"

/** The ids of those who were erased go, too. */
export const forgetErased = async ({ db }: Context): Promise<void> => {
  while ((await forgetSome(db)) === batch);
}

const forgetSome = async (db: Db): Promise<number> => {
  const { numAffectedRows } = await sql`with gone as materialized (
      select sequence, environment_id, record_id from events
      where event in ('person.deleted', 'person.anonymized') and record_id <> 'erased'
        and created_on < now() - ${sql.raw(told)} order by created_on limit ${batch}
    ), forgotten as (
      update webhook_deliveries row set record_id = null, response_head = null from gone
      where row.environment_id = gone.environment_id and row.record_id = gone.record_id and row.event like 'person.%'
        and row.sequence = gone.sequence
    )
    update events row set record_id = ${erasedId}, snapshot = null from gone where row.sequence = gone.sequence`.execute(
    db,
  )
  return Number(numAffectedRows)
}
