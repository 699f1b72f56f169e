import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { Atom } from './atoms.ts'
import { holdsLexemes, type LexemesOf } from './lexemes.ts'
import { configurationOf } from './words.ts'

type Column = 'search' | 'title_search'

/** Words that are searched for, in each locale in its own language. */
export const wordsAtom = (column: Column, locales: readonly string[], lexemesOf: LexemesOf): Atom => ({
  of: 'locale',
  local: inEachLanguage(locales, (configuration) => holds(column, lexemesOf(configuration).query)),
  test: ({ locales: found }, locale) =>
    holdsLexemes(
      column === 'search' ? found[locale]!.words : found[locale]!.titleWords,
      lexemesOf(configurationOf(locale)),
    ),
})

/** 2: the title is nothing but the words; 1: it holds them; 0: they stand somewhere else. */
export const rankOf = (locales: readonly string[], lexemesOf: LexemesOf): RawBuilder<number> => {
  const title = inEachLanguage(locales, (configuration) =>
    holds('title_search', lexemesOf(configuration).query),
  )
  const { length } = lexemesOf(configurationOf(locales[0]!)).groups
  return sql<number>`(case when ${title} then case when length(local.title_search) <= ${length} then 2 else 1 end else 0 end)`
}

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
