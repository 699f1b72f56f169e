import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Forbidden, InsufficientScope, invalid, NotFound, Unauthorized } from '../errors.ts'
import type { Actor, Token } from '../features/access/authenticate.ts'
import { holds } from '../features/access/scopes.ts'
import type { EnvironmentRow } from '../features/access/table.ts'
import { patience, within } from './patience.ts'

/** Every route says which scopes it needs, or that it is public; one that says neither does not start. */
export const authenticate = (app: FastifyInstance, { tokens }: Context): void => {
  app.addHook('onRoute', (route) => {
    if (route.config?.scopes === undefined && route.config?.access !== 'public')
      throw new Error(`${route.method} ${route.url} names no scopes`)
  })

  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || request.routeOptions.config.access === 'public') return done()
    const known = knownActor(tokens, request)
    const judged = known
      ? admit(request, known)
      : identify(tokens, request).then((actor) => admit(request, actor))
    if (judged instanceof Promise) judged.then(done, done)
    else done(judged)
  })
}

/** What keeps the actor from the route, if anything does. */
const admit = (request: FastifyRequest, actor: Actor | undefined): Error | undefined => {
  const { scopes = [], personal } = request.routeOptions.config
  if (!actor) return new Unauthorized('missing')
  request.actor = actor
  const { token } = actor
  const outsider = token.kind === 'personal' && !personal
  if (outsider || !scopes.every((scope) => holds(token.scopes, scope))) return new InsufficientScope(scopes)
  if (actor.user_id === null && scopes.includes('content_items_publish'))
    return new Forbidden('the token is bound to no user', { type: 'UserRequired' })
  return undefined
}

/** Of most requests everything is known already; they wait for nothing. */
const knownActor = (tokens: Context['tokens'], request: FastifyRequest): Actor | undefined => {
  if (request.headers['environment-id'] !== undefined) return undefined
  const value = bearerOf(request)
  const token = value === undefined ? undefined : tokens.knownToken(value)
  const environment = token?.environment_id ? tokens.knownEnvironment(token.environment_id) : undefined
  return token && environment && actorIn(environment, token)
}

/** Who sends the request, if it carries a token at all; public routes ask this where it matters to them. */
export const identify = async (
  tokens: Context['tokens'],
  request: FastifyRequest,
): Promise<Actor | undefined> => {
  const value = bearerOf(request)
  return value ? within(patience, lookUp(tokens, value, request)) : undefined
}

const lookUp = async (tokens: Context['tokens'], value: string, request: FastifyRequest): Promise<Actor> => {
  const token = await tokens.token(value)
  if (!token) throw new Unauthorized('invalid')
  return actorOf(tokens, token, request)
}

/** The header comes first; the query parameter is for callers that cannot set one. */
export const bearerOf = ({ headers: { authorization }, queryToken }: FastifyRequest): string | undefined => {
  if (authorization !== undefined) return /^Bearer +([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1] ?? ' '
  return typeof queryToken === 'string' ? queryToken : undefined
}

const actorOf = async (tokens: Context['tokens'], token: Token, request: FastifyRequest): Promise<Actor> =>
  actorIn(await environmentOf(tokens, token, request), token)

const actorIn = (environment: EnvironmentRow, token: Token): Actor => ({
  organisation_id: token.organisation_id,
  environment_id: environment.id,
  token_id: token.id,
  user_id: token.user_id,
  person_key: token.person_key,
  environment,
  token,
})

/** A token of one environment may name its own; any other is not there for it. */
const environmentOf = async (
  tokens: Context['tokens'],
  token: Token,
  request: FastifyRequest,
): Promise<EnvironmentRow> => {
  const header = request.headers['environment-id']
  const named = typeof header === 'string' ? header : undefined
  const id = named ?? token.environment_id
  if (id === null) {
    if (request.routeOptions.config.environment === 'optional') return above(token.organisation_id)
    throw invalid('Environment-Id', 'this header is required with an organisation token')
  }
  const environment = await tokens.environment(id)
  const own = token.environment_id === null || token.environment_id === id
  if (!own || environment?.organisation_id !== token.organisation_id) throw new NotFound('Environment', id)
  return environment
}

/** Stands for no environment where none is looked into. */
const above = (organisation_id: string): EnvironmentRow => ({
  id: '',
  organisation_id,
  name: '',
  locales: [],
  default_locale: '',
  time_zone: 'UTC',
  settings: {},
  version: 0,
  created_on: new Date(0),
  changed_on: null,
})
