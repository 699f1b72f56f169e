import { STATUS_CODES } from 'node:http'
import type { Route, Schema } from './collect.ts'
import { takesIfMatch } from './versions.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'

const fieldErrors: Schema = {
  type: 'array',
  description: 'Every bad field at once',
  items: {
    type: 'object',
    required: ['path', 'message'],
    properties: {
      path: { type: 'string', description: 'As it was sent, such as name or streams.0.url' },
      message: { type: 'string' },
    },
  },
}

export const errorSchemas: Record<string, Schema> = {
  Error: {
    title: 'Error',
    type: 'object',
    required: ['code', 'message', 'dbtrace'],
    properties: {
      code: { type: 'integer', description: 'The status code' },
      message: { type: 'string', description: 'The reason phrase' },
      dbtrace: { type: 'string', description: 'Names this request; the same id stands in the log' },
      type: { type: 'string', description: 'Which of several reasons it is, where there are several' },
      errors: fieldErrors,
    },
  },
  Problem: {
    title: 'Problem',
    description: 'The same facts by RFC 9457, for requests with `Accept: application/problem+json`',
    type: 'object',
    required: ['type', 'title', 'status', 'instance'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      instance: { type: 'string', format: 'uri-reference' },
      errors: fieldErrors,
    },
  },
}

type Known = { name: string; description: string; type?: string; errors?: object[]; headers?: string[] }

/** What the interface answers when it does not do what was asked. */
const errors: Record<number, Known> = {
  400: {
    name: 'BadRequest',
    description: 'Something sent is not valid. Every bad field is named.',
    type: 'ValidationFailed',
    errors: [{ path: 'limit', message: 'must be from 1 to 1000' }],
  },
  401: {
    name: 'Unauthorized',
    description: 'No valid access token was sent.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description:
      'The token lacks a scope (`InsufficientScope`), or the request came over plain HTTP (`HttpNotAllowed`).',
    type: 'InsufficientScope',
    headers: ['WWW-Authenticate'],
  },
  404: { name: 'NotFound', description: 'There is no such record in this environment.' },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path does not take this method; the read-only host takes no writes.',
    headers: ['Allow'],
  },
  408: {
    name: 'RequestTimeout',
    description: 'The file is larger than may be uploaded.',
    type: 'AssetTooLarge',
    errors: [{ path: 'source', message: 'must be at most 1000000000 bytes' }],
  },
  409: {
    name: 'Conflict',
    description:
      'A value that must be unique is taken, the record is in use, or an Idempotency-Key was used before.',
    type: 'Conflict',
    errors: [{ path: 'slug', message: 'is already taken' }],
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The record has changed since the ETag in If-Match was read.',
  },
  413: { name: 'ContentTooLarge', description: 'The body is larger than 10 MB.' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is neither JSON nor one of the two kinds of form.',
  },
  429: { name: 'TooManyRequests', description: 'Too many attempts; wait.', headers: ['Retry-After'] },
  503: {
    name: 'ServiceUnavailable',
    description: 'The service is overloaded or shutting down; nothing was done.',
    headers: ['Retry-After'],
  },
}

const header = (name: string): [string, Schema] => [name, { $ref: `#/components/headers/${name}` }]
export const headersNamed = (...names: string[]): Schema => Object.fromEntries(names.map(header))

const response = (status: number, known: Known): Schema => {
  const message = STATUS_CODES[status]!
  const { type, errors: fields } = known
  const body = {
    code: status,
    message,
    dbtrace: trace,
    ...(type && { type }),
    ...(fields && { errors: fields }),
  }
  const problem = {
    type: type ? `urn:marquee:error:${type}` : 'about:blank',
    title: message,
    status,
    ...(fields && { errors: fields }),
    instance: `urn:trace:${trace}`,
  }
  return {
    description: known.description,
    headers: headersNamed('traceparent', ...(known.headers ?? [])),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: body },
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example: problem },
    },
  }
}

export const errorResponses = (): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(errors).map(([status, known]) => [known.name, response(Number(status), known)]),
  )

/** Where passwords and codes are tried, attempts are counted; the same holds for every public write. */
const limited = /^\/users\/me\b/
/** What was not recorded is absent as a record is that the path names. */
const named = /\{|\/audiotool\/cut$/

/** The ones that this route can give. */
export const errorsOf = (route: Route): [string, Schema][] => {
  const { method, path, config, schema } = route
  const isPublic = config.access === 'public'
  const writes = method !== 'GET'
  const isProbe = path === '/livez' || path === '/readyz'
  const applies: Record<number, boolean> = {
    400: !isProbe,
    401: !isPublic || writes,
    403: !isProbe,
    404: named.test(path),
    405: writes,
    408: config.files !== undefined,
    409: writes && (!isPublic || (path.includes('{') && schema.body !== undefined)),
    412: takesIfMatch(route),
    413: schema.body !== undefined,
    415: schema.body !== undefined,
    429: (writes && (isPublic || limited.test(path))) || config.live === true,
    503: true,
  }
  return Object.entries(errors)
    .filter(([status]) => applies[Number(status)])
    .map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }])
}
