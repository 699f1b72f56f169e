import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const nobody = /^0+$/

/** Goes on with the caller's W3C trace, or starts one; its id is the `dbtrace` of errors and of the log line. */
export const trace = (app: FastifyInstance, log: Logger): void => {
  app.addHook('onRequest', async (request, reply) => {
    const parent = readParent(String(request.headers.traceparent ?? ''))
    request.traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    request.startedAt = performance.now()
    const span = randomBytes(8).toString('hex')
    reply.header('traceparent', `00-${request.traceId}-${span}-${parent?.flags ?? '00'}`)
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

/** Version 00 ends after the flags, later ones may go on, and ff is none. */
const readParent = (header: string): { traceId: string; flags: string } | undefined => {
  const [, version, traceId, span, flags, more] = shape.exec(header) ?? []
  if (!version || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return nobody.test(traceId!) || nobody.test(span!) ? undefined : { traceId: traceId!, flags: flags! }
}
