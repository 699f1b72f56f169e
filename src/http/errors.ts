import { STATUS_CODES } from 'node:http'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
} from 'fastify'
import { translate } from '../database/errors.ts'
import { epochSeconds } from '../database/values.ts'
import {
  Failure,
  type FieldError,
  InsufficientScope,
  TooManyRequests,
  Unauthorized,
  Unavailable,
} from '../errors.ts'
import { formats } from '../formats.ts'
import { emailPattern } from './schemas.ts'

/** The only place that knows status codes. */
const statusOf: Record<string, number> = {
  Invalid: 400,
  Aborted: 400,
  Unauthorized: 401,
  Forbidden: 403,
  InsufficientScope: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  AssetTooLarge: 408,
  Conflict: 409,
  PreconditionFailed: 412,
  TooLarge: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  Unavailable: 503,
}

type ErrorBody = {
  code: number
  message: string
  dbtrace: string
  type?: string
  errors?: FieldError[]
}

export const handleErrors = (app: FastifyInstance): void => {
  app.setErrorHandler((thrown: FastifyError, request, reply) => {
    const error = translate(thrown)
    if (error instanceof Failure) return sendFailure(request, reply, error)
    if (thrown.validation)
      return send(request, reply, 400, {
        type: 'ValidationFailed',
        errors: validationErrors(thrown.validation),
      })
    const status = thrown.statusCode ?? 500
    if (status >= 500) request.log.error({ trace: request.traceId, err: thrown }, 'request failed')
    return send(request, reply, status >= 400 && status < 500 ? status : 500, {})
  })
}

const sendFailure = (request: FastifyRequest, reply: FastifyReply, error: Failure) => {
  if (error instanceof Unauthorized)
    reply.header('WWW-Authenticate', error.message === 'invalid' ? 'Bearer error="invalid_token"' : 'Bearer')
  if (error instanceof InsufficientScope)
    reply.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${error.scopes.join(' ')}"`)
  if (error instanceof TooManyRequests || error instanceof Unavailable)
    reply.header('Retry-After', String(error.retryAfter))
  return send(request, reply, statusOf[error.name] ?? 500, { type: error.type, errors: error.errors })
}

type Extra = { type?: string | undefined; errors?: FieldError[] | undefined }

/** `code`, `message` and `dbtrace` always; the same facts as RFC 9457 for those who ask for it. */
export const send = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  extra: Extra,
): FastifyReply => {
  const message = STATUS_CODES[status] ?? 'Error'
  reply.code(status)
  if (request.headers.accept?.includes('application/problem+json')) {
    const { type, errors } = extra
    const problem = {
      type: type ? `urn:marquee:error:${type}` : 'about:blank',
      title: message,
      status,
      errors,
    }
    return reply
      .header('Content-Type', 'application/problem+json')
      .serializer(JSON.stringify)
      .send({ ...problem, instance: `urn:trace:${request.traceId}` })
  }
  const body: ErrorBody = { code: status, message, dbtrace: request.traceId }
  if (extra.type) body.type = extra.type
  if (extra.errors) body.errors = extra.errors
  return reply.header('Content-Type', 'application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

/** What a pattern wants, in words. */
const patterns: Record<string, string> = {
  [emailPattern]: 'must be one email address',
  '\\S': 'must not be empty',
  '^[a-z]{2}-[A-Z]{2}$': 'must be a locale such as en-US',
  '^[^\\s/?#]+$': 'must not hold spaces, slashes, ? or #',
}

/** What a limit wants, where the number says nothing. */
const limits: Record<string, string> = {
  [epochSeconds.minimum]: formats.moment.message,
  [epochSeconds.maximum]: formats.moment.message,
}

/** Every bad field, by the path it was sent under. */
export const validationErrors = (validation: FastifySchemaValidationError[]): FieldError[] => {
  // Of a choice, what it led to says more.
  const told = validation.filter(({ keyword }) => keyword !== 'if')
  const found = told.map(({ keyword, instancePath, params, message }) => {
    const base = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
    const at = (name: unknown) => (base === '' ? String(name) : `${base}.${name}`)
    if (keyword === 'required') return { path: at(params.missingProperty), message: 'is required' }
    if (keyword === 'additionalProperties')
      return { path: at(params.additionalProperty), message: 'is not a known field' }
    if (keyword === 'enum')
      return {
        path: base,
        message: `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`,
      }
    if (keyword === 'pattern')
      return { path: base, message: patterns[String(params.pattern)] ?? message ?? 'is not valid' }
    if (keyword === 'format' && Object.hasOwn(formats, String(params.format)))
      return { path: base, message: formats[params.format as keyof typeof formats].message }
    if (keyword === 'minimum' || keyword === 'maximum')
      return { path: base, message: limits[String(params.limit)] ?? message ?? 'is not valid' }
    if (keyword === 'minLength' && params.limit === 1) return { path: base, message: 'must not be empty' }
    if (keyword === 'x-file') return { path: base, message: 'must be a file' }
    if (keyword === 'type') return { path: base, message: `must be ${[params.type].flat().join(' or ')}` }
    return { path: base, message: message ?? 'is not valid' }
  })
  const unique = new Map(found.map((item) => [`${item.path} ${item.message}`, item]))
  return [...unique.values()].slice(0, 100)
}
