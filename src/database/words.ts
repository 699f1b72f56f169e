import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from './connect.ts'
import type { Condition, FilterSpec } from './filters.ts'
import { type ListRequest, type ListSpec, listPage, type Page } from './page.ts'
import { distanceOf, fuzzyMatch, swapsOf, unparted, wordsOf } from './search.ts'
import type { Matcher } from './totals.ts'

/** A table whose texts are searched by `words_of`, and which of its columns `q` looks into. */
export type Searched = { table: 'messages' | 'comments' | 'source_items'; columns: readonly string[] }

/** A search as a list tells of it; what holds of a row is worked out for each request. */
export const q = {
  type: 'text',
  operators: ['fz'],
  bare: 'fz',
  word: () => sql`true`,
} satisfies FilterSpec['q']

/**
 * So many of the newest texts are looked through first: a frequent word is soon met, a rare one found by its index. How
 * frequent a beginning is PostgreSQL cannot tell: it took 15 s to walk past 200,000 texts for one that five have.
 */
const ahead = 80

type Queries = ReadonlyMap<string, string>

/**
 * A page of a list with `q`. Words are looked up as they are, as beginnings; only where that finds nothing are typing
 * errors looked for.
 */
export const listWords = async <Row extends object>(
  context: Pick<Context, 'db' | 'totals'>,
  spec: ListSpec,
  searched: Searched,
  scope: string,
  request: ListRequest,
  only: Condition[],
  matches?: Matcher,
): Promise<Page<Row>> => {
  const words = [...new Set(wordsIn(request.filter))]
  if (words.length === 0) {
    const isPlain = Object.keys(request.filter).length === 0
    return listPage<Row>(context, spec, scope, request, only, isPlain ? matches : undefined)
  }
  const find = (queries: Queries, also: Condition[]) =>
    listPage<Row>(context, withWords(spec, searched, queries), scope, request, [...only, ...also])
  const page = await find(await queriesOf(context.db, scope, words), [])
  if (page.rows.length > 0) return page
  const mended = await mend(context.db, searched, scope, words)
  // Totals are remembered by these conditions, and this one tells the two searches apart.
  return mended ? find(mended, [sql`${[...mended.values()].join()}::text is not null`]) : page
}

/** The words of every `q`, alternatives included. */
const wordsIn = (filter: unknown): string[] => {
  if (typeof filter !== 'object' || filter === null) return []
  return Object.entries(filter).flatMap(([name, inner]) =>
    name === 'q' ? textsIn(inner).flatMap(wordsOf) : wordsIn(inner),
  )
}
const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)]

const withWords = (spec: ListSpec, { columns }: Searched, queries: Queries): ListSpec => {
  const inAny = (holds: (column: string) => Condition): Condition =>
    sql`(${sql.join(columns.map(holds), sql` or `)})`
  const word = (wanted: string): Condition => {
    const query = queries.get(wanted)
    // Nobody parts words in some scripts; there a word stands anywhere.
    if (query === undefined) return inAny((column) => fuzzyMatch(sql.ref(`row.${column}`), [wanted]))
    return inAny(
      (column) => sql`words_of(row.environment_id, row.${sql.ref(column)}) @@ ${query}::text::tsquery`,
    )
  }
  return { ...spec, ahead, filters: { ...spec.filters, q: { ...spec.filters.q!, word } } }
}

const queriesOf = async (db: Db, environmentId: string, words: string[]): Promise<Queries> => {
  const parted = words.filter((word) => !unparted.test(word))
  const { rows } = await sql<{ word: string; query: string | null }>`
    select word, word_query(${environmentId}, word)::text as query from unnest(${parted}::text[]) as word`.execute(
    db,
  )
  return new Map(rows.flatMap(({ word, query }) => (query === null ? [] : [[word, query]])))
}

/** In so many of the newest texts is looked for what may have been meant. */
const recent = 2000
const mostMeant = 20

/**
 * Queries with the words that were meant in place of those that stand nowhere; nothing where all stand somewhere. Words
 * of the newest texts are compared: to keep a list of all would be to keep words of those who were erased.
 */
const mend = async (
  db: Db,
  searched: Searched,
  environmentId: string,
  words: string[],
): Promise<Queries | undefined> => {
  const queries = new Map(await queriesOf(db, environmentId, words))
  let isMended = false
  for (const [word, query] of queries) {
    const distance = distanceOf([...word].length)
    if (distance === 0 || (await standsAnywhere(db, searched, environmentId, query))) continue
    const meant = await meantBy(db, searched, environmentId, word, distance)
    if (meant === null) continue
    queries.set(word, meant)
    isMended = true
  }
  return isMended ? queries : undefined
}

const standsAnywhere = async (
  db: Db,
  { table, columns }: Searched,
  environmentId: string,
  query: string,
): Promise<boolean> => {
  const each = columns.map(
    (column) => sql`words_of(environment_id, ${sql.ref(column)}) @@ ${query}::text::tsquery`,
  )
  const { rows } = await sql<{ any: boolean }>`select exists (select 1 from ${sql.table(table)}
    where environment_id = ${environmentId} and (${sql.join(each, sql` or `)})) as any`.execute(db)
  return rows[0]!.any
}

const meantBy = async (
  db: Db,
  { table, columns }: Searched,
  environmentId: string,
  word: string,
  distance: number,
): Promise<string | null> => {
  const text = sql.join(
    columns.map((column) => sql.ref(column)),
    sql` || ' ' || `,
  )
  const { rows } = await sql<{ query: string | null }>`
    with wanted as (select fold(${word}) as word, array(select fold(swap) from unnest(${swapsOf(word)}::text[]) as swap) as swaps),
    used as (select distinct left(part, 64) as word from (
        select ${text} as value from ${sql.table(table)} where environment_id = ${environmentId}
        order by created_on desc limit ${recent}) as newest,
      regexp_split_to_table(fold(value), '[[:space:][:punct:]]+') as part),
    meant as (select used.word from used, wanted
      where abs(length(used.word) - length(wanted.word)) <= ${distance} and (used.word = any (swaps)
        or levenshtein_less_equal(used.word, wanted.word, ${distance}) <= ${distance})
      order by levenshtein(used.word, wanted.word), used.word limit ${mostMeant})
    select string_agg(word_query(${environmentId}, word)::text, ' | ') as query from meant`.execute(db)
  return rows[0]!.query
}
