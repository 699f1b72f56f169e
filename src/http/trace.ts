import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

const shape = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const nobody = /^0+$/

/** Goes on with the caller's W3C trace, or starts one; its id is the `dbtrace` of errors and of the log line. */
export const trace = (app: FastifyInstance, log: Logger): void => {
  app.addHook('onRequest', async (request, reply) => {
    const [, traceId, parent, flags] = shape.exec(String(request.headers.traceparent ?? '')) ?? []
    const known =
      traceId !== undefined && parent !== undefined && !nobody.test(traceId) && !nobody.test(parent)
    request.traceId = known ? traceId : randomBytes(16).toString('hex')
    request.startedAt = performance.now()
    const span = randomBytes(8).toString('hex')
    reply.header('traceparent', `00-${request.traceId}-${span}-${known ? flags : '00'}`)
  })

  // The route's pattern, never the address: an address may carry a token or personal data.
  app.addHook('onResponse', async (request, reply) => {
    if (!log.isLevelEnabled('info')) return
    log.info(
      {
        trace: request.traceId,
        method: request.method,
        route: request.is404 ? undefined : request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round((performance.now() - request.startedAt) * 100) / 100,
        environment: request.actor?.environment_id,
        token: request.actor?.token_id,
      },
      'request',
    )
  })
}
