import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { listPage } from '../../database/page.ts'
import { present } from '../../http/expand.ts'
import { Collection, envelope } from '../../http/list.ts'
import { once } from '../../http/once.ts'
import { FieldsQuery, withExpansions } from '../../http/records.ts'
import { IdParams } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { restoreAsset } from './commands.ts'
import { assetExpansions } from './expansions.ts'
import { assetTrash } from './filters.ts'
import { presentAsset, presentDeletedAsset } from './present.ts'
import { findAsset } from './queries.ts'
import { Asset, DeletedAsset } from './schema.ts'
import type { AssetRow } from './table.ts'

export const assetTrashRoutes = (app: App, context: Context): void => {
  const { db, config } = context
  const expansions = assetExpansions(context)

  app.get(
    '/assets/trash',
    {
      config: { scopes: ['assets'], list: assetTrash, expansions, record: DeletedAsset },
      schema: {
        summary: 'List deleted assets',
        response: { 200: Collection(withExpansions(DeletedAsset, expansions)) },
      },
    },
    async (request, reply) => {
      const { actor, list, selection } = request
      const only = [sql`row.deleted_on is not null`]
      const page = await listPage<AssetRow>(context, assetTrash, actor.environment_id, list, only)
      const items = await present(db, actor, page.rows, presentDeletedAsset, expansions, selection)
      return envelope(request, reply, config.publicUrl, page, items) as never
    },
  )

  app.post(
    '/assets/:id/restore',
    {
      config: { scopes: ['assets', 'assets_publish'], expansions, record: Asset },
      schema: {
        summary: 'Bring back a deleted Asset',
        description: 'Publications and persons that lost it do not get it back by this.',
        params: IdParams,
        querystring: FieldsQuery,
        response: { 200: withExpansions(Asset, expansions) },
      },
    },
    async (request, reply) => {
      const { actor, params, selection } = request
      const row = await once(
        context,
        request,
        reply,
        (tx) => restoreAsset(tx, actor, params.id),
        (id) => findAsset(db, actor.environment_id, id),
      )
      const [body] = await present(db, actor, [row], presentAsset, expansions, selection)
      return body as never
    },
  )
}
