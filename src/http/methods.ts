import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import type { Config } from '../config.ts'
import { Failure, NotFound } from '../errors.ts'
import { atOnce, inPassing } from './hooks.ts'

class MethodNotAllowed extends Failure {
  override name = 'MethodNotAllowed'
}

/**
 * 405 with `Allow` on a known path, 404 on an unknown one, OPTIONS, and reading only on the cdn host: decided
 * by method and path alone, before a token or a body is looked at.
 */
export const answerOtherMethods = (app: FastifyInstance, config: Config): void => {
  const paths = findMyWay({ maxParamLength })
  const allowed = new Map<string, Set<string>>()

  app.addHook('onRoute', (route) => {
    const known = allowed.get(route.url) ?? new Set(['OPTIONS'])
    if (!allowed.has(route.url)) {
      paths.on('GET', route.url, () => {}, known)
      allowed.set(route.url, known)
    }
    for (const method of [route.method].flat()) known.add(method)
  })
  const methodsOf = (url: string, reading: boolean): string[] | undefined => {
    const found = paths.find('GET', url.split('?', 1)[0]!)
    if (!found) return undefined
    return [...(found.store as Set<string>)].filter((name) => !reading || readers.has(name)).sort()
  }

  app.addHook('onRequest', (request, reply, done) => {
    const reading = isCdn(config, request)
    if (!request.is404 && (!reading || readers.has(request.method))) return done()
    const methods = methodsOf(request.url, reading)
    if (!methods) return done(new NotFound('Path', ''))
    reply.header('Allow', methods.join(', '))
    if (request.method !== 'OPTIONS') return done(new MethodNotAllowed(request.method))
    preflight(reply, methods)
  })
  app.setNotFoundHandler(async () => {
    throw new NotFound('Path', '')
  })
}

/** Longer than any head can be: an id that is too long is answered like any other that does not exist. */
export const maxParamLength = 40_000
const readers = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A configured host without a port is meant at any port. */
const isHost = (configured: string, sent: string): boolean => {
  const host = sent.toLowerCase()
  return host === configured || host.replace(/:\d+$/, '') === configured
}

/** Whether a request was sent to the host that only reads. */
export const isCdn = ({ cdnHost }: Config, { host }: FastifyRequest): boolean =>
  cdnHost !== undefined && isHost(cdnHost, host)

const preflight = (reply: FastifyReply, methods: string[]): FastifyReply =>
  reply
    .code(204)
    .header('Access-Control-Allow-Methods', methods.join(', '))
    .header(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, Environment-Id, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Range, traceparent',
    )
    .header('Access-Control-Max-Age', '7200')
    .send()

/** Bearer tokens are not sent by a browser on its own, so any origin may be let in; cookies never are. */
export const shareWithOrigins = (app: FastifyInstance, { corsOrigins }: Config): void => {
  const any = corsOrigins.includes('*')
  app.addHook(
    'onRequest',
    atOnce(({ headers: { origin } }, reply) => {
      if (origin === undefined || !(any || corsOrigins.includes(origin))) return
      reply.header('Access-Control-Allow-Origin', any ? '*' : origin)
      reply.header(
        'Access-Control-Expose-Headers',
        'Accept-Ranges, Content-Range, ETag, Link, Location, Retry-After, Deprecation, Idempotency-Replayed, RateLimit, RateLimit-Policy, traceparent',
      )
    }),
  )
  if (any) return
  // When the answer is sent, so that it joins whatever else the answer varies with.
  app.addHook(
    'onSend',
    inPassing((_request, reply) => {
      const others = reply.getHeader('Vary')
      reply.header('Vary', others === undefined ? 'Origin' : `${others}, Origin`)
    }),
  )
}
