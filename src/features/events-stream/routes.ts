import type { Routes } from '../../http/types.ts'
import { readAsked } from './asked.ts'
import { eventHub } from './hub.ts'
import { EventStream, EventsQuery } from './schema.ts'

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
}

export const eventRoutes: Routes = (app, context) => {
  const hub = eventHub(context, app.limits)
  app.addHook('preClose', async () => hub.close())

  app.get(
    '/events',
    {
      config: { scopes: [], live: true },
      schema: {
        summary: 'Listen to events',
        description:
          'Server-sent events, each with the body that webhooks get. A token hears of the records that it may read; one that sees only what is published hears of the published locales of publications, and is given only the id of what is unpublished or deleted. A lost connection goes on where it ended by `Last-Event-ID`.',
        querystring: EventsQuery,
        response: { 200: EventStream },
      },
    },
    async (request, reply) => {
      const header = request.headers['last-event-id']
      const asked = await readAsked(context, request.actor, request.query, header as string | undefined)
      reply.headers(headers)
      if (request.method === 'HEAD') return reply.send(undefined as never)
      const stream = hub.open(request.actor, asked, reply.raw)
      // The connection ends with the answer, so that nobody waits for it at a shutdown.
      if (request.raw.httpVersionMajor === 1) reply.header('Connection', 'close')
      return reply.send(stream as never)
    },
  )
}
