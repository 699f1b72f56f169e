import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../database/transaction.ts'
import { NotFound } from '../../../errors.ts'
import { validationErrors } from '../../../http/errors.ts'
import { expectedVersion, isUnchanged } from '../../../http/etag.ts'
import { Collection, envelope } from '../../../http/list.ts'
import { once } from '../../../http/once.ts'
import { withExpansions } from '../../../http/records.ts'
import { IdParams, Nothing } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import type { Actor } from '../../access/authenticate.ts'
import { anyView, viewOf } from '../present/view.ts'
import { findPublication } from '../queries.ts'
import type { ShownRow } from '../table.ts'
import { changeV5, createV5, deleteV5 } from './commands.ts'
import { publicationExpansionsV5 } from './expansions.ts'
import { listV5, personOf, publicationListV5 } from './list.ts'
import { presentV5 } from './present.ts'
import { PublicationListQueryV5 } from './query.ts'
import { ListedPublicationV5, PublicationBodyV5, PublicationChangesV5, PublicationV5 } from './schema.ts'
import { isSeen } from './sight.ts'

const expansions = publicationExpansionsV5(anyView)
const Full = withExpansions(PublicationV5, expansions)
const Listed = withExpansions(ListedPublicationV5, expansions)
const OneQuery = Type.Object(
  {
    fields: Type.Optional(Type.Unknown()),
    session_hash: Type.Optional(
      Type.String({ maxLength: 200, description: 'Whose `notification` is shown' }),
    ),
  },
  { additionalProperties: false },
)

const read = ['publications'] as const
const write = ['publications', 'publications_publish'] as const
const one = { expansions, record: PublicationV5 }
const cached = ['content', 'structure'] as const

export const publicationRoutesV5: Routes = (app, context) => {
  app.get(
    '/publications',
    {
      config: {
        scopes: read,
        personal: true,
        cached,
        list: publicationListV5,
        expansions,
        record: ListedPublicationV5,
      },
      schema: {
        summary: 'List publications',
        querystring: PublicationListQueryV5,
        response: { 200: Collection(Listed) },
      },
    },
    async (request, reply) => {
      const { actor, selection } = request
      const { page, personKey } = await listV5(context, actor, request.list, selection.has('notification'))
      const view = { ...(await viewOf(context, actor, {})), personKey }
      const items = await presentV5(context, actor, page.rows, view, selection)
      return envelope(request, reply, context.config.publicUrl, page, items) as never
    },
  )

  app.get(
    '/publications/:id',
    {
      config: { scopes: read, personal: true, cached, ...one },
      schema: {
        summary: 'Read a Publication',
        params: IdParams,
        querystring: OneQuery,
        response: { 200: Full },
      },
    },
    async (request, reply) => {
      const row = await findV5(context, request.actor, request.params.id)
      return answer(context, request, reply, row, request.query.session_hash)
    },
  )

  app.post(
    '/publications',
    {
      attachValidation: true,
      config: { scopes: write, ...one },
      schema: {
        summary: 'Create a Publication',
        querystring: OneQuery,
        body: PublicationBodyV5,
        response: { 201: Full },
      },
    },
    async (request, reply) => {
      const { actor } = request
      const row = await once(
        context,
        request,
        reply,
        (tx) => createV5(context, tx, actor, bodyOf(request), arrived(request)),
        (id) => findV5(context, actor, id),
      )
      reply.code(201).header('Location', `/v5/publications/${row.id}`)
      return answer(context, request, reply, row, request.query.session_hash)
    },
  )

  app.put(
    '/publications/:id',
    {
      attachValidation: true,
      config: { scopes: write, ...one },
      schema: {
        summary: 'Change a Publication',
        params: IdParams,
        querystring: OneQuery,
        body: PublicationChangesV5,
        response: { 200: Full },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const change = { ...arrived(request), expected: expectedVersion(request) }
      const row = await transaction(context, (tx) =>
        changeV5(context, tx, actor, params.id, bodyOf(request), change),
      )
      return answer(context, request, reply, row, request.query.session_hash)
    },
  )

  app.delete(
    '/publications/:id',
    {
      config: { scopes: ['publications', 'publications_delete'] },
      schema: { summary: 'Delete a Publication', params: IdParams, response: { 204: Nothing } },
    },
    async (request, reply) => {
      const { actor, params } = request
      const expected = expectedVersion(request)
      await transaction(context, (tx) => deleteV5(context, tx, actor, params.id, expected))
      return reply.code(204).send(null)
    },
  )
}

/** Whoever sees everything also sees one that is linked to no locale. */
const findV5 = async (context: Context, actor: Actor, id: string): Promise<ShownRow> => {
  const all = { ...(await viewOf(context, actor, {})), publishedOnly: false }
  const row = await findPublication(context.db, actor.environment_id, id, all)
  if (!isSeen(actor, row)) throw new NotFound('Publication', id)
  return row
}

const answer = async (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  row: ShownRow,
  secret: string | undefined,
) => {
  const { actor, selection } = request
  const personKey = selection.has('notification') ? await personOf(context, actor, secret) : undefined
  const view = { ...(await viewOf(context, actor, {})), personKey }
  const [body] = await presentV5(context, actor, [row], view, selection, true)
  const unchanged = isUnchanged(request, reply, row.version, body)
  const reading = request.method === 'GET' || request.method === 'HEAD'
  if (unchanged && reading) return reply.code(304).send()
  return reply.send(body as never)
}

/** Faults of the schema are told together with those that only the command knows. */
const arrived = (request: FastifyRequest) => ({
  isForm: request.isForm,
  faults: validationErrors(request.validationError?.validation ?? []),
})

const bodyOf = ({ body }: FastifyRequest): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
