import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { Walk } from '../../../database/walk.ts'
import type { Conjunction, Home } from './atoms.ts'
import type { PublicationFilter } from './compile.ts'
import { bigints } from './conditions.ts'
import { inLocale, isInLocale, type ListLocale, linkedFacet, type mainLocale } from './locale.ts'

/** A list as it was asked for; `key` tells it from any other. */
export type Listed = {
  environmentId: string
  locale: ListLocale
  filter: PublicationFilter
  key: unknown[]
}

/** What every row of the list fulfils, whatever the filter, as the indexes of dates and slugs have it. */
export const baseIn = ({ environmentId, locale }: Listed, home: Home): Condition[] => {
  const environment = sql`${sql.ref(`${home}.environment_id`)} = ${environmentId}`
  if (locale === undefined) return [environment]
  return home === 'local' ? [environment, inLocale(locale)] : [environment, linkedTo(environmentId, locale)]
}

const linkedTo = (environmentId: string, locale: string | typeof mainLocale): Condition =>
  sql`row.facets @> ${bigints([linkedFacet(environmentId, locale)])}`

/**
 * The conditions of the list with all that it fulfils. Where the index of facets and words knows everything, no other
 * is offered: PostgreSQL would join it with all entries of a locale (twice the time), or walk those and read the
 * words of each (ten times).
 */
export const allIn = (list: Listed, home: Home, quickly: boolean): Condition[] => {
  const { environmentId, locale, filter } = list
  const conditions = filter.conditionsIn(home, quickly)
  if (!isInIndex(filter.conjunction)) return [...baseIn(list, home), ...conditions]
  const environment = sql`${sql.ref(`${home}.environment_id`)} is not distinct from ${environmentId}`
  if (locale === undefined) return [environment, ...conditions]
  // Most are linked to it: the index would read all their entries.
  const place = home === 'row' ? sql`(${linkedTo(environmentId, locale)}) is true` : isInLocale(locale)
  return [environment, place, ...conditions]
}

/** Whether there are conditions, and nothing but facets and words. */
const isInIndex = ({ atoms, alternatives }: Conjunction): boolean =>
  atoms.some(({ facets, words }) => words || (facets && !('none' in facets))) &&
  atoms.every(({ facets, words }) => words || facets) &&
  alternatives.length === 0

/** A column of the publication, or what stands for it in the row of a locale. */
export const columnIn = (home: Home, column: string): RawBuilder<unknown> =>
  column === 'title'
    ? // As the index has it: whole titles may be too long for one.
      sql`left(${sql.ref(`${home}.title`)}, 200)`
    : home === 'row' || column === 'publish_on' || column === 'id'
      ? sql.ref(`${home}.${column}`)
      : sql`(select ${sql.ref(`row.${column}`)} from publications as row
        where row.environment_id = local.environment_id and row.id = local.id)`

/** Where the rows of a walk come from. */
export const placeOf = ({ environmentId }: Listed, home: Home): Pick<Walk, 'table' | 'scope' | 'source'> => ({
  table: 'publications',
  scope: { column: 'environment_id', value: environmentId },
  ...(home === 'local' && { source: { table: 'publication_locales', alias: 'local' } }),
})
