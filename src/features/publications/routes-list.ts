import { present } from '../../http/expand.ts'
import { Collection, envelope } from '../../http/list.ts'
import { withExpansions } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { listAsked } from './at/asked.ts'
import { publicationList } from './list/list.ts'
import { PublicationListQuery } from './list/query.ts'
import { publicationExpansions } from './present/expansions.ts'
import { presentListed } from './present/present.ts'
import { anyView } from './present/view.ts'
import { ListedPublication } from './schema.ts'
import type { ShownRow } from './table.ts'

const expansions = publicationExpansions(anyView)
const Listed = withExpansions(ListedPublication, expansions)

export const publicationListRoute: Routes = (app, context) => {
  app.get(
    '/publications',
    {
      config: {
        scopes: ['publications'],
        personal: true,
        cached: ['content', 'structure'],
        list: publicationList,
        expansions,
        record: ListedPublication,
      },
      schema: {
        summary: 'List publications',
        querystring: PublicationListQuery,
        response: { 200: Collection(Listed) },
      },
    },
    async (request, reply) => {
      const { actor, selection } = request
      const { page, view } = await listAsked(context, actor, request.list, selection.has('items'))
      const toBody = (row: ShownRow) => presentListed(row, view)
      const items = await present(
        context.db,
        actor,
        page.rows,
        toBody,
        selection.size > 0 ? publicationExpansions(view) : {},
        selection,
      )
      return envelope(request, reply, context.config.publicUrl, page, items) as never
    },
  )
}
