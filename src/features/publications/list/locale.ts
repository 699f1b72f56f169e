import { sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import { facet } from '../facets.ts'

/** In place of a locale: the one of each publication that version 5 shows. */
export const mainLocale = Symbol('main locale')

/** Which locale a list is about; without one any that is linked. */
export type ListLocale = string | typeof mainLocale | undefined

/** What of all locales only the rows of this one have among their facets. */
export const ownFacet = (environmentId: string, locale: string | typeof mainLocale): string =>
  locale === mainLocale ? facet(environmentId, 'main') : facet(environmentId, 'own_locale', locale)

/** What every publication that has this locale has among its facets. */
export const linkedFacet = (environmentId: string, locale: string | typeof mainLocale): string =>
  locale === mainLocale ? facet(environmentId, 'main') : facet(environmentId, 'locale', locale)

/** As the indexes of dates, slugs and titles have it. */
export const inLocale = (locale: string | typeof mainLocale): Condition =>
  locale === mainLocale ? sql`local.main` : sql`local.locale = ${locale}`

/** The same without any index being thought of. */
export const isInLocale = (locale: string | typeof mainLocale): Condition =>
  locale === mainLocale ? sql`(local.main is true) is true` : sql`local.locale is not distinct from ${locale}`
