import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../database/transaction.ts'
import { expectedVersion, isUnchanged } from '../../../http/etag.ts'
import { type Expansions, present } from '../../../http/expand.ts'
import { FieldsQuery, withExpansions } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { App, Routes } from '../../../http/types.ts'
import { personExpansions, without } from '../expansions.ts'
import { presentPerson } from '../present.ts'
import { findPerson } from '../queries.ts'
import { Person } from '../schema.ts'
import type { PersonRow } from '../table.ts'
import { anonymizePerson } from './commands.ts'
import { exportPerson } from './export.ts'

export const erasureRoutes: Routes = (app, context) => {
  anonymizeRoute(app, context)

  app.get(
    '/persons/:id/export',
    {
      config: { scopes: ['persons', 'persons_publish'] },
      schema: {
        summary: 'Export everything that is held about a Person',
        description:
          'The person with its lists, how it signs in, what it did and what was told of it, read as fast as it is taken. Secrets are named, not shown; the text of letters, which may hold links to sign in with, is for tokens with the scope `tokens`.',
        params: IdParams,
        response: { 200: Type.Object({}, { additionalProperties: true, title: 'PersonExport' }) },
      },
    },
    async ({ actor, params, method }, reply) => {
      const person = await findPerson(context.db, actor.environment_id, params.id)
      reply.header('Content-Type', 'application/json; charset=utf-8')
      reply.header('Content-Disposition', 'attachment; filename="person.json"')
      if (method === 'HEAD') return reply.send(undefined as never)
      return reply.send(exportPerson(context, actor, person) as never)
    },
  )
}

const anonymizeRoute = (app: App, context: Context): void => {
  const { db, keys } = context
  const expansions: Expansions<PersonRow> = without(personExpansions(keys), Person)
  app.put(
    '/persons/:id/anonymize',
    {
      config: { scopes: ['persons', 'persons_delete'], expansions, record: Person },
      schema: {
        summary: 'Anonymize a Person',
        description:
          'The person gets a new id and loses everything personal, also where it was copied; interactions stay. It cannot be undone.',
        params: IdParams,
        querystring: FieldsQuery,
        response: { 200: withExpansions(Person, expansions) },
      },
    },
    async (request, reply) => {
      const { actor, params, selection } = request
      const expected = expectedVersion(request)
      const row = await transaction(context, (tx) => anonymizePerson(tx, context, actor, params.id, expected))
      const [shown] = await present(db, actor, [row], presentPerson, expansions, selection)
      isUnchanged(request, reply, row.version, shown)
      return reply.send(shown as never)
    },
  )
}
