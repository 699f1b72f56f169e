import { type RawBuilder, sql } from 'kysely'

const maxWords = 12
const maxWordLength = 64

/** The words of a search, folded as the database folds them is left to SQL; here only split and bounded. */
export const wordsOf = (text: string): string[] => {
  const words = text
    .slice(0, 2000)
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)
    .map((word) => word.slice(0, maxWordLength))
  return [...new Set(words)].slice(0, maxWords)
}

/**
 * How alike a word must be to count, by its length. One swapped pair in seven letters leaves half of the
 * trigrams; in three letters one typing error leaves too little to tell it from another word.
 */
const bar = (word: string): number => (word.length <= 3 ? 0.7 : word.length <= 5 ? 0.5 : 0.45)

/** Every word must be in the text, at the start of a word or with a typing error, whatever case and accents. */
export const fuzzyMatch = (column: RawBuilder<unknown>, words: string[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    words.map(
      (word) =>
        sql`(fold(${word}) <% fold(${column}) and word_similarity(fold(${word}), fold(${column})) >= ${bar(word)}::real)`,
    ),
    sql` and `,
  )})`

/** Whole matches before near ones, and short texts before long ones that hold the same words. */
export const fuzzyRank = (column: RawBuilder<unknown>, words: string[]): RawBuilder<number> => {
  const phrase = words.join(' ')
  return sql<number>`(round((word_similarity(fold(${phrase}), fold(${column}))
    + similarity(fold(${phrase}), fold(${column}))) * 10000)::integer)`
}
