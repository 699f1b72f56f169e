import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import { type Operator, operators } from '../../../database/operators.ts'
import { facet } from '../facets.ts'
import type { Snapshot } from '../snapshot.ts'
import { comparison } from './compare.ts'

/** Where rows are looked for: `publications as row`, or `publication_locales as local` where one locale is meant. */
export type Home = 'row' | 'local'

export type Facets =
  /** `common` ones are had by so many that they hardly tell publications apart. */
  { all: string[]; common?: boolean } | { any: string[] } | { none: string[] }

/** One condition, said twice: for the database, and for a publication in memory. */
export type Atom = {
  /** Whether it is the same in every locale or each locale's own. */
  of: 'publication' | 'locale'
  /** What `facets` must hold of them: of the locale, or of all together. */
  facets?: Facets
  /** Over columns of `publications` or of `publication_locales`. */
  row?: Condition
  local?: Condition
  /** Whether `local` is about words, which the index of facets holds too. */
  words?: true
  /** Over anything that knows the publication by its id. */
  byId?(id: RawBuilder<unknown>, environmentId: RawBuilder<unknown>): Condition
  /** What it finds changes without any change to publications: nothing can be remembered of it. */
  moving?: true
  /** `locale` is told where the condition is a locale's own. */
  test(snapshot: Snapshot, locale: string): boolean
}

/** All atoms hold, those of locales in the same one; and of each list of alternatives at least one. */
export type Conjunction = { atoms: Atom[]; alternatives: Conjunction[][] }

export const facetAtom = (of: Atom['of'], facets: Facets): Atom => {
  const test = facetTest(facets)
  return {
    of,
    facets,
    test: (snapshot, locale) =>
      test(of === 'publication' ? snapshot.facets : snapshot.locales[locale]!.facets),
  }
}

const facetTest = (facets: Facets): ((held: ReadonlySet<string>) => boolean) => {
  if ('all' in facets) return (held) => facets.all.every((one) => held.has(one))
  if ('any' in facets) return (held) => facets.any.some((one) => held.has(one))
  return (held) => !facets.none.some((one) => held.has(one))
}

/** A column of the publication itself. */
export const rowAtom = (column: 'created_on' | 'changed_on', operator: Operator, value: unknown): Atom => {
  const test = comparison(operator, value)
  return {
    of: 'publication',
    row: operators[operator].plain(sql.ref(`row.${column}`), value as never),
    test: (snapshot) => test(snapshot[column]),
  }
}

/** A column of one of its locales. */
export const localAtom = (
  column: 'slug' | 'publish_on' | 'expire_on',
  operator: Operator,
  value: unknown,
): Atom => {
  const test = comparison(operator, value)
  return {
    of: 'locale',
    local: operators[operator].plain(sql.ref(`local.${column}`), value as never),
    test: (snapshot, locale) => test(snapshot.locales[locale]![column]),
  }
}

export const idAtom = (operator: Operator, value: unknown): Atom => {
  const test = comparison(operator, value)
  return {
    of: 'publication',
    byId: (id) => operators[operator].plain(id, value as never),
    test: (snapshot) => test(snapshot.id),
  }
}

/** What is published at a time to come, if nothing is written until then. */
export const publishedAtoms = (environmentId: string, doneId: string, at: Date): Atom[] => [
  facetAtom('locale', { all: [facet(environmentId, 'status', doneId)] }),
  {
    of: 'locale',
    local: sql`(local.publish_on is null or local.publish_on <= ${at})
      and (local.expire_on is null or local.expire_on > ${at})`,
    test: ({ locales }, locale) => {
      const { publish_on, expire_on } = locales[locale]!
      return (publish_on ?? -Infinity) <= at.getTime() && (expire_on ?? Infinity) > at.getTime()
    },
  },
]
