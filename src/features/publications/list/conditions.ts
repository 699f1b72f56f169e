import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { Atom, Conjunction, Facets, Home } from './atoms.ts'

/**
 * The conditions of a filter over either home. With a locale every locale-dependent one is about that locale; `place`
 * is a facet that all rows have which are looked for among locales.
 */
export const conditionsIn = (
  home: Home,
  filter: Conjunction,
  locale: string | undefined,
  place: Atom,
): Condition[] => [
  ...(home === 'row' ? overPublications(filter.atoms, locale, place) : overLocales(filter.atoms)),
  ...filter.alternatives.map((alternatives) => {
    const each = alternatives.map((one) => allOf(conditionsIn(home, one, locale, place)))
    return sql`(${sql.join(each, sql` or `)})`
  }),
]

const allOf = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`

/** The row of a locale has what belongs to the publication among its facets; only its columns are elsewhere. */
const overLocales = (atoms: Atom[]): Condition[] => {
  const columns = atoms.flatMap(({ row }) => row ?? [])
  return [
    ...facetConditions('local', atoms),
    ...atoms.flatMap(({ local }) => local ?? []),
    ...byId('local', atoms),
    ...(columns.length === 0 ? [] : [elsewhere('publications', 'row', 'local', columns)]),
  ]
}

const overPublications = (atoms: Atom[], locale: string | undefined, place: Atom): Condition[] => {
  const own = atoms.filter(({ of }) => of === 'publication')
  const ofLocales = atoms.filter(({ of }) => of === 'locale')
  // What no locale has is not had by all together either, so theirs are looked for first.
  const known = [...own, ...ofLocales].filter(({ facets }) => facets && !('none' in facets))
  return [
    ...facetConditions('row', known),
    ...own.flatMap(({ row }) => row ?? []),
    ...byId('row', own),
    ...(isKnownByAll(ofLocales, locale) ? [] : [inSomeLocale([place, ...ofLocales], locale)]),
  ]
}

/** Whether the facets of all locales together answer for one: only a single one does, where any locale will do. */
export const isKnownByAll = (atoms: Atom[], locale: string | undefined): boolean => {
  if (atoms.length === 0) return true
  const [{ facets }] = atoms as [Atom]
  if (atoms.length > 1 || locale !== undefined || !facets || 'none' in facets) return false
  return 'any' in facets || facets.all.length === 1
}

const inSomeLocale = (atoms: Atom[], locale: string | undefined): Condition =>
  elsewhere('publication_locales', 'local', 'row', [
    ...(locale === undefined ? [] : [sql`local.locale = ${locale}`]),
    ...facetConditions('local', atoms),
    ...atoms.flatMap(({ local }) => local ?? []),
  ])

const elsewhere = (table: string, alias: Home, home: Home, conditions: Condition[]): Condition =>
  sql`exists (select 1 from ${sql.table(table)} as ${sql.ref(alias)}
    where ${sql.ref(alias)}.environment_id = ${sql.ref(home)}.environment_id
      and ${sql.ref(alias)}.id = ${sql.ref(home)}.id and ${sql.join(conditions, sql` and `)})`

const byId = (home: Home, atoms: Atom[]): Condition[] =>
  atoms.flatMap((atom) => atom.byId?.(sql.ref(`${home}.id`), sql.ref(`${home}.environment_id`)) ?? [])

/** What must all be there is one condition, which the index answers at once. */
const facetConditions = (home: Home, atoms: Atom[]): Condition[] => {
  const facets = atoms.flatMap((atom) => atom.facets ?? [])
  const all = [...new Set(facets.flatMap((one) => ('all' in one ? one.all : [])))]
  return [
    ...(all.length === 0 ? [] : [sql`${sql.ref(`${home}.facets`)} @> ${bigints(all)}`]),
    ...facets.flatMap((one) => otherFacets(home, one)),
  ]
}

const otherFacets = (home: Home, facets: Facets): Condition[] => {
  const column = sql.ref(`${home}.facets`)
  if ('any' in facets)
    return [facets.any.length === 0 ? sql`false` : sql`${column} && ${bigints(facets.any)}`]
  return 'none' in facets ? [sql`not ${column} && ${bigints(facets.none)}`] : []
}

export const bigints = (values: string[]): RawBuilder<unknown> => sql`${`{${values.join()}}`}::bigint[]`
