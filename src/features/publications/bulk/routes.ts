import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { findRecord } from '../../../database/records.ts'
import { transaction } from '../../../database/transaction.ts'
import { validationErrors } from '../../../http/errors.ts'
import { once } from '../../../http/once.ts'
import { recordRoutes } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { isObject } from '../../../objects.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { Input } from '../commands/applied.ts'
import { readAsked } from './asked.ts'
import {
  acceptOperation,
  cancelOperation,
  type Order,
  planOperation,
  seen,
  seesAllKinds,
  undoOperation,
} from './commands.ts'
import { operationList } from './filters.ts'
import { operationExpansions, presentOperation } from './present.ts'
import { BulkDeleteBody, BulkOperation, BulkPutBody, BulkQuery, PlannedOperation } from './schema.ts'
import type { OperationKind, OperationRow } from './table.ts'

const description =
  'Takes the filters of `GET /publications`, in the query or under `filter` in the body. The publications that match are fixed when the call is accepted; each is then changed beside requests, as a single call would, with one version and one event.'

export const bulkRoutes: Routes = (app, context) => {
  const find = (actor: Actor, id: string): Promise<OperationRow> =>
    findRecord(context.db, 'bulk_operations', 'BulkOperation', actor.environment_id, id)

  const plan = (request: FastifyRequest, order: Order) =>
    transaction(context, (tx) => planOperation(context, tx, request.actor, order))
  const accept = (request: FastifyRequest, reply: FastifyReply, order: Order) =>
    once(
      context,
      request,
      reply,
      (tx) => acceptOperation(context, tx, request.actor, order),
      (id) => find(request.actor, id),
    )
  const answer = async (request: FastifyRequest, reply: FastifyReply, kind: OperationKind) => {
    const order = orderOf(request, kind)
    if (order.asked.dryRun)
      return reply.send({ label: 'BulkOperation', status: 'planned', ...(await plan(request, order)) })
    return accepted(reply, await accept(request, reply, order))
  }

  app.put(
    '/publications/bulk/put',
    {
      attachValidation: true,
      config: { scopes: ['publications', 'publications_publish', 'publications_bulk'] },
      schema: {
        summary: 'Change all publications that match',
        description,
        querystring: BulkQuery,
        body: BulkPutBody,
        response: { 200: PlannedOperation, 202: BulkOperation },
      },
    },
    (request, reply) => answer(request, reply, 'put') as never,
  )

  app.post(
    '/publications/bulk/delete',
    {
      attachValidation: true,
      config: { scopes: ['publications', 'publications_delete', 'publications_bulk'] },
      schema: {
        summary: 'Delete all publications that match',
        description,
        querystring: BulkQuery,
        body: BulkDeleteBody,
        response: { 200: PlannedOperation, 202: BulkOperation },
      },
    },
    (request, reply) => answer(request, reply, 'delete') as never,
  )

  recordRoutes<OperationRow, never, never>(app, context, {
    path: '/bulk_operations',
    label: 'BulkOperation',
    record: BulkOperation,
    list: operationList,
    expansions: operationExpansions,
    present: presentOperation,
    find: async (_db, actor, id) => seen(actor, await find(actor, id)),
    only: (actor) => (seesAllKinds(actor) ? [] : [sql`row.kind = 'webhooks'`]),
    read: ['publications'],
  })

  app.post(
    '/bulk_operations/:id/cancel',
    {
      config: { scopes: ['publications'] },
      schema: {
        summary: 'Stop a BulkOperation where it is',
        description:
          'A repeat is harmless. What it has changed stays; it can be undone. Needs `publications_bulk` unless it calls webhooks.',
        params: IdParams,
        response: { 200: BulkOperation },
      },
    },
    async ({ actor, params }) =>
      presentOperation(await transaction(context, (tx) => cancelOperation(tx, actor, params.id))) as never,
  )

  app.post(
    '/bulk_operations/:id/undo',
    {
      config: { scopes: ['publications', 'publications_publish', 'publications_bulk'] },
      schema: {
        summary: 'Put back what a BulkOperation changed',
        description:
          'A new operation restores each publication to what it was before; those that were edited since are passed over and listed by `fields=errors`.',
        params: IdParams,
        response: { 202: BulkOperation },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const row = await once(
        context,
        request,
        reply,
        (tx) => undoOperation(tx, actor, params.id),
        (id) => find(actor, id),
      )
      return accepted(reply, row) as never
    },
  )
}

const accepted = (reply: FastifyReply, row: OperationRow) =>
  reply.code(202).header('Location', `/bulk_operations/${row.id}`).send(presentOperation(row))

/** Everything that is wrong with query and body is told together with what only the database knows. */
const orderOf = (request: FastifyRequest, kind: OperationKind): Order => {
  const faults = validationErrors(request.validationError?.validation ?? [])
  const body: Input = isObject(request.body) ? request.body : {}
  const asked = readAsked(request.query as Input, body)
  return { kind, asked, isForm: request.isForm, faults }
}
