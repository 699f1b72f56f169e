import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** A row for a month that has no partition goes to the default one, so being late costs speed, not data. */
export const addInteractionPartitions = async (context: Context): Promise<void> => {
  await sql`select add_interactions_partition((now() + make_interval(months => m))::date)
    from generate_series(0, 3) m`.execute(context.db)
  await addCrowdedMonths(context, 10_000)
}

/**
 * Whoever brings history fills the default partition. A month with so many rows there gets one of its own before they
 * are so many that moving them, while the default one is locked, takes long. Stray moments make none, or one request
 * could make a thousand.
 */
export const addCrowdedMonths = async ({ db }: Context, crowd: number): Promise<void> => {
  const { rows } = await sql<{
    month: string
  }>`select (date_trunc('month', created_on, 'UTC') at time zone 'UTC')::date::text
      as month
    from interactions_other where created_on >= now() - interval '10 years'
    group by 1 having count(*) >= ${crowd} order by count(*) desc limit 12`.execute(db)
  for (const { month } of rows) await sql`select add_interactions_partition(${month}::date)`.execute(db)
}

const block = 10_000

/** Whoever repeats an interaction after 35 days means another one. */
export const forgetInteractionIds = async ({ db }: Context): Promise<void> => {
  for (;;) {
    const { numAffectedRows } = await sql`delete from interaction_ids where ctid = any(array(
      select ctid from interaction_ids where seen_on < now() - interval '35 days' limit ${block}))`.execute(
      db,
    )
    if (Number(numAffectedRows) < block) return
  }
}
