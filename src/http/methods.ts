import type { FastifyInstance } from 'fastify'
import findMyWay from 'find-my-way'
import type { Config } from '../config.ts'
import { Failure, NotFound } from '../errors.ts'

class MethodNotAllowed extends Failure {
  override name = 'MethodNotAllowed'
}

/** 405 with `Allow` on a known path, 404 on an unknown one; OPTIONS and CORS; reading only on the cdn host. */
export const answerOtherMethods = (app: FastifyInstance, config: Config): void => {
  const paths = findMyWay({ maxParamLength: 500 })
  const allowed = new Map<string, Set<string>>()

  app.addHook('onRoute', (route) => {
    const known = allowed.get(route.url) ?? new Set(['OPTIONS'])
    if (!allowed.has(route.url)) {
      paths.on('GET', route.url, () => {}, known)
      allowed.set(route.url, known)
    }
    for (const method of [route.method].flat()) known.add(method)
  })
  const methodsOf = (url: string): string[] | undefined => {
    const found = paths.find('GET', url.split('?', 1)[0]!)
    return found ? [...(found.store as Set<string>)].sort() : undefined
  }

  app.addHook('onRequest', async (request, reply) => {
    cors(config, request.headers.origin, (name, value) => reply.header(name, value))
    if (request.hostname === config.cdnHost && !['GET', 'HEAD', 'OPTIONS'].includes(request.method)) {
      reply.header('Allow', 'GET, HEAD, OPTIONS')
      throw new MethodNotAllowed(request.method)
    }
  })

  app.setNotFoundHandler(async (request, reply) => {
    const methods = methodsOf(request.url)
    if (!methods) throw new NotFound('Path', request.url)
    reply.header('Allow', methods.join(', '))
    if (request.method !== 'OPTIONS') throw new MethodNotAllowed(request.method)
    reply.header('Access-Control-Allow-Methods', methods.join(', '))
    reply.header(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, Environment-Id, Idempotency-Key, If-Match, If-None-Match, Data-Version, traceparent',
    )
    reply.header('Access-Control-Max-Age', '7200')
    return reply.code(204).send()
  })
}

/** Bearer tokens are not sent by a browser on its own, so any origin may be let in; cookies never are. */
const cors = (
  config: Config,
  origin: string | undefined,
  set: (name: string, value: string) => void,
): void => {
  const any = config.corsOrigins.includes('*')
  if (!any) set('Vary', 'Origin')
  if (origin === undefined || !(any || config.corsOrigins.includes(origin))) return
  set('Access-Control-Allow-Origin', any ? '*' : origin)
  set(
    'Access-Control-Expose-Headers',
    'ETag, Link, Location, Retry-After, Data-Version, Idempotency-Replayed, RateLimit, RateLimit-Policy, traceparent',
  )
}
