import { Type } from 'typebox'
import { transaction } from '../../database/transaction.ts'
import { expectedVersion, isUnchanged } from '../../http/etag.ts'
import { present } from '../../http/expand.ts'
import { once } from '../../http/once.ts'
import { FieldsQuery, withExpansions } from '../../http/records.ts'
import { Body, IdParams, Nothing } from '../../http/schemas.ts'
import type { Routes } from '../../http/types.ts'
import { TwoFactorEnrolment } from '../access/users/schema.ts'
import { personExpansions, without } from './expansions.ts'
import { mergePersons } from './merge.ts'
import { presentPerson } from './present.ts'
import { findPerson } from './queries.ts'
import { Person } from './schema.ts'
import { removeTwoFactor, startTwoFactor } from './two-factor.ts'

const Other = Type.Object({ id: Type.String({ maxLength: 200 }) }, { additionalProperties: false })
const write = ['persons', 'persons_publish'] as const

/** What can be done with a person besides reading and writing it. */
export const personActionRoutes: Routes = (app, context) => {
  const { db, keys } = context
  const expansions = without(personExpansions(keys), Person)

  app.post(
    '/persons/:id/merge',
    {
      config: { scopes: write, expansions, record: Person },
      schema: {
        summary: 'Merge another Person into this one',
        description:
          'What the other has or did becomes this one’s; the other is erased, and that cannot be undone.',
        params: IdParams,
        querystring: FieldsQuery,
        body: Body({ person: Other }),
        response: { 200: withExpansions(Person, expansions) },
      },
    },
    async (request, reply) => {
      const { actor, params, body, selection } = request
      const row = await once(
        context,
        request,
        reply,
        (tx) => mergePersons(tx, keys, actor, params.id, body.person.id, expectedVersion(request)),
        (id) => findPerson(db, actor.environment_id, id),
      )
      const [shown] = await present(db, actor, [row], presentPerson, expansions, selection)
      isUnchanged(request, reply, row.version, shown)
      return reply.code(200).send(shown as never)
    },
  )

  app.post(
    '/persons/:id/two_factor',
    {
      config: { scopes: write },
      schema: {
        summary: 'Start to enrol a second factor for a Person',
        description:
          'A repeat is harmless: it replaces the secret that is not confirmed yet. A first code, sent as `two_factor_code` with PUT /persons/{id}, completes it.',
        params: IdParams,
        response: { 201: TwoFactorEnrolment },
      },
    },
    async ({ actor, params }, reply) => {
      const enrolment = await transaction(context, (tx) => startTwoFactor(tx, keys, actor, params.id))
      return reply.code(201).send(enrolment)
    },
  )

  app.delete(
    '/persons/:id/two_factor',
    {
      config: { scopes: write },
      schema: {
        summary: 'Remove the second factor of a Person',
        params: IdParams,
        response: { 204: Nothing },
      },
    },
    async ({ actor, params }, reply) => {
      await transaction(context, (tx) => removeTwoFactor(tx, actor, params.id))
      return reply.code(204).send(null)
    },
  )
}
