import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { Atom, Conjunction, Facets, Home } from './atoms.ts'
import { inLocale, type ListLocale } from './locale.ts'

/** How conditions are said. */
type Saying = {
  /** Every locale-dependent condition is about it; without one any linked locale will do. */
  locale: ListLocale
  /** A facet of all rows that are looked for among locales. */
  place: Atom
  /** Whether few rows shall be found quickly rather than many counted; see `facetConditions`. */
  quickly?: boolean
}

/** The conditions of a filter over either home. */
export const conditionsIn = (home: Home, filter: Conjunction, saying: Saying): Condition[] => [
  ...(home === 'row' ? overPublications(filter.atoms, saying) : overLocales(filter.atoms, saying)),
  ...filter.alternatives.map((alternatives) => {
    const each = alternatives.map((one) => allOf(conditionsIn(home, one, saying)))
    return sql`(${sql.join(each, sql` or `)})`
  }),
]

const allOf = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`

/** The row of a locale has what belongs to the publication among its facets; only its columns are elsewhere. */
const overLocales = (atoms: Atom[], saying: Saying): Condition[] => {
  const columns = atoms.flatMap(({ row }) => row ?? [])
  return [
    ...facetConditions('local', atoms, saying),
    ...atoms.flatMap(({ local }) => local ?? []),
    ...byId('local', atoms),
    ...(columns.length === 0 ? [] : [elsewhere('publications', 'row', 'local', columns)]),
  ]
}

const overPublications = (atoms: Atom[], saying: Saying): Condition[] => {
  const own = atoms.filter(({ of }) => of === 'publication')
  const ofLocales = atoms.filter(({ of }) => of === 'locale')
  // What no locale has is not had by all together either, so theirs are looked for first.
  const known = [...own, ...ofLocales.filter(({ facets }) => facets && !('none' in facets))]
  return [
    ...facetConditions('row', known, saying),
    ...own.flatMap(({ row }) => row ?? []),
    ...byId('row', own),
    ...(isKnownByAll(ofLocales, saying.locale) ? [] : [inSomeLocale(ofLocales, saying)]),
  ]
}

/** Whether the facets of all locales together answer for one: only a single one does, where any locale will do. */
export const isKnownByAll = (atoms: Atom[], locale: ListLocale): boolean => {
  if (atoms.length === 0) return true
  const [{ facets }] = atoms as [Atom]
  if (atoms.length > 1 || locale !== undefined || !facets || 'none' in facets) return false
  return 'any' in facets || facets.all.length === 1
}

const inSomeLocale = (atoms: Atom[], saying: Saying): Condition =>
  elsewhere('publication_locales', 'local', 'row', [
    ...(saying.locale === undefined ? [] : [inLocale(saying.locale)]),
    ...facetConditions('local', [saying.place, ...atoms], saying),
    ...atoms.flatMap(({ local }) => local ?? []),
  ])

const elsewhere = (table: string, alias: Home, home: Home, conditions: Condition[]): Condition =>
  sql`exists (select 1 from ${sql.table(table)} as ${sql.ref(alias)}
    where ${sql.ref(alias)}.environment_id = ${sql.ref(home)}.environment_id
      and ${sql.ref(alias)}.id = ${sql.ref(home)}.id and ${sql.join(conditions, sql` and `)})`

const byId = (home: Home, atoms: Atom[]): Condition[] =>
  atoms.flatMap((atom) => atom.byId?.(sql.ref(`${home}.id`), sql.ref(`${home}.environment_id`)) ?? [])

/**
 * What must all be there is one condition, which the index answers at once. But it reads all its entries of a common
 * facet to do so, 5 ms for each among 800,000 rows: beside others, common ones are better asked of the rows found.
 */
const facetConditions = (home: Home, atoms: Atom[], { quickly }: Saying): Condition[] => {
  const facets = atoms.flatMap((atom) => atom.facets ?? [])
  const isRare = (one: Facets): boolean => 'any' in one || ('all' in one && !one.common)
  const parted = quickly && (facets.some(isRare) || atoms.some(({ words }) => words))
  const named = (common: boolean): string[] => [
    ...new Set(
      facets.flatMap((one) => ('all' in one && Boolean(parted && one.common) === common ? one.all : [])),
    ),
  ]
  const holds = (values: string[]) => sql`${sql.ref(`${home}.facets`)} @> ${bigints(values)}`
  return [
    ...(named(false).length > 0 ? [holds(named(false))] : []),
    // Said so, no index is thought of.
    ...(named(true).length > 0 ? [sql`(${holds(named(true))}) is true`] : []),
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
