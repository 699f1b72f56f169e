import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import { findRecord } from '../../../database/records.ts'
import { transaction } from '../../../database/transaction.ts'
import { expectedVersion, isHeld, isUnchanged } from '../../../http/etag.ts'
import { present } from '../../../http/expand.ts'
import { once } from '../../../http/once.ts'
import { FieldsQuery, withExpansions } from '../../../http/records.ts'
import { IdParams, Nothing } from '../../../http/schemas.ts'
import { allowSharing } from '../../../http/shared-caches.ts'
import type { Routes } from '../../../http/types.ts'
import type { TimelineRow } from '../table.ts'
import { changeTimeline, createTimeline, deleteTimeline } from './commands.ts'
import { keptDays, readDay } from './day.ts'
import { timelineExpansions } from './expansions.ts'
import { onAirMoments } from './moments.ts'
import { onAir } from './now.ts'
import { presentTimeline } from './present.ts'
import {
  DayQuery,
  Moments,
  MomentsQuery,
  NowQuery,
  Timeline,
  TimelineBody,
  TimelineChanges,
} from './schema.ts'

const read = ['content_items'] as const
const write = ['content_items', 'content_items_publish'] as const

const notModified = (reply: FastifyReply) => reply.code(304).send()

export const timelineRoutes: Routes = (app, context) => {
  const { db } = context
  const expansions = timelineExpansions(context)
  const Full: TObject = withExpansions(Timeline, expansions)
  const reading = { scopes: read, expansions, record: Timeline }
  const writing = { scopes: write, expansions, record: Timeline }
  const days = keptDays(context)
  const show = ({ actor, selection }: FastifyRequest, rows: TimelineRow[]) =>
    present(db, actor, rows, presentTimeline(actor.environment), expansions, selection)
  const find = (environmentId: string, id: string) =>
    findRecord(db, 'timelines', 'Timeline', environmentId, id)
  const answer = async (request: FastifyRequest, reply: FastifyReply, row: TimelineRow) => {
    const [body] = await show(request, [row])
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    return isUnchanged(request, reply, row.version, body) && isRead
      ? reply.code(304).send()
      : reply.send(body)
  }

  app.get(
    '/timelines',
    {
      config: reading,
      schema: {
        summary: 'Read the timelines of a day',
        description: 'All that begins on a day of the environment’s time zone, in the order of the day.',
        querystring: DayQuery,
        response: { 200: Type.Object({ items: Type.Array(Full), total: Type.Integer() }) },
      },
    },
    async (request, reply) => {
      const { actor, query, selection } = request
      if (selection.size > 0) {
        const items = await show(request, await readDay(db, actor, query))
        return reply.send({ items, total: items.length } as never)
      }
      const { text, etag } = await days(actor, query)
      reply.header('ETag', etag).header('Content-Type', 'application/json; charset=utf-8')
      return isHeld(request, etag) ? notModified(reply as never) : reply.send(text as never)
    },
  )

  app.get(
    '/timelines/now',
    {
      config: reading,
      schema: {
        summary: 'Read what is on air now and next',
        description:
          'Of entries that overlap the one that began last is on air. It may be kept until the second at which it changes, and for 10 seconds at most.',
        querystring: NowQuery,
        response: {
          200: Type.Object({ now: Type.Union([Full, Type.Null()]), next: Type.Union([Full, Type.Null()]) }),
        },
      },
    },
    async (request, reply) => {
      const { now, next, seconds } = await onAir(db, request.actor, request.query.channel_id)
      const shown = await show(
        request,
        [now, next].filter((row) => row !== undefined),
      )
      const body = { now: now ? shown[0] : null, next: next ? shown.at(-1) : null }
      reply.header('Cache-Control', `private, max-age=${seconds}`)
      allowSharing(context.config, request, reply as never, ['music'], seconds * 1000)
      return isUnchanged(request, reply, 0, body) ? notModified(reply as never) : reply.send(body as never)
    },
  )

  app.get(
    '/timelines/moments',
    {
      config: { scopes: ['content_items', 'publications'] },
      schema: {
        summary: 'Read what listeners did while something was on air',
        description:
          'Interactions with publications of the channel on a day, by the minute and by what was on air, and by track.',
        querystring: MomentsQuery,
        response: { 200: Moments },
      },
    },
    async ({ actor, query }) => onAirMoments(db, actor, query.channel_id, query.date) as never,
  )

  app.get(
    '/timelines/:id',
    {
      config: reading,
      schema: {
        summary: 'Read a Timeline',
        params: IdParams,
        querystring: FieldsQuery,
        response: { 200: Full },
      },
    },
    async (request, reply) =>
      answer(request, reply, await find(request.actor.environment_id, request.params.id)),
  )

  app.post(
    '/timelines',
    {
      config: writing,
      schema: {
        summary: 'Create a Timeline',
        body: TimelineBody,
        querystring: FieldsQuery,
        response: { 201: Full },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      const row = await once(
        context,
        request,
        reply,
        (tx) => createTimeline(tx, actor, body),
        (id) => find(actor.environment_id, id),
      )
      reply.code(201).header('Location', `${request.url.split('?', 1)[0]}/${row.id}`)
      return answer(request, reply, row)
    },
  )

  app.put(
    '/timelines/:id',
    {
      config: writing,
      schema: {
        summary: 'Change a Timeline',
        params: IdParams,
        querystring: FieldsQuery,
        body: TimelineChanges,
        response: { 200: Full },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const expected = expectedVersion(request)
      const row = await transaction(context, (tx) => changeTimeline(tx, actor, params.id, body, expected))
      return answer(request, reply, row)
    },
  )

  app.delete(
    '/timelines/:id',
    {
      config: { scopes: write },
      schema: { summary: 'Delete a Timeline', params: IdParams, response: { 204: Nothing } },
    },
    async (request, reply) => {
      const expected = expectedVersion(request)
      await transaction(context, (tx) => deleteTimeline(tx, request.actor, request.params.id, expected))
      return reply.code(204).send(null)
    },
  )
}
