import { sql } from 'kysely'
import { Type } from 'typebox'
import { Collection, envelope } from '../../../http/list.ts'
import { IdParams, isoDate, Nullable } from '../../../http/schemas.ts'
import type { ListOptions, Routes } from '../../../http/types.ts'
import { sequencePage } from '../../access/sequence-page.ts'
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
  sequence: string
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
      const page = await sequencePage<Row>(
        context.db,
        interactionList,
        sourceOf(actor.environment_id, key),
        [sql`true`],
        list,
        {
          type: 'text',
        },
      )
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

/** Two of the same moment stand in the order of their ids. */
const sourceOf = (environmentId: string, key: string) => sql`(select *,
    (to_char(created_on at time zone 'UTC', 'YYYYMMDDHH24MISSMS') || ' ' || id) collate "C" as sequence
  from interactions where environment_id = ${environmentId} and person_key = ${key})`
