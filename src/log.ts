import { type DestinationStream, type Logger, pino } from 'pino'

/** One line of JSON per fact, without secrets and without what callers sent. */
export const createLog = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: undefined,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination as DestinationStream,
  )

type Detailed = Error & {
  code?: string
  severity?: string
  table?: string
  constraint?: string
  responseCode?: number
  routine?: string
}

/**
 * Enough to find the fault. Messages of PostgreSQL, mail servers and parsers quote what they choked on, which may be
 * personal data or a secret, so of those only code, place and stack are kept.
 */
const describeError = (thrown: unknown): object => {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const { name, code, severity, table, constraint, routine, responseCode, message, cause } =
    thrown as Detailed
  const quotes =
    severity !== undefined ||
    responseCode !== undefined ||
    thrown instanceof SyntaxError ||
    thrown instanceof URIError
  return {
    type: name,
    code,
    table,
    constraint,
    routine,
    message: quotes ? undefined : message,
    stack: thrown.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      .join('\n'),
    cause: cause === undefined ? undefined : describeError(cause),
  }
}
