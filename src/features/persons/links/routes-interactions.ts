import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '../../../database/connect.ts'
import { type ListRequest, type Page, planList, readPage } from '../../../database/page.ts'
import type { Walk } from '../../../database/walk.ts'
import { isoDate } from '../../../dates.ts'
import { Collection, envelope } from '../../../http/list.ts'
import { IdParams, Nullable } from '../../../http/schemas.ts'
import type { ListOptions, Routes } from '../../../http/types.ts'
import { interactionLabels } from '../../interactions/labels.ts'
import { findPerson } from '../queries.ts'

const Interaction = Type.Object(
  {
    id: Type.String(),
    created_on: Type.String({ examples: ['2026-11-01T09:30:00+00:00'] }),
    label: Type.String({ enum: interactionLabels }),
    value: Nullable('number'),
    publication: Type.Object({ id: Type.String(), label: Type.Literal('Publication') }),
    recommendation_id: Nullable('string'),
  },
  { title: 'Interaction' },
)

const interactionList = {
  table: 'interactions',
  family: 'audience',
  filters: {
    created_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte', 'il'] },
    label: { type: 'text', operators: ['eq', 'in'], values: interactionLabels },
    publication: { type: 'id', operators: ['eq', 'in'], column: 'publication_id' },
  },
  sorts: { created_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies ListOptions

type Row = {
  id: string
  created_on: Date
  label: string
  value: number | null
  publication_id: string
  recommendation_id: string | null
}

const presentInteraction = ({ id, created_on, label, value, publication_id, recommendation_id }: Row) => ({
  id,
  created_on: isoDate(created_on),
  label,
  value,
  publication: { id: publication_id, label: 'Publication' as const },
  recommendation_id,
})

export const personInteractionRoutes: Routes = (app, context) => {
  app.get(
    '/persons/:id/interactions',
    {
      config: { scopes: ['persons'], list: interactionList, record: Interaction },
      schema: {
        summary: 'List the interactions of a person',
        params: IdParams,
        response: { 200: Collection(Interaction) },
      },
    },
    async (request, reply) => {
      const { actor, params, list } = request
      const { key } = await findPerson(context.db, actor.environment_id, params.id)
      const page = await interactionPage(context.db, actor.environment_id, key, list)
      return envelope(
        request,
        reply,
        context.config.publicUrl,
        page,
        page.rows.map(presentInteraction),
      ) as never
    },
  )
}

/** By the primary key, which has the interactions of a person in their order: two of the same moment by their ids. */
const interactionPage = (
  db: Db,
  environmentId: string,
  key: string,
  request: ListRequest,
): Promise<Page<Row>> => {
  const plan = planList(interactionList, request)
  const own = sql`row.environment_id = ${environmentId} and row.person_key = ${key}::bigint`
  const conditions = [own, ...plan.where]
  const walk: Walk = {
    table: 'interactions',
    scope: { column: 'environment_id', value: environmentId },
    keys: plan.keys,
    conditions,
    position: plan.position,
    backwards: request.before !== undefined,
    again: sql`${own} and row.created_on = page.k0 and row.id = page.k1`,
  }
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from interactions as row
      where ${sql.join(conditions, sql` and `)}`.execute(db)
    return rows[0]!.count
  }
  return readPage<Row>(db, walk, plan.signature, request, request.total ? count() : undefined)
}
