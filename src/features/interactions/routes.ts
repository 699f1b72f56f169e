import { Type } from 'typebox'
import type { Tx } from '../../database/connect.ts'
import { validationErrors } from '../../http/errors.ts'
import { Collection } from '../../http/list.ts'
import { once } from '../../http/once.ts'
import { IdParams } from '../../http/schemas.ts'
import type { Routes } from '../../http/types.ts'
import { inGroups } from './groups.ts'
import { offeredLabels } from './labels.ts'
import { receive, type Submission } from './receive.ts'
import { recordGroup, resolveOne } from './record.ts'
import { Accepted, InteractionBody } from './schema.ts'
import { store } from './store.ts'

/** Of interactions, so that a statement stays short. */
const mostInGroup = 5000

export const interactionRoutes: Routes = (app, context) => {
  const record = inGroups<Submission>(
    (group) => recordGroup(context, group),
    ({ items }) => items.length,
    mostInGroup,
  )

  app.post(
    '/publications/:id/interactions',
    {
      // Judged by `receive`, so that a body which is right is looked through once.
      attachValidation: true,
      config: { scopes: ['interactions_publish'], personal: true },
      schema: {
        summary: 'Record interactions with a publication',
        description: 'One interaction, or up to 1,000 as `items`. They are stored when the answer comes.',
        params: IdParams,
        body: InteractionBody,
        response: { 202: Accepted },
      },
    },
    async (request, reply) => {
      const { actor, params, body, validationError } = request
      const submission = receive(actor, params.id, body, validationErrors(validationError?.validation ?? []))
      if (request.headers['idempotency-key'] === undefined) await record(submission)
      else {
        const resolved = await resolveOne(context, submission)
        const work = async (tx: Tx) => {
          await store(tx, [resolved])
          return { id: submission.publicationId }
        }
        await once(context, request, reply, work, async (id) => ({ id }))
      }
      return reply.code(202).send({ accepted: submission.items.length })
    },
  )

  app.get(
    '/interactions/labels',
    {
      config: { scopes: [] },
      schema: {
        summary: 'List the labels of interactions',
        response: { 200: Collection(Type.String()) },
      },
    },
    async () => ({
      items: offeredLabels,
      total: offeredLabels.length,
      after: '',
      before: '',
      skip: 0,
      limit: offeredLabels.length,
    }),
  )
}
