import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../context.ts'
import type { Db } from '../database/connect.ts'
import { Unauthorized } from '../errors.ts'
import { sameText } from '../secrets.ts'
import type { CacheFigures } from './cache.ts'
import { atOnce } from './hooks.ts'
import type { Load } from './overload.ts'
import { within } from './patience.ts'

/** HTTP/2 lets a caller make up names; each would be a series of its own. */
const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])

const waiting = async (db: Db): Promise<number> => {
  const counting = sql<{ count: string }>`select count(*) from (select 1 from outbox limit 100000) o`.execute(
    db,
  )
  const { rows } = await within(1000, counting)
  return Number(rows[0]!.count)
}

/**
 * `/metrics` for Prometheus, with MARQUEE_METRICS_TOKEN or, where none is set, from this machine only. What a
 * proxy on this machine passes on looks as if it came from here, so it needs the token.
 */
export const metricsRoute = (
  app: FastifyInstance,
  { config, db }: Context,
  load: Load,
  kept: CacheFigures,
): void => {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'marquee_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  new Gauge({
    name: 'marquee_http_requests_in_flight',
    help: 'Requests under way in this process',
    registers,
    collect() {
      this.set(load.inFlight())
    },
  })
  new Gauge({
    name: 'marquee_http_bodies_arriving',
    help: 'Requests whose body is still on its way to this process',
    registers,
    collect() {
      this.set(load.arriving())
    },
  })
  new Gauge({
    name: 'marquee_event_streams',
    help: 'Streams of events that this process sends',
    registers,
    collect() {
      this.set(load.live())
    },
  })
  new Counter({
    name: 'marquee_cache_answers_total',
    help: 'Reads that could be answered from what this process keeps, by whether they were',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      this.inc({ result: 'hit' }, kept.hits)
      this.inc({ result: 'miss' }, kept.misses)
    },
  })
  new Gauge({
    name: 'marquee_cache_bytes',
    help: 'Size of the answers that this process keeps',
    registers,
    collect() {
      this.set(kept.bytes())
    },
  })
  new Gauge({
    name: 'marquee_outbox_rows',
    help: 'Events committed but not yet dispatched',
    registers,
    async collect() {
      // The other figures matter most while the database does not answer.
      this.set(await waiting(db).catch(() => Number.NaN))
    },
  })
  app.addHook(
    'onResponse',
    atOnce((request, reply) => {
      // How long somebody listened is no time that anybody waited.
      if (request.routeOptions.config.live) return
      const route = request.is404 ? 'none' : request.routeOptions.url
      durations.observe(
        {
          method: methods.has(request.method) ? request.method : 'other',
          route: route ?? 'none',
          status: reply.statusCode,
        },
        (performance.now() - request.startedAt) / 1000,
      )
    }),
  )

  app.get(
    '/metrics',
    { config: { access: 'public' }, schema: { hide: true } as object },
    async (request, reply) => {
      const sent = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const allowed = config.metricsToken
        ? sent !== undefined && sameText(sent, config.metricsToken)
        : isLocal(request)
      if (!allowed) throw new Unauthorized(sent === undefined ? 'missing' : 'invalid')
      return reply.header('Content-Type', registry.contentType).send(await registry.metrics())
    },
  )
}

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const isLocal = ({ raw, headers }: FastifyRequest): boolean =>
  loopback.has(raw.socket.remoteAddress ?? '') &&
  !Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'))
