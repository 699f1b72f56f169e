import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** In one statement, so that no lock is held for long. */
const step = 10_000

/** Errors go after a week, what a dry run noted when it is over, and a file that never arrived whole after its time. */
export const cleanUpImports = async ({ db }: Context): Promise<void> => {
  const ended = sql`i.environment_id = row.environment_id and i.id = row.import_id
    and i.status not in ('receiving', 'pending', 'running')`
  await inSteps(() =>
    sql`delete from import_errors where ctid = any(array(
      select row.ctid from import_errors row join imports i on ${ended}
      where i.changed_on < now() - interval '7 days' limit ${step}))`.execute(db),
  )
  await inSteps(() =>
    sql`delete from import_names where ctid = any(array(
      select row.ctid from import_names row join imports i on ${ended} limit ${step}))`.execute(db),
  )
  await sql`delete from imports
    where status = 'receiving' and created_on < now() - interval '2 hours'`.execute(db)
}

const inSteps = async (remove: () => Promise<{ numAffectedRows?: bigint }>): Promise<void> => {
  while (Number((await remove()).numAffectedRows ?? 0) >= step);
}
