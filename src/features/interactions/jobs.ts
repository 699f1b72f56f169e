import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** A row for a month that has no partition goes to the default one, so being late costs speed, not data. */
export const addInteractionPartitions = async ({ db }: Context): Promise<void> => {
  await sql`select add_interactions_partition((now() + make_interval(months => m))::date)
    from generate_series(0, 3) m`.execute(db)
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
