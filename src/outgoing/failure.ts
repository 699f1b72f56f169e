import { errors } from 'undici'

const reasons = {
  'bad-url': 'The address must be http or https, without a user name or password',
  'bad-header': 'A header has a name or value that may not be sent',
  'refused-address': 'The address is not a public one',
  dns: 'The host name could not be looked up',
  timeout: 'There was no complete answer in time',
  'too-large': 'The answer is too large',
  tls: 'No secure connection could be made',
  connection: 'The connection failed',
  redirect: 'The redirect may not be followed',
  'bad-answer': 'The answer could not be understood',
}

type FailureReason = keyof typeof reasons

/**
 * Why an outgoing request has no answer. It carries no cause: those name addresses behind names, which the owner of a
 * webhook must not learn, and paths with secrets in them.
 */
export class OutgoingFailure extends Error {
  override name = 'OutgoingFailure'
  readonly reason: FailureReason

  constructor(reason: FailureReason, code?: string) {
    super(code ? `${reasons[reason]} (${code})` : reasons[reason])
    this.reason = reason
  }
}

/** `signal` is the request's own: what it was aborted with is the reason, whatever broke because of it. */
export const failureOf = (error: unknown, signal: AbortSignal): unknown => {
  if (error instanceof OutgoingFailure) return error
  if (signal.aborted) return signal.reason
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  // The parser's errors come without their codes.
  return new OutgoingFailure(error instanceof errors.HTTPParserError ? 'bad-answer' : reasonOf(code), code)
}

const reasonOf = (code: string): FailureReason => {
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large'
  // Brotli's are ERR__ERROR_FORMAT_…, with two underscores.
  if (/^(Z_|ERR__ERROR_)/.test(code)) return 'bad-answer'
  if (/SSL|TLS|CERT|ISSUER|SIGNATURE|HOSTNAME|EPROTO|_CA$/.test(code)) return 'tls'
  return 'connection'
}
