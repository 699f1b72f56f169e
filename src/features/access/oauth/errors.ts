import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Invalid } from '../../../errors.ts'

type Code =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'

/** RFC 6749, 5.2: this endpoint alone does not use our own error body. */
export class OAuthError extends Error {
  readonly code: Code
  constructor(code: Code, description: string) {
    super(description)
    this.code = code
  }
}

export const sendOAuthError = (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
  const known = error as unknown
  const oauth =
    known instanceof OAuthError
      ? known
      : known instanceof Invalid
        ? new OAuthError('invalid_request', known.message)
        : undefined
  // Anything else is for the handler of all other routes.
  if (!oauth) throw error
  if (oauth.code === 'invalid_client') reply.header('WWW-Authenticate', 'Basic realm="Marquee"')
  return reply
    .code(oauth.code === 'invalid_client' ? 401 : 400)
    .header('Cache-Control', 'no-store')
    .header('Content-Type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      error: oauth.code,
      error_description: oauth.message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?'),
    })
}
