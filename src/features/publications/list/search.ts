import { sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { Atom } from './atoms.ts'
import { holdsLexemes, type LexemesOf } from './lexemes.ts'
import { configurationOf } from './words.ts'

type Column = 'search' | 'title_search'

/** Words that are searched for, in each locale in its own language. */
export const wordsAtom = (column: Column, locales: readonly string[], lexemesOf: LexemesOf): Atom => ({
  of: 'locale',
  words: true,
  local: inEachLanguage(locales, (configuration) => holds(column, lexemesOf(configuration).query)),
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

const holds = (column: Column, query: string): Condition =>
  sql`${sql.ref(`local.${column}`)} @@ ${query}::tsquery`

/** One condition where the locales share a language. */
const inEachLanguage = (
  locales: readonly string[],
  condition: (configuration: string) => Condition,
): Condition => {
  const languages = Map.groupBy(locales, configurationOf)
  if (languages.size === 1) return condition([...languages.keys()][0]!)
  const each = Array.from(
    languages,
    ([configuration, own]) => sql`(local.locale = any(${own}::text[]) and ${condition(configuration)})`,
  )
  return sql`(${sql.join(each, sql` or `)})`
}
