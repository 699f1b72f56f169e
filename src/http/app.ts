import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyRequest, type FastifyServerFactory, LogController } from 'fastify'
import type { Context } from '../context.ts'
import { formats } from '../formats.ts'
import { UploadedFile } from '../storage/uploaded.ts'
import { readQueries } from './asked.ts'
import { authenticate } from './auth.ts'
import { badRequest } from './bad-request.ts'
import { acceptBodies, maxBody } from './bodies.ts'
import { keepAnswers } from './cache.ts'
import { lazyCompilers } from './compilers.ts'
import { tellDataVersion } from './data-version.ts'
import { tellDeprecated } from './deprecation.ts'
import { handleErrors } from './errors.ts'
import { dropFiles } from './files.ts'
import { prepareBodies } from './forms.ts'
import { checkFraming } from './framing.ts'
import { healthRoutes } from './health.ts'
import { atOnce, inPassing } from './hooks.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { keepLiveAlone } from './live.ts'
import { answerOtherMethods, maxParamLength, shareWithOrigins } from './methods.ts'
import { metricsRoute } from './metrics.ts'
import { openApiRoutes } from './openapi.ts'
import { refuseOverload } from './overload.ts'
import { watchProgress } from './progress.ts'
import { parseQuery } from './query.ts'
import { requireTls } from './secure.ts'
import { trace } from './trace.ts'
import type { App } from './types.ts'
import { unversioned } from './unversioned.ts'
import { v5 } from './v5.ts'

/** The whole interface on one server. The order of the hooks is the order in which a request is judged. */
export const buildApp = async (
  context: Context,
  limits: Limits = defaultLimits,
  serverFactory?: FastifyServerFactory,
): Promise<App> => {
  let closing = false
  const app = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    // Lines tell their trace; a logger for each request took 3% of a small write.
    childLoggerFactory: (logger) => logger,
    clientErrorHandler: badRequest,
    bodyLimit: maxBody,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength, querystringParser: (text) => text as never },
    rewriteUrl: ({ url }) => decodable(url!),
    schemaController: { compilersFactory: lazyCompilers },
    ajv: {
      customOptions: {
        allErrors: true,
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        strict: false,
        formats,
        keywords: [
          { keyword: 'x-file', validate: (_: boolean, value: unknown) => value instanceof UploadedFile },
        ],
      },
    },
    ...(serverFactory && { serverFactory }),
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App
  app.decorateRequest('isForm', false)
  app.decorateRequest('queryToken', undefined)
  app.decorateRequest('traceId', '')
  app.decorateRequest('startedAt', 0)
  app.decorate('limits', limits)
  app.decorate('progress', watchProgress(limits))

  handleErrors(app)
  acceptBodies(app, context.storage)
  dropFiles(app, context.storage)
  trace(app, context.log)
  shareWithOrigins(app, context.config)
  requireTls(app, context.config)
  keepLiveAlone(app)
  const load = refuseOverload(app, limits)
  checkFraming(app)
  answerOtherMethods(app, context.config)
  tellDeprecated(app)
  app.addHook(
    'onRequest',
    atOnce((request) => {
      const { access_token, ...query } = parseQuery(String(request.query ?? ''))
      request.query = query
      request.queryToken = access_token
    }),
  )
  authenticate(app, context)
  tellDataVersion(app, context)
  const kept = keepAnswers(app, context)
  prepareBodies(app)
  readQueries(app)
  app.addHook(
    'onSend',
    inPassing((request, reply, payload) => {
      reply.header('X-Content-Type-Options', 'nosniff')
      if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'private, no-store')
      return isLong(request, payload) ? app.progress.response(reply.raw, payload) : payload
    }),
  )
  app.addHook('preClose', async () => {
    closing = true
  })

  openApiRoutes(app, context)
  healthRoutes(app, context, () => closing)
  metricsRoute(app, context, load, kept)
  for (const routes of unversioned) routes(app, context)
  app.register(
    async (scoped) => {
      for (const routes of v5) routes(scoped as unknown as App, context)
    },
    { prefix: '/v5' },
  )
  await app.ready()
  return app
}

/**
 * A path with a broken percent sign or U+0000, which nothing is stored under, leads nowhere. The router alone
 * would answer it before any of our rules.
 */
const decodable = (url: string): string => {
  const path = url.split('?', 1)[0]!
  if (!path.includes('%')) return url
  try {
    return decodeURI(path).includes('\0') ? nowhere : url
  } catch {
    return nowhere
  }
}
const nowhere = '/%25'

/** What fits into the socket's buffer at once need not be watched, unless an earlier answer still waits there. */
const isLong = (request: FastifyRequest, payload: unknown): boolean =>
  typeof payload === 'string'
    ? payload.length > 65_536 || request.raw.socket.writableLength > 0
    : payload !== null && payload !== undefined && !request.routeOptions.config.live
