import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import { json } from '../../../database/json.ts'
import { pairsOf, piecesOf } from './words.ts'

/** A search in one language: what PostgreSQL compares, and the same lexemes for texts in memory. */
export type Lexemes = {
  query: string
  /** Of each word one alternative, and of that every lexeme; one that ends in `*` is the beginning of one. */
  groups: string[][][]
}
export type LexemesOf = (configuration: string) => Lexemes

type Asked = { place: number; kind: 'word' | 'pair' | 'start'; word: string }

/** A single letter of a script that does not part words begins every pair that it stands first in. */
const askedOf = (words: string[]): Asked[] =>
  words
    .flatMap(piecesOf)
    .flatMap((piece): Omit<Asked, 'place'>[] => {
      if (!piece.unparted) return [{ kind: 'word', word: piece.text }]
      const pairs = pairsOf(piece.text)
      return pairs.length > 0
        ? pairs.map((word) => ({ kind: 'pair', word }))
        : [{ kind: 'start', word: piece.text }]
    })
    .map((asked, place) => ({ place, ...asked }))

/** How many words all those that are begun may stand for: each is reduced to its stem in every language. */
const mostBegun = 50

/**
 * What the words of a search stand for in each language: themselves, words that begin with them, and, where there are
 * none of either, words that they may be a typing error of. Everything becomes a query by PostgreSQL's own functions.
 */
export const findLexemes = async (
  db: Db | Tx,
  environmentId: string,
  configurations: string[],
  words: string[],
): Promise<LexemesOf> => {
  const asked = askedOf(words)
  const { rows } = await sql<Lexemes & { configuration: string }>`
    with asked as materialized (
      select place, kind, fold(word) as word
      from jsonb_to_recordset(${json(asked)}) as sent (place integer, kind text, word text)
    ), begun as materialized (
      select place, found.word from asked cross join lateral (
        select vocabulary.word from vocabulary where environment_id = ${environmentId}
          and vocabulary.word >= asked.word and vocabulary.word < asked.word || chr(1114111)
        order by length(vocabulary.word), vocabulary.word limit ${Math.max(5, Math.floor(mostBegun / asked.length))}
      ) as found where kind = 'word' and length(asked.word) >= 3
    ), near as (
      select place, found.word from asked cross join lateral near_words(${environmentId}, asked.word) as found (word)
      where kind = 'word' and length(asked.word) between 4 and 64 and asked.word !~ '[0-9]'
        and place not in (select place from begun)
    ), alternatives as materialized (
      select place, kind, word from asked
      union select place, 'word', word from begun union select place, 'word', word from near
    ), lexemes as (
      select configuration, place, kind, tsvector_to_array(to_tsvector(configuration::regconfig, word)) as lexemes,
        case kind when 'start' then to_tsquery('search_simple', quote_literal(word) || ':*')
          else plainto_tsquery(configuration::regconfig, word) end as query
      from alternatives, unnest(${configurations}::text[]) as configuration
    ), groups as (
      select configuration, place, any_of(query) as query,
        jsonb_agg(distinct case kind when 'start' then jsonb_build_array(lexemes[1] || '*') else to_jsonb(lexemes) end)
          as alternatives
      from lexemes where cardinality(lexemes) > 0 group by configuration, place
    )
    select configuration, all_of(query)::text as query, jsonb_agg(alternatives order by place) as groups
    from groups group by configuration`.execute(db)
  const found = new Map(rows.map(({ configuration, query, groups }) => [configuration, { query, groups }]))
  return (configuration) => found.get(configuration) ?? nothing
}

/** Nothing to compare is found nowhere. */
const nothing: Lexemes = { query: '', groups: [[]] }

/** Whether a text, its lexemes between spaces, holds what is searched for. */
export const holdsLexemes = (text: string, { groups }: Lexemes): boolean =>
  groups.every((alternatives) =>
    alternatives.some((lexemes) =>
      lexemes.every((lexeme) =>
        text.includes(lexeme.endsWith('*') ? ` ${lexeme.slice(0, -1)}` : ` ${lexeme} `),
      ),
    ),
  )
