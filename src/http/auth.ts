import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Failure, InsufficientScope, invalid, NotFound, Unauthorized } from '../errors.ts'
import type { Actor, Token } from '../features/access/authenticate.ts'
import { holds } from '../features/access/scopes.ts'

/** Every route says which scopes it needs, or that it is public; one that says neither does not start. */
export const authenticate = (app: FastifyInstance, { tokens }: Context): void => {
  app.addHook('onRoute', (route) => {
    if (route.config?.scopes === undefined && route.config?.access !== 'public')
      throw new Error(`${route.method} ${route.url} names no scopes`)
  })

  app.addHook('onRequest', async (request) => {
    if (request.is404) return
    const { scopes, access } = request.routeOptions.config
    if (access === 'public') return
    const actor = await identify(tokens, request)
    if (!actor) throw new Unauthorized('missing')
    request.actor = actor
    const { token } = actor
    const missing = (scopes ?? []).filter((scope) => !holds(token.scopes, scope))
    const outsider = token.kind === 'personal' && scopes?.length === 0
    if (missing.length > 0 || outsider) throw new InsufficientScope(scopes ?? [])
  })
}

/** Who sends the request, if it carries a token at all; public routes ask this where it matters to them. */
export const identify = async (
  tokens: Context['tokens'],
  request: FastifyRequest,
): Promise<Actor | undefined> => {
  const value = bearer(request)
  if (!value) return undefined
  const token = await tokens.token(value)
  if (!token) throw new Unauthorized('invalid')
  return actorOf(tokens, token, request)
}

/** The header comes first; the query parameter is for callers that cannot set one. */
const bearer = (request: FastifyRequest): string | undefined => {
  const { authorization } = request.headers
  const { access_token: fromQuery, ...query } = request.query as Record<string, unknown>
  request.query = query
  if (authorization !== undefined) return /^Bearer +([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1] ?? ' '
  return typeof fromQuery === 'string' ? fromQuery : undefined
}

const actorOf = async (tokens: Context['tokens'], token: Token, request: FastifyRequest): Promise<Actor> => {
  const named = request.headers['environment-id']
  const id = token.environment_id ?? (typeof named === 'string' ? named : undefined)
  if (id === undefined) throw invalid('Environment-Id', 'this header is required with an organisation token')
  const environment = await tokens.environment(id)
  if (!environment || environment.organisation_id !== token.organisation_id)
    throw new NotFound('Environment', id)
  return {
    organisation_id: token.organisation_id,
    environment_id: environment.id,
    token_id: token.id,
    user_id: token.user_id,
    environment,
    token,
  }
}

/** Refused before anything else is looked at. */
export class HttpNotAllowed extends Failure {
  override name = 'Forbidden'
  constructor() {
    super('plain HTTP', { type: 'HttpNotAllowed' })
  }
}
