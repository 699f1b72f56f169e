import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Condition } from '../../../database/filters.ts'
import { type ListRequest, type Page, placeIn, readPage } from '../../../database/page.ts'
import { parseSort, type SortKey } from '../../../database/sort.ts'
import type { Walk } from '../../../database/walk.ts'
import { present } from '../../../http/expand.ts'
import { Collection, envelope } from '../../../http/list.ts'
import { withExpansions } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { ListOptions, Routes } from '../../../http/types.ts'
import type { Actor } from '../../access/authenticate.ts'
import { facet } from '../../publications/facets.ts'
import { bigints } from '../../publications/list/conditions.ts'
import { publicationExpansions } from '../../publications/present/expansions.ts'
import { presentListed } from '../../publications/present/present.ts'
import { anyView, viewOf } from '../../publications/present/view.ts'
import { ListedPublication } from '../../publications/schema.ts'
import type { PublicationRow } from '../../publications/table.ts'
import { findPerson } from '../queries.ts'

const expansions = publicationExpansions(anyView)
const Listed = withExpansions(ListedPublication, expansions)

/** In the order in which they were liked or subscribed to. */
const linkList = {
  table: 'publications',
  family: 'audience',
  filters: {},
  sorts: { created_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies ListOptions

const paths = [
  { path: '/persons/:id/likes', kind: 'Like', summary: 'List the publications that a person likes' },
  {
    path: '/persons/:id/subscriptions',
    kind: 'Subscribe',
    summary: 'List the publications that a person is subscribed to',
  },
] as const

export const personLinkListRoutes: Routes = (app, context) => {
  for (const { path, kind, summary } of paths)
    app.get(
      path,
      {
        config: { scopes: ['persons'], list: linkList, expansions, record: ListedPublication },
        schema: { summary, params: IdParams, response: { 200: Collection(Listed) } },
      },
      async (request, reply) => {
        const { actor, params, selection } = request
        const { key } = await findPerson(context.db, actor.environment_id, params.id)
        const view = await viewOf(context, actor, {})
        const page = await linkedPage(context, actor, key, kind, request.list)
        const toBody = (row: PublicationRow) => presentListed(row, view)
        const items = await present(
          context.db,
          actor,
          page.rows,
          toBody,
          publicationExpansions(view),
          selection,
        )
        return envelope(request, reply, context.config.publicUrl, page, items) as never
      },
    )
}

const linkedPage = async (
  { db }: Context,
  actor: Actor,
  key: string,
  kind: string,
  request: ListRequest,
): Promise<Page<PublicationRow>> => {
  const { environment_id } = actor
  const conditions = [
    sql`link.environment_id = ${environment_id} and link.person_key = ${key} and link.kind = ${kind}`,
    isSeen(actor),
  ]
  const column = (name: string) => sql.ref(name === 'id' ? 'link.publication_id' : `link.${name}`)
  const keys: SortKey[] = parseSort(linkList.sorts, request.sort ?? linkList.defaultSort, column)
  const { signature, position } = placeIn(`person_links ${key} ${kind}`, keys, request)
  const walk: Walk = {
    table: 'publications',
    source: { table: 'person_links', alias: 'link' },
    scope: { column: 'environment_id', value: environment_id },
    keys,
    conditions,
    position,
    backwards: request.before !== undefined,
  }
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from person_links as link
      where ${sql.join(conditions, sql` and `)}`.execute(db)
    return rows[0]!.count
  }
  return readPage<PublicationRow>(db, walk, signature, request, request.total ? count() : undefined)
}

/** What is in the trash, or not published, is not told to who may not see it. */
const isSeen = ({ environment_id, token }: Actor): Condition => {
  const published = sql` and row.facets @> ${bigints([facet(environment_id, 'published')])}`
  return sql`exists (select 1 from publications as row where row.environment_id = link.environment_id
    and row.id = link.publication_id${token.visibility === 'published' ? published : sql``})`
}
