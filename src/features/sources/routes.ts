import { once } from '../../http/once.ts'
import { recordRoutes } from '../../http/records.ts'
import { IdParams } from '../../http/schemas.ts'
import type { Routes } from '../../http/types.ts'
import { commonExpansions } from '../access/expansions.ts'
import type { Scope } from '../access/scopes.ts'
import { formFaults } from './check.ts'
import { changeSource, createSource, deleteSource, fetchSource } from './commands.ts'
import { sourceList } from './filters.ts'
import { presentSource } from './present.ts'
import { findSource } from './queries.ts'
import { Source, SourceBody, SourceChanges } from './schema.ts'
import type { SourceRecord } from './table.ts'

const scopes: Scope[] = ['sources', 'sources_publish']

export const sourceRoutes: Routes = (app, context) => {
  recordRoutes<SourceRecord, SourceBody, SourceChanges>(app, context, {
    path: '/sources',
    label: 'Source',
    record: Source,
    list: sourceList,
    expansions: commonExpansions,
    present: presentSource,
    find: (db, actor, id) => findSource(db, actor.environment_id, id),
    read: ['sources'],
    alsoWrong: (actor, body, id, found) => formFaults(context, actor, body, id, found),
    create: {
      scopes,
      body: SourceBody,
      run: (tx, actor, body) => createSource(context, tx, actor, body),
    },
    change: {
      scopes,
      body: SourceChanges,
      run: (tx, actor, id, body, expected) => changeSource(context, tx, actor, id, body, expected),
    },
    remove: { scopes, run: deleteSource },
  })

  app.post(
    '/sources/:id/fetch',
    {
      config: { scopes },
      schema: {
        summary: 'Poll a Source at once',
        description: 'What it brings is there a moment later. Without a connector for it: 409.',
        params: IdParams,
        response: { 202: Source },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const row = await once(
        context,
        request,
        reply,
        (tx) => fetchSource(context, tx, actor, params.id),
        (id) => findSource(context.db, actor.environment_id, id),
      )
      return reply.code(202).send(presentSource(row))
    },
  )
}
