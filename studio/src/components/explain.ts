import { ApiError } from 'marquee-sdk'
import { t } from '../texts/index.ts'

/** What happened, what was kept and what to do, for any error of a call. */
export const explain = (error: unknown): string => {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { status, errors, message, trace } = error
  const detail = errors.map((fault) => `${fault.path} ${fault.message}`).join('; ') || message
  if (status === 0) return t.errors.offline
  if (status === 400) return t.errors.invalid(detail)
  if (status === 403) return t.errors.denied
  if (status === 404) return t.errors.missing
  if (status === 409) return t.errors.conflict(detail)
  if (status === 412) return t.errors.stale
  if (status === 429 || status === 503) return t.errors.busy
  return t.errors.other(trace ?? String(status))
}

/** What is wrong with each field of a form, by the name that it was sent under. */
export const faultsOf = (error: unknown): Record<string, string> =>
  error instanceof ApiError
    ? Object.fromEntries(error.errors.map(({ path, message }) => [path, message]))
    : {}
