import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { Condition } from '../../../database/filters.ts'
import { pairsOf, piecesOf } from '../../publications/list/words.ts'
import { existsIn, type Home } from './homes.ts'

/** One word of a search, folded, and what it is taken for: what begins with it or, where nothing does, words near it. */
export type Sought = { word: string; near: string[] | null }

/** An address is looked for whole and, where none begins so or is near, by its parts. */
type Token = { whole: string | null; parts: string[] }

const address = /^[^@]*@[^@]*$|^[\p{L}\p{N}._%+-]*[\p{L}\p{N}_%+-]\.\p{L}{2,}$/u
const maxTokens = 12
/** Each is looked for by itself; one token can be hundreds of them. */
const maxParts = 24

/** The parts of what is searched for; none where there is no word in it. */
export const tokensOf = (text: string): Token[] => {
  const known = new Set<string>()
  return splitText(text).flatMap(({ whole, parts }) => {
    const fresh = [...new Set(parts)].filter((part) => !known.has(part)).slice(0, maxParts - known.size)
    for (const part of fresh) known.add(part)
    return fresh.length > 0 ? [{ whole, parts: fresh }] : []
  })
}

const splitText = (text: string): Token[] =>
  text
    .slice(0, 2000)
    .toWellFormed()
    .normalize('NFKC')
    .split(/[\s,;<>"]+/u)
    .map((token) => tokenOf(token.slice(0, 200)))
    .filter(({ parts }) => parts.length > 0)
    .slice(0, maxTokens)

const tokenOf = (token: string): Token => {
  if (!address.test(token)) return { whole: null, parts: partsOf(token) }
  const [local, domain] = token.split('@') as [string, string?]
  if (local === '') return { whole: null, parts: domain ? [domain] : [] }
  return { whole: token, parts: [...partsOf(local), ...(domain ? [domain] : [])] }
}

const partsOf = (text: string): string[] =>
  piecesOf(text).flatMap((piece) => {
    const pairs = piece.unparted ? pairsOf(piece.text) : []
    return pairs.length > 0 ? pairs : [piece.text]
  })

type Known = { sent: string; word: string; begun: boolean; near: string[] }

/** What the words of a search stand for among the words that persons have. */
export const findSought = async (db: Db | Tx, environmentId: string, tokens: Token[]): Promise<Sought[]> => {
  const known = await lookUp(db, environmentId, [
    ...new Set(tokens.flatMap(({ whole, parts }) => [...(whole ? [whole] : []), ...parts])),
  ])
  const soughtBy = (sent: string): Sought => {
    const { word, begun, near } = known.get(sent)!
    return { word, near: begun ? null : near }
  }
  return tokens.flatMap(({ whole, parts }) => {
    const sought = whole === null ? undefined : soughtBy(whole)
    return sought && sought.near?.length !== 0 ? [sought] : parts.map(soughtBy)
  })
}

const lookUp = async (db: Db | Tx, environmentId: string, words: string[]): Promise<Map<string, Known>> => {
  const { rows } = await sql<Known>`
    with asked as materialized (
      select sent, folded.word, exists (select 1 from person_words as known
        where known.environment_id = ${environmentId} and known.word >= folded.word collate "C"
          and known.word < (folded.word || chr(1114111)) collate "C") as begun
      from unnest(${words}::text[]) as sent, lateral (select fold(sent) as word) as folded
    )
    select asked.*, array(select near_person_words(${environmentId}, asked.word)
      where not begun and length(asked.word) between 4 and 64 and asked.word !~ '[0-9@]') as near
    from asked`.execute(db)
  return new Map(rows.map((row) => [row.sent, row]))
}

const highest = String.fromCodePoint(1_114_111)

/** Every word must be there. */
export const soughtIn = (home: Home, sought: Sought[]): Condition =>
  sql`(${sql.join(
    sought.map((one) => existsIn(home, 'person_words', fits(one, 'found'))),
    sql` and `,
  )})`

/** A row of `person_words` that a word of the search is taken for. */
export const fits = ({ word, near }: Sought, alias: string): Condition => {
  const column = sql.ref(`${alias}.word`)
  return near === null
    ? sql`${column} >= ${word} and ${column} < ${word + highest}`
    : sql`${column} = any(${near}::text[])`
}

/** Every word as it was written, not only the beginning of another or near it. */
export const exactly = (sought: Sought[]): Sought[] => sought.map(({ word }) => ({ word, near: [word] }))
