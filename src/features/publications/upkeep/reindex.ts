import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import type { ModelRow } from '../../models/table.ts'
import { itemsOf } from '../compare.ts'
import { textOf } from '../fields/text.ts'
import { facetsOf, valueRows } from '../store/derive.ts'
import type { Stored } from '../store/load.ts'
import { loadMany } from '../store/load-many.ts'
import { eventRows, placeRows } from '../store/places.ts'
import { columns, insertRows } from '../store/rows.ts'
import { findWords, textsIn, type Words } from '../store/words.ts'
import { loadStructure, type Structure } from '../structure.ts'
import type { PublicationRow } from '../table.ts'
import { upkeep, walk } from './upkeep.ts'

const batchSize = 100

/**
 * A model says which field is the title, what search finds and what can be filtered by: where it changes, so does what
 * is kept of its publications beside their content. What is right already is not written again.
 */
export const reindexModel = (
  context: Context,
  { id, environment_id }: { id: string; environment_id: string },
): Promise<void> =>
  walk((after) =>
    upkeep(context, environment_id, async (tx) => {
      const { rows } = await sql<PublicationRow>`select * from publications
        where environment_id = ${environment_id} and model_id = ${id} and id > ${after}
        order by id limit ${batchSize} for update`.execute(tx)
      if (rows.length === 0) return undefined
      const structure = await loadStructure(tx, environment_id)
      const publications = await loadMany(tx, rows)
      for (const stored of publications) await reindexText(tx, structure.models.get(id)!, stored)
      for (const stored of publications) await reindexFacets(tx, structure, stored)
      await reindexValues(tx, environment_id, structure, publications)
      await reindexPlaces(tx, environment_id, structure, publications)
      return rows.at(-1)!.id
    }),
  )

const reindexText = async (tx: Tx, model: ModelRow, { row, publication, words }: Stored): Promise<void> => {
  const found = await findWords(tx, textsIn(model, publication, row.locales))
  for (const locale of row.locales) {
    const state = publication.locales[locale]!
    const { title } = textOf(model, itemsOf(publication, state))
    if (title === state.title && isDeepStrictEqual(found[locale], words[locale])) continue
    await storeText(tx, row, locale, title, found[locale]!)
  }
}

const storeText = async (
  tx: Tx,
  { environment_id, id }: PublicationRow,
  locale: string,
  title: string | null,
  words: Words,
): Promise<void> => {
  await sql`update publication_locales set title = ${title},
      title_search = array_to_tsvector(${words.title}::text[]), search = array_to_tsvector(${words.all}::text[])
    where environment_id = ${environment_id} and id = ${id} and locale = ${locale}`.execute(tx)
  await sql`update publications
    set state = jsonb_set(state, array[${locale}, 'title'], coalesce(to_jsonb(${title}::text), 'null'))
    where environment_id = ${environment_id} and id = ${id}`.execute(tx)
}

/** A field that is gone hides its tags and references from filters too. */
const reindexFacets = async (
  tx: Tx,
  structure: Structure,
  { row, publication, facets: before }: Stored,
): Promise<void> => {
  const { environment_id, id, locales } = row
  const { all, each } = facetsOf(environment_id, publication, structure)
  if (isDeepStrictEqual(new Set(all), new Set(row.facets)) && isDeepStrictEqual(each, before)) return
  await sql`update publications set facets = ${all}::bigint[]
    where environment_id = ${environment_id} and id = ${id}`.execute(tx)
  for (const locale of locales)
    await sql`update publication_locales set facets = ${each[locale]!}::bigint[]
      where environment_id = ${environment_id} and id = ${id} and locale = ${locale}`.execute(tx)
}

/** Few models have places and events. */
const reindexPlaces = async (
  tx: Tx,
  environment_id: string,
  structure: Structure,
  publications: Stored[],
): Promise<void> => {
  const made = { publication_places: placeRows, publication_events: eventRows }
  for (const [name, rowsOf] of Object.entries(made)) {
    const table = name as keyof typeof made
    await sql`delete from ${sql.table(table)} where environment_id = ${environment_id}
      and id = any(${publications.map(({ row }) => row.id)}::text[])`.execute(tx)
    const rows = publications.flatMap(({ row, publication }): Record<string, unknown>[] =>
      rowsOf(row, publication, row.locales, { structure }),
    )
    await insertRows(tx, table, columns[table], rows)
  }
}

type ValueRow = ReturnType<typeof valueRows>[number]

/** What can be filtered by, where it is not right already. */
export const reindexValues = async (
  tx: Tx,
  environment_id: string,
  structure: Structure,
  publications: Stored[],
): Promise<void> => {
  const ids = publications.map(({ row }) => row.id)
  const stored =
    await sql<ValueRow>`select environment_id, model_id, locale, id, api_id, position, number, number_2,
    text from publication_values where environment_id = ${environment_id} and id = any(${ids}::text[])`.execute(
      tx,
    )
  const before = Map.groupBy(stored.rows, ({ id }) => id)
  const changed = publications.flatMap(({ row, publication }) => {
    const rows = valueRows(row, publication, row.locales, { structure })
    return isDeepStrictEqual(sorted(rows), sorted(before.get(row.id) ?? [])) ? [] : [{ id: row.id, rows }]
  })
  if (changed.length === 0) return
  await sql`delete from publication_values where environment_id = ${environment_id}
    and id = any(${changed.map(({ id }) => id)}::text[])`.execute(tx)
  const rows = changed.flatMap((one) => one.rows)
  await insertRows(tx, 'publication_values', columns.publication_values, rows)
}

const sorted = (rows: ValueRow[]): string[] =>
  rows
    .map(({ locale, api_id, position, number, number_2, text }) =>
      JSON.stringify([locale, api_id, position, number, number_2, text]),
    )
    .sort()
