import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { listPage } from '../../database/page.ts'
import { Invalid } from '../../errors.ts'
import { present } from '../../http/expand.ts'
import { Collection, envelope } from '../../http/list.ts'
import { once } from '../../http/once.ts'
import { FieldsQuery, recordRoutes, withExpansions } from '../../http/records.ts'
import { IdParams } from '../../http/schemas.ts'
import type { ListOptions, Routes } from '../../http/types.ts'
import type { Actor } from '../access/authenticate.ts'
import { holds } from '../access/scopes.ts'
import { attachedFiles, attachmentFaults } from './attachments.ts'
import { bodyFaults, changeMessage, createMessage, deleteMessage } from './commands.ts'
import { messageExpansions } from './expansions.ts'
import { inBodies, messageListV5 } from './filters.ts'
import { findMessage, loadMessages } from './load.ts'
import { presentMessageV5 } from './present.ts'
import { createReply } from './replies.ts'
import { pageOf } from './routes.ts'
import {
  MessageChanges as Changes,
  InboxQuery,
  MessageBody,
  type MessageChanges,
  MessageV5,
  ReplyBody,
} from './schema.ts'
import type { Message, MessageRow } from './table.ts'

const replyList: ListOptions = {
  table: 'messages',
  family: 'messages',
  filters: {},
  sorts: { created_on: { type: 'date' } },
  defaultSort: 'created_on',
}

export const messageRoutesV5: Routes = (app, context) => {
  const expansions = messageExpansions(context)
  const Full = withExpansions(MessageV5, expansions)
  const find = (actor: Actor, id: string) => findMessage(context, actor.environment_id, id, actor.user_id)
  const faultsOf = async (actor: Actor, body: object) => [
    ...attachmentFaults(body as Record<string, unknown>),
    ...(await bodyFaults(context.db, actor, body)),
  ]
  /** Who may only write is not told whom an address or a number belongs to. */
  const answer = async (request: FastifyRequest, reply: FastifyReply, message: Message) => {
    const { actor, selection } = request
    const seen = holds(actor.token.scopes, 'messages') ? message : { ...message, person: null }
    const [body] = await present(context.db, actor, [seen], presentMessageV5, expansions, selection)
    reply.header('Location', `/v5/messages/${message.id}`)
    return reply.code(201).send(body as never)
  }

  recordRoutes<Message, never, MessageChanges>(app, context, {
    path: '/messages',
    label: 'Message',
    record: MessageV5,
    list: messageListV5,
    query: InboxQuery,
    expansions,
    present: presentMessageV5,
    find: (_db, actor, id) => find(actor, id),
    page: pageOf(messageListV5, inBodies),
    read: ['messages'],
    change: {
      scopes: ['messages', 'messages_publish'],
      body: Changes,
      run: (tx, actor, id, body, expected) => changeMessage(tx, context, actor, id, body, expected),
    },
    remove: { scopes: ['messages', 'messages_publish'], run: deleteMessage },
  })

  app.post(
    '/messages',
    {
      config: {
        scopes: ['messages_publish'],
        expansions,
        record: MessageV5,
        files: attachedFiles,
        alsoWrong: (actor, body) => faultsOf(actor, body),
      },
      schema: {
        summary: 'Create a Message',
        body: MessageBody,
        querystring: FieldsQuery,
        response: { 201: Full },
      },
    },
    async (request, reply) => {
      const { actor } = request
      const body = request.body as Parameters<typeof createMessage>[3] & Record<string, unknown>
      const faults = await faultsOf(actor, body)
      if (faults.length > 0) throw new Invalid(faults)
      const message = await once(
        context,
        request,
        reply,
        (tx) => createMessage(tx, context, actor, body),
        (id) => find(actor, id),
      )
      return answer(request, reply, message)
    },
  )

  app.get(
    '/messages/:id/replies',
    {
      config: { scopes: ['messages'], list: replyList, expansions, record: MessageV5 },
      schema: {
        summary: 'List the replies to a Message',
        params: IdParams,
        response: { 200: Collection(Full) },
      },
    },
    async (request, reply) => {
      const { actor, params, list, selection } = request
      const { id } = await find(actor, params.id)
      const only = [sql`row.parent_id = ${id}`]
      const page = await listPage<MessageRow>(context, replyList, actor.environment_id, list, only)
      const rows = await loadMessages(context, actor.environment_id, page.rows, actor.user_id)
      const items = await present(context.db, actor, rows, presentMessageV5, expansions, selection)
      return envelope(request, reply, context.config.publicUrl, page, items) as never
    },
  )

  app.post(
    '/messages/:id/replies',
    {
      config: { scopes: ['messages_publish'], expansions, record: MessageV5 },
      schema: {
        summary: 'Reply to a Message',
        params: IdParams,
        querystring: FieldsQuery,
        body: ReplyBody,
        response: { 201: Full },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const message = await once(
        context,
        request,
        reply,
        (tx) => createReply(tx, context, actor, params.id, body),
        (id) => find(actor, id),
      )
      return answer(request, reply, message)
    },
  )
}
