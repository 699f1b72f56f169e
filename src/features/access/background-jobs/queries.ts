import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import { ofThisEnvironment } from '../audit/queries.ts'
import type { Actor } from '../authenticate.ts'
import type { JobRow } from './present.ts'

/** Jobs that an event caused carry its organisation and environment; those of the service itself carry none. */
export const jobs = sql`(select job.id as sequence, job.id::text as id, task.identifier as task, job.attempts,
  job.max_attempts, job.run_at, job.last_error, job.locked_at, job.created_at as created_on,
  nullif(job.updated_at, job.created_at) as changed_on, job.payload ->> 'organisation_id' as organisation_id,
  job.payload ->> 'environment_id' as environment_id
  from graphile_worker._private_jobs as job
  join graphile_worker._private_tasks as task on task.id = job.task_id)`

export const findJob = async (db: Db, actor: Actor, id: string): Promise<JobRow> => {
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new NotFound('Job', id)
  const seen = sql.join([sql`row.sequence = ${id}::bigint`, ...ofThisEnvironment(actor)], sql` and `)
  const { rows } = await sql<JobRow>`select row.* from ${jobs} as row where ${seen}`.execute(db)
  if (!rows[0]) throw new NotFound('Job', id)
  return rows[0]
}
