import { shortened, unparted } from '../../../database/search.ts'

const languages: Record<string, string> = {
  ar: 'arabic',
  hy: 'armenian',
  eu: 'basque',
  ca: 'catalan',
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  el: 'greek',
  hi: 'hindi',
  hu: 'hungarian',
  id: 'indonesian',
  ga: 'irish',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  no: 'norwegian',
  nb: 'norwegian',
  nn: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  es: 'spanish',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
}

/** How PostgreSQL reduces the words of a locale to their stems. */
export const configurationOf = (locale: string): string => {
  const language = locale.split(/[-_]/, 1)[0]!.toLowerCase()
  return `search_${Object.hasOwn(languages, language) ? languages[language] : 'simple'}`
}

const maxLength = 300_000
/** A tsvector holds at most 1 MB of words, each with five bytes more while it is made. */
const maxBytes = 700_000

/** A text as `search_words` takes it: each word once, and nothing that PostgreSQL would take for an address. */
export const searchText = (text: string): string => {
  const taken: string[] = []
  let bytes = 0
  for (const word of new Set(piecesOf(text.slice(0, maxLength)).flatMap(storedWords))) {
    bytes += Buffer.byteLength(word) + 5
    if (bytes > maxBytes) break
    taken.push(word)
  }
  return taken.join(' ')
}

/** A word, or a stretch of letters between which nobody parts words: `iPhone手机` is one of each. */
type Piece = { text: string; unparted: boolean }

const run = unparted.source
const letter = '[\\p{L}\\p{N}\\p{M}]'
const pieces = new RegExp(
  `(?<run>[${run}&&${letter}][[${run}\\p{M}]&&${letter}]*)|[${letter}--${run}]+`,
  'gv',
)

const plain = /[\p{L}\p{N}\p{M}]+/gu

/** Most texts hold no such stretch, and are cut in a third of the time. */
export const piecesOf = (text: string): Piece[] => {
  const composed = text.toWellFormed().normalize('NFKC')
  if (!unparted.test(composed))
    return (composed.match(plain) ?? []).map((found) => ({ text: shortened(found), unparted: false }))
  return Array.from(composed.matchAll(pieces), ({ 0: found, groups }) => {
    const isRun = groups?.run !== undefined
    return { text: isRun ? found : shortened(found), unparted: isRun }
  })
}

/** Such a stretch is found by pairs of letters. Its last letter begins no pair, so it stands alone too. */
const storedWords = (piece: Piece): string[] =>
  piece.unparted ? [...pairsOf(piece.text), [...piece.text].at(-1)!] : [piece.text]

export const pairsOf = (text: string): string[] => {
  const letters = [...text]
  return letters.slice(1).map((letter, index) => letters[index]! + letter)
}
