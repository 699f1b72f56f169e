import type { FastifyRequest } from 'fastify'
import { expectedVersion } from '../../../http/etag.ts'
import { Collection, envelope } from '../../../http/list.ts'
import { once } from '../../../http/once.ts'
import { FieldsQuery, withExpansions } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { usersShown } from '../../access/expansions.ts'
import { sequencePage } from '../../access/sequence-page.ts'
import { answer } from '../present/answer.ts'
import { publicationExpansions } from '../present/expansions.ts'
import { shownOf } from '../present/shown.ts'
import { anyView, viewOf } from '../present/view.ts'
import { findPublication } from '../queries.ts'
import { Publication } from '../schema.ts'
import { requireFullSight } from '../sight.ts'
import { differencesOf } from './compare.ts'
import { versionList } from './filters.ts'
import { type ListedVersion, presentVersion } from './present.ts'
import { listedVersions, ofPublication, readVersion, requireLiving } from './queries.ts'
import { restoreVersion } from './restore.ts'
import { CompareQuery, Comparison, Version, VersionParams } from './schema.ts'

const expansions = publicationExpansions(anyView)
const Full = withExpansions(Publication, expansions)

/** The content of a version is what one looks at it for; `fields` may still choose from it. */
const withItems = ({ selection }: FastifyRequest): void => {
  if (!selection.has('items')) selection.set('items', new Map())
}

export const versionRoutes: Routes = (app, context) => {
  const { db, config } = context

  app.get(
    '/publications/:id/versions',
    {
      config: { scopes: ['publications'], list: versionList, record: Version },
      schema: {
        summary: 'List the versions of a Publication',
        params: IdParams,
        response: { 200: Collection(Version) },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      requireFullSight(actor)
      await requireLiving(db, actor.environment_id, params.id)
      const only = ofPublication(actor.environment_id, params.id)
      const page = await sequencePage<ListedVersion>(db, versionList, listedVersions, only, request.list)
      const user = await usersShown(
        db,
        actor,
        page.rows.map(({ created_by }) => created_by),
      )
      const items = page.rows.map((row) => presentVersion(row, user))
      return envelope(request, reply, config.publicUrl, page, items) as never
    },
  )

  app.get(
    '/publications/:id/versions/:version',
    {
      config: { scopes: ['publications'], expansions, record: Publication },
      schema: {
        summary: 'Read a Publication as a version had it',
        params: VersionParams,
        querystring: FieldsQuery,
        response: { 200: Full },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      requireFullSight(actor)
      withItems(request)
      const past = await readVersion(db, actor.environment_id, params.id, Number(params.version))
      const { row, view } = shownOf(past, actor, await viewOf(context, actor, {}))
      return answer(context, request, reply, row, view)
    },
  )

  app.get(
    '/publications/:id/versions/:version/compare',
    {
      config: { scopes: ['publications'] },
      schema: {
        summary: 'Compare two versions of a Publication',
        params: VersionParams,
        querystring: CompareQuery,
        response: { 200: Comparison },
      },
    },
    async ({ actor, params, query }) => {
      requireFullSight(actor)
      const other = query.with === undefined ? undefined : Number(query.with)
      const [before, after, view] = await Promise.all([
        readVersion(db, actor.environment_id, params.id, Number(params.version)),
        readVersion(db, actor.environment_id, params.id, other),
        viewOf(context, actor, {}),
      ])
      const items = await differencesOf(db, actor, view, before, after)
      return { label: 'Comparison' as const, version: before.version, with: after.version, items }
    },
  )

  app.post(
    '/publications/:id/versions/:version/restore',
    {
      config: { scopes: ['publications', 'publications_publish'], expansions, record: Publication },
      schema: {
        summary: 'Make a Publication what a version was',
        params: VersionParams,
        querystring: FieldsQuery,
        response: { 200: Full },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      requireFullSight(actor)
      const expected = expectedVersion(request)
      const view = await viewOf(context, actor, {})
      const row = await once(
        context,
        request,
        reply,
        (tx) => restoreVersion(context, tx, actor, params.id, Number(params.version), expected),
        (id) => findPublication(db, actor.environment_id, id, view),
      )
      return answer(context, request, reply, row, view)
    },
  )
}
