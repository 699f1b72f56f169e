import { Conflict, Unavailable } from '../errors.ts'

type PostgresError = {
  code?: string
  severity?: string
  constraint?: string
  table?: string
  message?: string
}

/** Lost or refused connections, a full or failing over server, and waits that were ended: worth another try. */
const unavailable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '53300',
  '53200',
  '53100',
  '40001',
  '40P01',
  '25006',
])

/** What the driver says without a code. */
const lost =
  /^(Connection terminated|Client has encountered a connection error|timeout e(xpired|xceeded)|Client was closed)/

/** PostgreSQL's words turned into ours. Unique constraints are named `<table>_<column>_unique`. */
export const translate = (error: unknown): unknown => {
  const { code, severity, constraint, table, message = '' } = (error ?? {}) as PostgresError
  if (code === '23505' && constraint) {
    const column = constraint.replace(`${table}_`, '').replace(/_unique$|_pkey$/, '')
    const path = column === '' || column === 'pkey' ? 'id' : column
    return new Conflict([{ path, message: 'is already taken' }])
  }
  if (code === '23503') {
    const message = 'names, or is named by, a record that was made or removed meanwhile'
    return new Conflict([
      { path: constraint?.replace(`${table}_`, '').replace(/_fkey$/, '') ?? 'id', message },
    ])
  }
  // FATAL ends a connection or refuses one, for whatever reason.
  if (severity === 'FATAL' || lost.test(message) || (code !== undefined && unavailable.has(code)))
    return new Unavailable('the database cannot be reached', 2)
  return error
}
