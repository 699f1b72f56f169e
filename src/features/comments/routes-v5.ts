import type { FastifyReply, FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { transaction } from '../../database/transaction.ts'
import { listWords } from '../../database/words.ts'
import { expectedVersion, isUnchanged } from '../../http/etag.ts'
import { present } from '../../http/expand.ts'
import { Collection, envelope } from '../../http/list.ts'
import { once } from '../../http/once.ts'
import { FieldsQuery, recordRoutes, withExpansions } from '../../http/records.ts'
import { IdParams, Nothing } from '../../http/schemas.ts'
import type { ListOptions, Routes } from '../../http/types.ts'
import type { Actor } from '../access/authenticate.ts'
import { viewOf } from '../publications/present/view.ts'
import { findPublication } from '../publications/queries.ts'
import { changeComment, createComment, createReply, deleteComment, setStatus } from './commands.ts'
import { standsUnder } from './describe.ts'
import { commentList, inComments, replyList, threadList } from './filters.ts'
import { commentExpansions, presentComment } from './present.ts'
import { Comment, CommentBody, NewComment } from './schema.ts'
import { findComment, isSeen, isUnderSeen } from './sight.ts'
import type { CommentRow } from './table.ts'

const secret = {
  session_hash: Type.Optional(
    Type.String({ maxLength: 200, description: 'The session of the person, or of the user, who writes' }),
  ),
}
const BySession = Type.Object(secret, { additionalProperties: false })
const FieldsBySession = Type.Object({ ...FieldsQuery.properties, ...secret }, { additionalProperties: false })
const Full = withExpansions(Comment, commentExpansions)
const config = { expansions: commentExpansions, record: Comment }
const publish = ['comments', 'comments_publish'] as const

export const commentRoutesV5: Routes = (app, context) => {
  const { db } = context
  const answer = async (request: FastifyRequest, reply: FastifyReply, row: CommentRow, status = 200) => {
    const { actor, selection } = request
    const [body] = await present(db, actor, [row], presentComment, commentExpansions, selection)
    isUnchanged(request, reply, row.version, body)
    if (status === 201) reply.header('Location', `/v5/comments/${row.id}`)
    return reply.code(status).send(body as never)
  }
  const visible = async (actor: Actor, id: string): Promise<string> =>
    (await findPublication(db, actor.environment_id, id, await viewOf(context, actor, {}))).id
  const page = async (
    request: FastifyRequest,
    reply: FastifyReply,
    list: ListOptions,
    under: RawBuilder<unknown>[],
    place: Parameters<typeof standsUnder>[1],
  ) => {
    const { actor, selection } = request
    const only = [...under, isSeen(actor)]
    const found = await listWords<CommentRow>(
      context,
      list,
      inComments,
      actor.environment_id,
      request.list,
      only,
      standsUnder(actor, place),
    )
    const items = await present(db, actor, found.rows, presentComment, commentExpansions, selection)
    return envelope(request, reply, context.config.publicUrl, found, items) as never
  }

  recordRoutes<CommentRow, never, never>(app, context, {
    path: '/comments',
    label: 'Comment',
    record: Comment,
    list: commentList,
    expansions: commentExpansions,
    present: presentComment,
    find: findComment,
    page: (_context, actor, request) => {
      // What readers see here changes with the publications, too.
      const list = { ...commentList, moving: actor.token.visibility === 'published' }
      const only = [isUnderSeen(actor)]
      const matches = standsUnder(actor, {})
      return listWords(context, list, inComments, actor.environment_id, request, only, matches)
    },
    read: ['comments'],
  })

  app.get(
    '/publications/:id/comments',
    {
      config: { ...config, scopes: ['comments'], list: threadList },
      schema: {
        summary: 'List the comments on a Publication',
        description: 'Those that reply to no other; replies stand under what they reply to.',
        params: IdParams,
        response: { 200: Collection(Full) },
      },
    },
    async (request, reply) => {
      const id = await visible(request.actor, request.params.id)
      const under = [sql`row.publication_id = ${id}`, sql`row.parent_id is null`]
      return page(request, reply, threadList, under, { publication_id: id, parent_id: null })
    },
  )

  app.post(
    '/publications/:id/comments',
    {
      config: { ...config, scopes: ['messages_publish'] },
      schema: {
        summary: 'Comment on a Publication',
        params: IdParams,
        querystring: FieldsQuery,
        body: NewComment,
        response: { 201: Full },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const publicationId = await visible(actor, params.id)
      const row = await once(
        context,
        request,
        reply,
        (tx) => createComment(tx, actor, publicationId, body),
        (id) => findComment(db, actor, id),
      )
      return answer(request, reply, row, 201)
    },
  )

  app.put(
    '/comments/:id',
    {
      config: { ...config, scopes: publish },
      schema: {
        summary: 'Change a Comment',
        params: IdParams,
        querystring: FieldsBySession,
        body: CommentBody,
        response: { 200: Full },
      },
    },
    async (request, reply) => {
      const { actor, params, body, query } = request
      const expected = expectedVersion(request)
      const row = await transaction(context, (tx) =>
        changeComment(tx, actor, params.id, body.body, query.session_hash, expected),
      )
      return answer(request, reply, row)
    },
  )

  app.delete(
    '/comments/:id',
    {
      config: { scopes: ['comments', 'comments_delete'] },
      schema: {
        summary: 'Delete a Comment',
        description: 'Replies to it move up to what it replied to.',
        params: IdParams,
        querystring: BySession,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      const { actor, params, query } = request
      const expected = expectedVersion(request)
      await transaction(context, (tx) => deleteComment(tx, actor, params.id, query.session_hash, expected))
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/comments/:id/replies',
    {
      config: { ...config, scopes: ['comments'], list: replyList },
      schema: {
        summary: 'List the replies to a Comment',
        params: IdParams,
        response: { 200: Collection(Full) },
      },
    },
    async (request, reply) => {
      const { id } = await findComment(db, request.actor, request.params.id)
      return page(request, reply, replyList, [sql`row.parent_id = ${id}`], { parent_id: id })
    },
  )

  app.post(
    '/comments/:id/replies',
    {
      config: { ...config, scopes: publish },
      schema: {
        summary: 'Reply to a Comment',
        params: IdParams,
        querystring: FieldsBySession,
        body: CommentBody,
        response: { 201: Full },
      },
    },
    async (request, reply) => {
      const { actor, params, body, query } = request
      const row = await once(
        context,
        request,
        reply,
        (tx) => createReply(tx, actor, params.id, body.body, query.session_hash),
        (id) => findComment(db, actor, id),
      )
      return answer(request, reply, row, 201)
    },
  )

  for (const [action, status, summary] of [
    ['approve', 'approved', 'Let readers see a Comment'],
    ['hide', 'hidden', 'Hide a Comment from readers'],
  ] as const)
    app.post(
      `/comments/:id/${action}`,
      {
        config: { ...config, scopes: publish },
        schema: { summary, params: IdParams, querystring: FieldsQuery, response: { 200: Full } },
      },
      async (request, reply) => {
        const expected = expectedVersion(request)
        const row = await transaction(context, (tx) =>
          setStatus(tx, request.actor, request.params.id, status, expected),
        )
        return answer(request, reply, row)
      },
    )
}
