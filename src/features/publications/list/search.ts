import { sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import { facet } from '../facets.ts'
import type { Atom } from './atoms.ts'
import { bigints } from './conditions.ts'
import { holdsLexemes, type LexemesOf } from './lexemes.ts'
import { configurationOf } from './words.ts'

type Column = 'search' | 'title_search'

/** Where words are searched for, in each locale in its own language. */
type Searched = { environmentId: string; locales: readonly string[] }

export const wordsAtom = (column: Column, searched: Searched, lexemesOf: LexemesOf): Atom => ({
  of: 'locale',
  words: true,
  local: inEachLanguage(column, searched, lexemesOf),
  test: ({ locales: found }, locale) =>
    holdsLexemes(
      column === 'search' ? found[locale]!.words : found[locale]!.titleWords,
      lexemesOf(configurationOf(locale)),
    ),
})

/** Titles of so few words that they can be nothing but what is searched for. */
export const shortTitleAtom = (words: number): Atom => ({
  of: 'locale',
  local: sql`length(local.title_search) <= ${words}`,
  test: ({ locales }, locale) => locales[locale]!.titleWords.trim().split(' ').length <= words,
})

/**
 * One condition where the words come to the same in all locales. Otherwise the locales are told by their facets, which
 * stand in the same index: told by a column, the words of every row would be read again.
 */
const inEachLanguage = (
  column: Column,
  { environmentId, locales }: Searched,
  lexemesOf: LexemesOf,
): Condition => {
  const holds = (query: string): Condition => sql`${sql.ref(`local.${column}`)} @@ ${query}::tsquery`
  const queries = Map.groupBy(locales, (locale) => lexemesOf(configurationOf(locale)).query)
  if (queries.size === 1) return holds([...queries.keys()][0]!)
  const each = Array.from(queries, ([query, own]) => {
    const there = own.map((locale) => facet(environmentId, 'own_locale', locale))
    return sql`(local.facets && ${bigints(there)} and ${holds(query)})`
  })
  return sql`(${sql.join(each, sql` or `)})`
}
