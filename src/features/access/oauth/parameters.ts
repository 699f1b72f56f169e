import type { FastifyRequest } from 'fastify'
import { OAuthError } from './errors.ts'

export type Parameters = (name: string) => string | undefined

/** Each parameter at most once, and only as text; names that we do not know are let pass (RFC 6749, 3.2). */
export const parametersOf = (body: unknown): Parameters => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError('invalid_request', 'the parameters are sent as a form or a JSON object')
  return (name) => {
    const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value !== 'string' || value.length > 4000)
      throw new OAuthError('invalid_request', `${name} must be sent once, as text`)
    return value
  }
}

/** The client by HTTP Basic or in the body, never by both. */
export const credentialsOf = (
  request: FastifyRequest,
  parameter: Parameters,
): { id: string; secret: string } | undefined => {
  const { authorization } = request.headers
  const id = parameter('client_id')
  const secret = parameter('client_secret')
  if (authorization === undefined) return id && secret ? { id, secret } : undefined
  if (secret !== undefined) throw new OAuthError('invalid_request', 'the client is named twice')
  const basic = /^Basic +([\w+/=-]{1,2000})$/i.exec(authorization)?.[1]
  const named = basic ? decodeBasic(basic) : undefined
  if (named && id !== undefined && id !== named.id)
    throw new OAuthError('invalid_request', 'the client is named twice')
  return named
}

const decodeBasic = (text: string): { id: string; secret: string } | undefined => {
  const pair = Buffer.from(text, 'base64').toString()
  const colon = pair.indexOf(':')
  if (colon < 1) return undefined
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    return { id: decode(pair.slice(0, colon)), secret: decode(pair.slice(colon + 1)) }
  } catch {
    return undefined
  }
}
