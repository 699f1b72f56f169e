import type { TObject } from 'typebox'
import type { Context } from '../../context.ts'
import { listOf } from '../../database/lists.ts'
import type { ListRequest } from '../../database/page.ts'
import { type Expansions, present } from '../../http/expand.ts'
import { Collection, envelope } from '../../http/list.ts'
import { withExpansions } from '../../http/records.ts'
import { IdParams } from '../../http/schemas.ts'
import type { App, ListOptions, Routes } from '../../http/types.ts'
import { personExpansions, without } from '../persons/expansions.ts'
import { personList, personListV5 } from '../persons/filters.ts'
import { listPersons } from '../persons/list/list.ts'
import { presentPerson } from '../persons/present.ts'
import { personExpansionsV5, presentPersonV5 } from '../persons/present-v5.ts'
import { Person } from '../persons/schema.ts'
import { PersonV5 } from '../persons/schema-v5.ts'
import { findSegment } from './queries.ts'

type Row = Awaited<ReturnType<typeof listPersons>>['rows'][number]
type Shown = { record: TObject; list: ListOptions; expansions: Expansions<Row>; present(row: Row): object }

/** The list of persons, of those in the segment; all that can be asked of it can be asked here. */
const memberRoute = (app: App, context: Context, { record, list, expansions, ...shown }: Shown): void => {
  app.get(
    '/segments/:id/persons',
    {
      config: { scopes: ['persons', 'segments'], list, expansions, record },
      schema: {
        summary: 'List the persons in a Segment',
        params: IdParams,
        response: { 200: Collection(withExpansions(record, expansions)) },
      },
    },
    async (request, reply) => {
      const { actor, params, selection } = request
      const { id, total } = await findSegment(context.db, actor.environment_id, params.id)
      const isWhole = Object.keys(request.list.filter).length === 0
      const asked = { ...within(request.list, id), total: request.list.total && !isWhole }
      const page = await listPersons(context, actor, asked)
      const items = await present(context.db, actor, page.rows, shown.present, expansions, selection)
      const counted = isWhole && request.list.total ? { ...page, total } : page
      return envelope(request, reply, context.config.publicUrl, counted, items) as never
    },
  )
}

const within = (request: ListRequest, segment: string): ListRequest => {
  const { segments = [], ...filter } = request.filter
  return {
    ...request,
    filter: { ...filter, segments: [{ eq: segment }, ...(listOf(segments) ?? [segments])] },
  }
}

export const segmentPersonRoutes: Routes = (app, context) =>
  memberRoute(app, context, {
    record: Person,
    list: personList,
    expansions: without(personExpansions(context.keys), Person),
    present: presentPerson,
  })

export const segmentPersonRoutesV5: Routes = (app, context) =>
  memberRoute(app, context, {
    record: PersonV5,
    list: personListV5,
    expansions: personExpansionsV5(context.keys),
    present: presentPersonV5,
  })
