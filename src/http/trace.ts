import { randomFillSync } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { atOnce } from './hooks.ts'

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const nobody = /^0+$/

/** Goes on with the caller's W3C trace, or starts one; its id is the `dbtrace` of errors and of the log line. */
export const trace = (app: FastifyInstance, log: Logger): void => {
  app.addHook(
    'onRequest',
    atOnce((request, reply) => {
      const parent = readParent(String(request.headers.traceparent ?? ''))
      request.traceId = parent?.traceId ?? randomHex(16)
      request.startedAt = performance.now()
      const span = randomHex(8)
      reply.header('traceparent', `00-${request.traceId}-${span}-${parent?.flags ?? '00'}`)
    }),
  )

  // The route's pattern, never the address: an address may carry a token or personal data.
  app.addHook(
    'onResponse',
    atOnce((request, reply) => {
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
    }),
  )
}

const pool = Buffer.alloc(6144)
let used = pool.length

/** From a pool that is filled anew when it is used up: asking each time took 4% of a read. */
const randomHex = (size: number): string => {
  if (used + size > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += size
  return pool.toString('hex', used - size, used)
}

/** Version 00 ends after the flags, later ones may go on, and ff is none. */
const readParent = (header: string): { traceId: string; flags: string } | undefined => {
  const [, version, traceId, span, flags, more] = shape.exec(header) ?? []
  if (!version || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return nobody.test(traceId!) || nobody.test(span!) ? undefined : { traceId: traceId!, flags: flags! }
}
