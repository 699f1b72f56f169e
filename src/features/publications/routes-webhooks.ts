import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ListRequest } from '../../database/page.ts'
import { findRecord } from '../../database/records.ts'
import { transaction } from '../../database/transaction.ts'
import type { FieldError } from '../../errors.ts'
import { Invalid } from '../../errors.ts'
import { emittedName, offeredEvents } from '../../events.ts'
import { validationErrors } from '../../http/errors.ts'
import { envelope } from '../../http/list.ts'
import { once } from '../../http/once.ts'
import { Body } from '../../http/schemas.ts'
import type { ListOptions, Routes } from '../../http/types.ts'
import { isObject } from '../../objects.ts'
import { readAsked } from './bulk/asked.ts'
import { acceptOperation, type Order, planOperation } from './bulk/commands.ts'
import { presentOperation } from './bulk/present.ts'
import { BulkDeleteBody, BulkOperation, BulkQuery, PlannedOperation } from './bulk/schema.ts'
import type { OperationRow } from './bulk/table.ts'
import { listCalled } from './called.ts'
import type { Input } from './commands/applied.ts'
import { publicationList } from './list/list.ts'
import { PublicationListQuery } from './list/query.ts'

/** What can be said of publications that are there. */
const events = offeredEvents.filter((name) =>
  /^publication\.(created|changed|published)$/.test(emittedName(name)),
)

const Event = Type.Unsafe<string>({
  description: `One of ${events.join(', ')}`,
  examples: ['publication.updated'],
})
const EventBody = Type.Unsafe<{ event?: unknown } | null>({
  ...Body({ event: Type.Optional(Event) }),
  type: ['object', 'null'],
})
const Called = Type.Object(
  {
    webhooks: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'By the id of a publication the addresses that the event would call',
      examples: [{ '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20': ['https://hooks.example.org/marquee'] }],
    }),
  },
  { title: 'WebhookList' },
)

/** The event may stand in the query or in the body, but not in both. */
const readEvent = (request: FastifyRequest, byDefault?: string): { event: string; faults: FieldError[] } => {
  const { event: inQuery } = request.query as Input
  const inBody = isObject(request.body) ? request.body.event : undefined
  const sent = inQuery ?? inBody ?? byDefault
  const fault = (message: string) => ({ event: '', faults: [{ path: 'event', message }] })
  if (inQuery !== undefined && inBody !== undefined)
    return fault('must stand in the query or in the body, not in both')
  if (sent === undefined) return fault('is required')
  if (typeof sent !== 'string' || !events.includes(sent)) return fault(`must be one of ${events.join(', ')}`)
  return { event: sent, faults: [] }
}

const withoutEvent = (request: ListRequest): ListRequest => {
  const { event: _event, ...filter } = request.filter
  return { ...request, filter }
}

/** The list of publications, a thousand at a time. */
const calledList: ListOptions = {
  ...publicationList,
  defaultLimit: 1000,
  faults: (request, actor) => publicationList.faults(withoutEvent(request), actor),
}

export const publicationWebhookRoutes: Routes = (app, context) => {
  app.get(
    '/publications/webhooks',
    {
      config: { scopes: ['publications'], list: calledList },
      schema: {
        summary: 'Tell which webhooks an event would call',
        description:
          'Takes the filters of `GET /publications`. Up to 1000 publications per answer; where there are more, `Link` leads on.',
        operationId: 'getPublicationWebhooks',
        querystring: Type.Object(
          { event: Type.Optional(Event), ...PublicationListQuery.properties },
          { additionalProperties: true },
        ),
        body: EventBody,
        response: { 200: Called },
      },
    },
    async (request, reply) => {
      const { event, faults } = readEvent(request)
      const asked = { ...withoutEvent(request.list), total: false }
      if (faults.length > 0) throw new Invalid([...faults, ...publicationList.faults(asked, request.actor)])
      const { page, webhooks } = await listCalled(context, request.actor, asked, event)
      envelope(request, reply, context.config.publicUrl, page, [])
      return { webhooks }
    },
  )

  app.post(
    '/publications/bulk/webhooks',
    {
      attachValidation: true,
      config: { scopes: ['publications'] },
      schema: {
        summary: 'Call webhooks for all publications that match',
        description:
          'Takes the filters of `GET /publications`, in the query or under `filter` in the body. Every webhook that is registered for the event, and whose filter matches, is called once for each publication, as it is then. Cancelling the operation also ends calls that wait to be sent.',
        querystring: Type.Object(
          { ...BulkQuery.properties, event: Type.Optional(Event) },
          { additionalProperties: true },
        ),
        body: BulkCallBody,
        response: { 200: PlannedOperation, 202: BulkOperation },
      },
    },
    async (request, reply) => {
      const { actor } = request
      const order = orderOf(request)
      if (order.asked.dryRun) {
        const planned = await transaction(context, (tx) => planOperation(context, tx, actor, order))
        return reply.send({ label: 'BulkOperation', status: 'planned', ...planned } as never)
      }
      const find = (id: string): Promise<OperationRow> =>
        findRecord(context.db, 'bulk_operations', 'BulkOperation', actor.environment_id, id)
      const row = await once(
        context,
        request,
        reply,
        (tx) => acceptOperation(context, tx, actor, order),
        find,
      )
      return reply
        .code(202)
        .header('Location', `/bulk_operations/${row.id}`)
        .send(presentOperation(row) as never)
    },
  )
}

const { properties, ...bulkBody } = BulkDeleteBody as unknown as { properties: object }
const BulkCallBody = Type.Unsafe<object | null>({ ...bulkBody, properties: { ...properties, event: Event } })

const orderOf = (request: FastifyRequest): Order => {
  const { event, faults } = readEvent(request, 'publication.updated')
  const { event: _inQuery, ...query } = request.query as Input
  const { event: _inBody, ...body } = isObject(request.body) ? request.body : {}
  const all = [...validationErrors(request.validationError?.validation ?? []), ...faults]
  return { kind: 'webhooks', asked: readAsked(query, body), isForm: request.isForm, event, faults: all }
}
