import { type FieldError, Invalid } from '../../../errors.ts'
import type { EnvironmentRow } from '../table.ts'
import type { Settings } from './schema.ts'

type Judged = Pick<EnvironmentRow, 'locales' | 'default_locale' | 'time_zone'>

/** What no schema can say of an environment, as it would be after the write. */
export const requireSound = (after: Judged, settings: Settings | undefined): void => {
  const problems: FieldError[] = []
  if (!after.locales.includes(after.default_locale))
    problems.push({ path: 'default_locale', message: 'must be one of the locales' })
  if (!isTimeZone(after.time_zone))
    problems.push({ path: 'time_zone', message: 'must be a time zone such as Europe/Amsterdam' })
  for (const [index, url] of (settings?.redirect_urls ?? []).entries())
    if (!isRedirectUrl(url))
      problems.push({
        path: `settings.redirect_urls.${index}`,
        message: 'must be an https address, or http on localhost',
      })
  if (problems.length > 0) throw new Invalid(problems)
}

/** Names only: Intl would also take an offset such as +01:00, which has no summer. */
const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const isRedirectUrl = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost')
}

/** Key by key; null takes a setting away. */
export const mergeSettings = (
  before: Record<string, unknown>,
  sent: Settings | undefined,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...before, ...sent }).filter(([, value]) => value !== null))
