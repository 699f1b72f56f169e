import { type RawBuilder, sql } from 'kysely'

const maxWords = 12
const maxWordLength = 64

/** The words of a search, split and bounded; folding is left to SQL, which folds the texts. */
export const wordsOf = (text: string): string[] => {
  const words = text
    .slice(0, 2000)
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)
    .map(shortened)
  return [...new Set(words)].slice(0, maxWords)
}

export const shortened = (word: string): string =>
  word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join('')

/** Words of two or three letters become other words by one typing error; long ones bear two. */
export const distanceOf = (length: number): number => (length <= 3 ? 0 : length <= 7 ? 1 : 2)

/** Two neighbours exchanged, the commonest typing error, leaves hardly a trigram of a short word. */
export const swapsOf = (word: string): string[] => {
  const letters = [...word]
  if (distanceOf(letters.length) !== 1) return []
  return letters
    .slice(1)
    .map((letter, index) =>
      [...letters.slice(0, index), letter, letters[index], ...letters.slice(index + 2)].join(''),
    )
}

/** Scripts that do not part words; a word stands anywhere in a run of them. */
export const unparted =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u
/** Only these letters are sure to have trigrams: for others it depends on the locale of the database. */
const indexed = /^[\p{sc=Latin}\p{sc=Zyyy}\p{M}]+$/u

type Column = RawBuilder<unknown>

const closeness = (column: Column, word: string): RawBuilder<number> => {
  const { length } = [...word]
  const swaps = swapsOf(word).map((swap) => sql`fold(${swap})`)
  return sql`closeness(fold(${column}), fold(${word}), array[${sql.join(swaps)}]::text[],
    ${sql.lit(distanceOf(length))}, ${sql.lit(length > 3 || unparted.test(word))})`
}

/** What the trigram index can find, always more than what fits. */
const candidate = (column: Column, word: string): RawBuilder<unknown> => {
  if (!indexed.test(word)) return sql`true`
  const near = sql`fold(${word}) <% fold(${column})`
  const swaps = swapsOf(word).map((swap) => sql`'%' || fold(${swap}) || '%'`)
  return swaps.length === 0 ? near : sql`(${near} or fold(${column}) like any (array[${sql.join(swaps)}]))`
}

/** Every word must be in the text, as the start of a word or with a typing error, whatever case and accents. */
export const fuzzyMatch = (column: Column, words: string[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    words.map((word) => sql`(${candidate(column, word)} and ${closeness(column, word)} > 0)`),
    sql` and `,
  )})`

/** Whole words before near ones, then texts that hold little else. */
export const fuzzyRank = (column: Column, words: string[]): RawBuilder<number> => {
  const fits = words.map((word) => sql`coalesce(${closeness(column, word)}, 0)`)
  const length = words.join(' ').length
  return sql<number>`coalesce((${sql.join(fits, sql` + `)}) * 1000
    + least(999, ${sql.lit(length * 1000)} / greatest(length(${column}), 1)), 0)`
}
