import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** A row for a month that has no partition goes to the default one, so being late costs speed, not data. */
export const addInteractionPartitions = async ({ db }: Context): Promise<void> => {
  await sql`select add_interactions_partition((now() + make_interval(months => m))::date)
    from generate_series(0, 3) m`.execute(db)
}
