import { listWords } from '../../../database/words.ts'
import { invalid } from '../../../errors.ts'
import { isUnchanged } from '../../../http/etag.ts'
import { once } from '../../../http/once.ts'
import { recordRoutes } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import type { SourceItemRecord } from '../table.ts'
import { isPublished, modelFor, publishItem } from './commands.ts'
import { placesIn } from './draft.ts'
import { inItems, sourceItemList } from './filters.ts'
import { fetchPicture } from './picture.ts'
import { presentSourceItem } from './present.ts'
import { findItem } from './queries.ts'
import { DraftBody, SourceItem } from './schema.ts'

export const sourceItemRoutes: Routes = (app, context) => {
  recordRoutes<SourceItemRecord, never, never>(app, context, {
    path: '/sources/items',
    label: 'SourceItem',
    record: SourceItem,
    list: sourceItemList,
    present: presentSourceItem,
    find: (db, actor, id) => findItem(db, actor.environment_id, id),
    page: (context, actor, request) =>
      listWords(context, sourceItemList, inItems, actor.environment_id, request, []),
    read: ['sources'],
  })

  app.post(
    '/sources/items/:id/publication',
    {
      config: { scopes: ['sources', 'publications', 'publications_publish', 'assets', 'assets_publish'] },
      preValidation: async (request) => {
        request.body ??= {}
      },
      schema: {
        summary: 'Make a draft Publication of a SourceItem',
        description:
          'Its picture becomes an asset. An item that has a publication keeps it: the answer is then 200.',
        params: IdParams,
        body: DraftBody,
        response: { 200: SourceItem, 201: SourceItem },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const { environment } = actor
      const locale = body.locale ?? environment.default_locale
      if (!environment.locales.includes(locale))
        throw invalid('locale', `must be one of ${environment.locales.join(', ')}`)
      const item = await findItem(context.db, actor.environment_id, params.id)
      const model = await modelFor(context.db, actor, body)
      const isFirst = request.headers['idempotency-key'] === undefined
      if (isFirst && (await isPublished(context.db, item))) return reply.send(presentSourceItem(item))
      const picture = placesIn(model).picture ? await fetchPicture(context, item) : undefined
      try {
        const made = await once(
          context,
          request,
          reply,
          (tx) => publishItem(context, tx, actor, params.id, { model, locale, picture }),
          (id) => findItem(context.db, actor.environment_id, id),
        )
        isUnchanged(request, reply, made.version, presentSourceItem(made))
        reply.code(201).header('Location', `/publications/${made.publication_id}`)
        return reply.send(presentSourceItem(made))
      } finally {
        if (picture && !picture.taken) await context.storage.remove(picture.key)
      }
    },
  )
}
