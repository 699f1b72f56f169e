import { listPage } from '../../../database/page.ts'
import { Collection, envelope } from '../../../http/list.ts'
import { once } from '../../../http/once.ts'
import { FieldsQuery, withExpansions } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { usersShown } from '../../access/expansions.ts'
import { answer } from '../present/answer.ts'
import { publicationExpansions } from '../present/expansions.ts'
import { anyView, viewOf } from '../present/view.ts'
import { findPublication } from '../queries.ts'
import { Publication } from '../schema.ts'
import { requireFullSight } from '../sight.ts'
import { trashList } from './filters.ts'
import { type DeletedRow, presentDeleted } from './present.ts'
import { restorePublication } from './restore.ts'
import { DeletedPublication } from './schema.ts'

const expansions = publicationExpansions(anyView)

export const trashRoutes: Routes = (app, context) => {
  const { db, config } = context

  app.get(
    '/publications/trash',
    {
      config: { scopes: ['publications'], list: trashList, record: DeletedPublication },
      schema: { summary: 'List deleted publications', response: { 200: Collection(DeletedPublication) } },
    },
    async (request, reply) => {
      const { actor, list } = request
      requireFullSight(actor)
      const page = await listPage<DeletedRow>(context, trashList, actor.environment_id, list)
      const user = await usersShown(
        db,
        actor,
        page.rows.map(({ deleted_by }) => deleted_by),
      )
      const items = page.rows.map((row) => presentDeleted(row, user))
      return envelope(request, reply, config.publicUrl, page, items) as never
    },
  )

  app.post(
    '/publications/:id/restore',
    {
      config: { scopes: ['publications', 'publications_publish'], expansions, record: Publication },
      schema: {
        summary: 'Bring back a deleted Publication',
        params: IdParams,
        querystring: FieldsQuery,
        response: { 200: withExpansions(Publication, expansions) },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      requireFullSight(actor)
      const view = await viewOf(context, actor, {})
      const row = await once(
        context,
        request,
        reply,
        (tx) => restorePublication(context, tx, actor, params.id),
        (id) => findPublication(db, actor.environment_id, id, view),
      )
      return answer(context, request, reply, row, view)
    },
  )
}
