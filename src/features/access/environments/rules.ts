import { invalid } from '../../../errors.ts'
import type { Settings } from './schema.ts'

type Languages = { locales?: unknown; default_locale?: unknown }

/** Of an environment as it would be after the write; what its schema refuses is not judged here. */
export const requireDefaultAmongLocales = ({ locales, default_locale }: Languages): void => {
  if (Array.isArray(locales) && typeof default_locale === 'string' && !locales.includes(default_locale))
    throw invalid('default_locale', 'must be one of the locales')
}

/** Key by key; null takes a setting away. */
export const mergeSettings = (
  before: Record<string, unknown>,
  sent: Settings | undefined,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...before, ...sent }).filter(([, value]) => value !== null))
