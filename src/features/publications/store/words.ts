import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import type { ModelRow } from '../../models/table.ts'
import { itemsOf } from '../compare.ts'
import { textOf } from '../fields/text.ts'
import { configurationOf, searchText } from '../list/words.ts'
import type { Publication } from '../table.ts'

/** The lexemes of a locale: of its title, and of all its texts. */
export type Words = { title: string[]; all: string[] }

/** Lexemes between spaces, which none of them holds. */
export const wordList = (lexemes: readonly string[]): string => ` ${lexemes.join(' ')} `

/** A locale's title and all its text, the title included. */
type LocaleText = { locale: string; title: string; text: string }

export const textsIn = (model: ModelRow | null, publication: Publication, locales: string[]): LocaleText[] =>
  locales.map((locale) => {
    const { title, text } = textOf(model, itemsOf(publication, publication.locales[locale]!))
    return { locale, title: title ?? '', text: `${title ?? ''} ${text}` }
  })

/** PostgreSQL knows the stems; it is asked once for all locales that changed. */
export const findWords = async (tx: Tx, texts: LocaleText[]): Promise<Record<string, Words>> => {
  if (texts.length === 0) return {}
  const locales = texts.map(({ locale }) => locale)
  const titles = texts.map(({ title }) => searchText(title))
  const bodies = texts.map(({ text }) => searchText(text))
  const { rows } = await sql<Words & { locale: string }>`
    select locale, tsvector_to_array(search_words(configuration::regconfig, title)) as title,
      tsvector_to_array(search_words(configuration::regconfig, body)) as "all"
    from unnest(${locales}::text[], ${locales.map(configurationOf)}::text[], ${titles}::text[], ${bodies}::text[])
      as sent (locale, configuration, title, body)`.execute(tx)
  return Object.fromEntries(rows.map(({ locale, title, all }) => [locale, { title, all }]))
}
