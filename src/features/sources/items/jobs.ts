import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

const batch = 5000

/** Items are kept for seven days; that they were seen is known to their sources for longer. */
export const forgetItems = async ({ db, versions }: Context): Promise<void> => {
  for (let gone = batch; gone === batch; ) {
    const { rows } = await sql<{ environment_id: string }>`delete from source_items where ctid = any(array(
      select ctid from source_items where created_on < now() - interval '7 days' limit ${batch}))
      returning environment_id`.execute(db)
    gone = rows.length
    for (const environment of new Set(rows.map(({ environment_id }) => environment_id)))
      versions.bump(environment, 'sources')
  }
}
