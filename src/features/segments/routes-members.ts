import { Type } from 'typebox'
import { isoDateOrNull } from '../../dates.ts'
import { IdParams } from '../../http/schemas.ts'
import type { Routes } from '../../http/types.ts'
import { faultsInRules } from './commands.ts'
import { exportMembers } from './export.ts'
import { contentTypes, formats } from './present-export.ts'
import { previewRules } from './preview.ts'
import { findSegment } from './queries.ts'
import { Preview, PreviewBody, Why } from './schema-members.ts'
import { whyIn } from './why.ts'

const scopes = ['persons', 'segments'] as const

const ExportQuery = Type.Object(
  {
    format: Type.Optional(
      Type.Unsafe<(typeof formats)[number]>({ type: 'string', enum: [...formats], default: 'csv' }),
    ),
  },
  { additionalProperties: false },
)

/** Who is in a segment, why, and how many would be. */
export const segmentMemberRoutes: Routes = (app, context) => {
  app.post(
    '/segments/preview',
    {
      config: { scopes, alsoWrong: faultsInRules },
      schema: {
        summary: 'Count the persons that rules would find',
        description:
          'Exact where that takes no time: for what persons are counted by, and for small audiences. Otherwise an estimate with its margin; `exact` waits for the count.',
        body: PreviewBody,
        response: { 200: Preview },
      },
    },
    async ({ actor, body }) =>
      previewRules(
        context,
        { environment: actor.environment, now: new Date() },
        body.rules ?? {},
        body.exact === true,
      ),
  )

  app.get(
    '/segments/:id/persons/:person_id',
    {
      config: { scopes },
      schema: {
        summary: 'Tell why a Person is in a Segment, or is not',
        params: Type.Object({ ...IdParams.properties, person_id: Type.String({ maxLength: 200 }) }),
        response: { 200: Why },
      },
    },
    async ({ actor, params }) => {
      const segment = await findSegment(context.db, actor.environment_id, params.id)
      const asking = { environment: actor.environment, now: new Date() }
      const why = await whyIn(context.db, asking, segment, params.person_id)
      return { ...why, since: isoDateOrNull(why.since) } as never
    },
  )

  app.get(
    '/segments/:id/export',
    {
      config: { scopes },
      schema: {
        summary: 'Export the members of a Segment',
        description:
          'Every member as it is when it is read. In CSV, text that a spreadsheet would take for a formula begins with a quote.',
        params: IdParams,
        querystring: ExportQuery,
        response: {
          200: {
            description: 'The members, as they are read',
            content: Object.fromEntries(
              formats.map((format) => [contentTypes[format].split(';', 1)[0], { schema: Type.String() }]),
            ),
          },
        },
      },
    },
    async ({ actor, params, query, method }, reply) => {
      const { id } = await findSegment(context.db, actor.environment_id, params.id)
      const format = query.format ?? 'csv'
      reply.header('Content-Type', contentTypes[format])
      reply.header('Content-Disposition', `attachment; filename="segment-${id}.${format}"`)
      if (method === 'HEAD') return reply.send(undefined as never)
      return reply.send(exportMembers(context.db, actor.environment_id, id, format) as never)
    },
  )
}
