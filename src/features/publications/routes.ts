import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { transaction } from '../../database/transaction.ts'
import { invalid } from '../../errors.ts'
import { validationErrors } from '../../http/errors.ts'
import { expectedVersion } from '../../http/etag.ts'
import { once } from '../../http/once.ts'
import { withExpansions } from '../../http/records.ts'
import { IdParams, Nothing } from '../../http/schemas.ts'
import type { Routes } from '../../http/types.ts'
import type { Actor } from '../access/authenticate.ts'
import { answerAt } from './at/routes.ts'
import { changePublication, createPublication } from './commands/commands.ts'
import { deletePublication } from './commands/delete.ts'
import { answerDraft, putDraft } from './drafts/routes.ts'
import { answer } from './present/answer.ts'
import { publicationExpansions } from './present/expansions.ts'
import { anyView, type Looking, viewOf } from './present/view.ts'
import { findPublication, findWhole } from './queries.ts'
import { Publication, PublicationBody, PublicationChanges } from './schema.ts'

const Locale = Type.String({ maxLength: 20, examples: ['en-US'], description: 'Shows this locale only' })
const Fallback = Type.Unsafe<string | boolean>({
  type: ['string', 'boolean'],
  enum: ['true', 'false', '1', '0', true, false],
  description: 'true: missing fields are filled from the default locale',
})
const one = {
  fields: Type.Optional(Type.Unknown()),
  locale: Type.Optional(Locale),
  fallback: Type.Optional(Fallback),
}
const Draft = Type.Optional(
  Type.Unsafe<string | boolean>({ ...Fallback, description: 'true: the working copy' }),
)
const OneQuery = Type.Object(one, { additionalProperties: false })
const At = Type.String({ format: 'moment', description: 'What was, or will be, published at that time' })
const ReadQuery = Type.Object(
  { ...one, draft: Draft, at: Type.Optional(At) },
  { additionalProperties: false },
)
const DraftQuery = Type.Object({ ...one, draft: Draft }, { additionalProperties: false })

const expansions = publicationExpansions(anyView)
const Full = withExpansions(Publication, expansions)

const read = ['publications'] as const
const write = ['publications', 'publications_publish'] as const

export const publicationRoutes: Routes = (app, context) => {
  app.get(
    '/publications/:id',
    {
      config: {
        scopes: read,
        personal: true,
        cached: ['content', 'structure'],
        expansions,
        record: Publication,
      },
      schema: {
        summary: 'Read a Publication',
        params: IdParams,
        querystring: ReadQuery,
        response: { 200: Full },
      },
    },
    async (request, reply) => {
      const { actor, query } = request
      const { id } = request.params
      const view = await viewOf(context, actor, lookingOf(actor, query))
      if (query.at !== undefined) return answerAt(context, request, reply, id, query, view)
      if (isTrue(query.draft)) return answerDraft(context, request, reply, id, view)
      if (request.selection.has('items')) {
        const whole = await findWhole(context.db, actor.environment_id, id, view)
        return answer(context, request, reply, whole.row, whole.view)
      }
      const row = await findPublication(context.db, actor.environment_id, id, view)
      return answer(context, request, reply, row, view)
    },
  )

  app.post(
    '/publications',
    {
      attachValidation: true,
      config: { scopes: write, expansions, record: Publication },
      schema: {
        summary: 'Create a Publication',
        querystring: OneQuery,
        body: PublicationBody,
        response: { 201: Full },
      },
    },
    async (request, reply) => {
      const { actor } = request
      const view = await viewOf(context, actor, lookingOf(actor, request.query))
      const row = await once(
        context,
        request,
        reply,
        (tx) => createPublication(context, tx, actor, bodyOf(request), arrived(request)),
        (id) => findPublication(context.db, actor.environment_id, id, view),
      )
      reply.code(201).header('Location', `/publications/${row.id}`)
      return answer(context, request, reply, row, view)
    },
  )

  app.put(
    '/publications/:id',
    {
      attachValidation: true,
      config: { scopes: write, expansions, record: Publication },
      schema: {
        summary: 'Change a Publication',
        params: IdParams,
        querystring: DraftQuery,
        body: PublicationChanges,
        response: { 200: Full },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const view = await viewOf(context, actor, lookingOf(actor, request.query))
      if (isTrue(request.query.draft))
        return putDraft(context, request, reply, params.id, bodyOf(request), arrived(request), view)
      const change = { ...arrived(request), expected: expectedVersion(request) }
      const row = await transaction(context, (tx) =>
        changePublication(context, tx, actor, params.id, bodyOf(request), change),
      )
      return answer(context, request, reply, row, view)
    },
  )

  app.delete(
    '/publications/:id',
    {
      config: { scopes: ['publications', 'publications_delete'] },
      schema: { summary: 'Delete a Publication', params: IdParams, response: { 204: Nothing } },
    },
    async (request, reply) => {
      const expected = expectedVersion(request)
      await transaction(context, (tx) =>
        deletePublication(context, tx, request.actor, request.params.id, { expected }),
      )
      return reply.code(204).send(null)
    },
  )
}

/** The query of a single read. */
const lookingOf = (
  { environment }: Actor,
  { locale, fallback }: { locale?: string; fallback?: string | boolean },
): Looking => {
  if (locale !== undefined && !environment.locales.includes(locale))
    throw invalid('locale', `must be one of ${environment.locales.join(', ')}`)
  return { locale, fallback: isTrue(fallback) }
}

const isTrue = (sent: string | boolean | undefined): boolean =>
  sent === true || sent === 'true' || sent === '1'

/** Faults of the schema are told together with those of the content, which only the command knows. */
const arrived = (request: FastifyRequest) => ({
  isForm: request.isForm,
  faults: validationErrors(request.validationError?.validation ?? []),
})

const bodyOf = ({ body }: FastifyRequest): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
