import { sql } from 'kysely'
import { transaction } from '../../../database/transaction.ts'
import { conflict } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import { Collection, envelope } from '../../../http/list.ts'
import { FieldsQuery } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { ofThisEnvironment } from '../audit/queries.ts'
import { sequencePage } from '../sequence-page.ts'
import { jobList } from './filters.ts'
import { type JobRow, presentJob } from './present.ts'
import { findJob, jobs } from './queries.ts'
import { Job } from './schema.ts'

export const jobRoutes: Routes = (app, context) => {
  const { db, config } = context
  app.get(
    '/jobs',
    {
      config: { scopes: ['tokens'], list: jobList, record: Job },
      schema: { summary: 'List background jobs that are not done', response: { 200: Collection(Job) } },
    },
    async (request, reply) => {
      const only = ofThisEnvironment(request.actor)
      const page = await sequencePage<JobRow>(db, jobList, jobs, only, request.list)
      return envelope(request, reply, config.publicUrl, page, page.rows.map(presentJob)) as never
    },
  )

  app.get(
    '/jobs/:id',
    {
      config: { scopes: ['tokens'], record: Job },
      schema: {
        summary: 'Read a background Job',
        params: IdParams,
        querystring: FieldsQuery,
        response: { 200: Job },
      },
    },
    async ({ actor, params }) => presentJob(await findJob(db, actor, params.id)),
  )

  app.post(
    '/jobs/:id/retry',
    {
      config: { scopes: ['tokens'] },
      schema: {
        summary: 'Try a background Job again, now and from its first attempt',
        description: 'A repeat is harmless, with an Idempotency-Key or without: the job is one and the same.',
        params: IdParams,
        response: { 200: Job },
      },
    },
    async ({ actor, params }) => {
      const job = await findJob(db, actor, params.id)
      const shown = presentJob({ ...job, attempts: 0, run_at: new Date() })
      return transaction(context, async (tx) => {
        const { rows } = await sql`select id from graphile_worker.reschedule_jobs(array[${job.id}::bigint],
          run_at := now(), attempts := 0)`.execute(tx)
        if (rows.length === 0) throw conflict('id', 'the job is being worked on')
        await emit(tx, { ...actor, environment_id: job.environment_id }, 'job.retried', job, shown)
        return shown
      })
    },
  )
}
