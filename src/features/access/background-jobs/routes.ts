import { sql } from 'kysely'
import { conflict } from '../../../errors.ts'
import { Collection, envelope } from '../../../http/list.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { ofThisEnvironment } from '../audit/queries.ts'
import { sequencePage } from '../sequence-page.ts'
import { jobList } from './filters.ts'
import { type JobRow, presentJob } from './present.ts'
import { findJob, jobs } from './queries.ts'
import { Job } from './schema.ts'

export const jobRoutes: Routes = (app, { db, config }) => {
  app.get(
    '/jobs',
    {
      config: { scopes: ['tokens'], list: jobList },
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
      config: { scopes: ['tokens'] },
      schema: { summary: 'Read a background Job', params: IdParams, response: { 200: Job } },
    },
    async ({ actor, params }) => presentJob(await findJob(db, actor, params.id)),
  )

  app.post(
    '/jobs/:id/retry',
    {
      config: { scopes: ['tokens'] },
      schema: {
        summary: 'Try a background Job again, now and from its first attempt',
        params: IdParams,
        response: { 200: Job },
      },
    },
    async ({ actor, params }) => {
      const job = await findJob(db, actor, params.id)
      const { rows } = await sql`select id from graphile_worker.reschedule_jobs(array[${job.id}::bigint],
        run_at := now(), attempts := 0)`.execute(db)
      if (rows.length === 0) throw conflict('id', 'the job is being worked on')
      return presentJob({ ...job, attempts: 0, run_at: new Date() })
    },
  )
}
