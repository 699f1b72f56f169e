import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Localized, Publication, PublicationRow, StoredItems } from '../table.ts'
import { type Words, wordList } from './words.ts'

export type LocaleRow = {
  locale: string
  items: StoredItems
  facets: string[]
  title_words: string[]
  words: string[]
}

/** A publication as it stands in the database. */
export type Stored = {
  publication: Publication
  row: PublicationRow
  /** Per linked locale, what it is found by. */
  facets: Record<string, string[]>
  words: Record<string, Words>
}

/** The publication under a lock: what is worked out from it stays true until the commit. */
export const lockPublication = async (tx: Tx, environmentId: string, id: string): Promise<Stored> => {
  const one = sql`environment_id = ${environmentId} and id = ${id}`
  // The second statement waits behind the first, so it sees what the lock was waited for.
  const [publications, locales] = await Promise.all([
    sql<PublicationRow>`select * from publications where ${one} for update`.execute(tx),
    sql<LocaleRow>`select locale, items, facets, tsvector_to_array(title_search) as title_words,
      tsvector_to_array(search) as words from publication_locales where ${one}`.execute(tx),
  ])
  const row = publications.rows[0]
  if (!row) throw new NotFound('Publication', id)
  return storedOf(row, locales.rows)
}

/** The same without a lock, for reading. */
export const readPublication = async (db: Db | Tx, row: PublicationRow): Promise<Publication> => {
  const { rows } = await sql<{ locale: string; items: StoredItems }>`select locale, items
    from publication_locales where environment_id = ${row.environment_id} and id = ${row.id}`.execute(db)
  return publicationOf(row, new Map(rows.map(({ locale, items }) => [locale, items])))
}

export const storedOf = (row: PublicationRow, locales: LocaleRow[]): Stored => ({
  publication: publicationOf(row, new Map(locales.map(({ locale, items }) => [locale, items]))),
  row,
  facets: Object.fromEntries(locales.map(({ locale, facets }) => [locale, facets])),
  words: Object.fromEntries(
    locales.map(({ locale, title_words, words }) => [locale, { title: title_words, all: words }]),
  ),
})

const publicationOf = (row: PublicationRow, contents: Map<string, StoredItems>): Publication => ({
  id: row.id,
  label: row.label,
  model_id: row.model_id,
  channel_ids: row.channel_ids,
  container_ids: row.container_ids,
  shared: row.items,
  locales: Object.fromEntries(
    Object.entries(row.state).map(([locale, state]): [string, Localized] => [
      locale,
      { ...state, items: contents.get(locale) ?? {}, linked: row.locales.includes(locale) },
    ]),
  ),
  version: row.version,
  created_on: row.created_on,
  changed_on: row.changed_on,
  created_by: row.created_by,
  updated_by: row.updated_by,
})

/** As filters see it. */
export const snapshotOf = (
  publication: Publication,
  all: readonly string[],
  facets: Record<string, readonly string[]>,
  words: Record<string, Words>,
): Snapshot => ({
  id: publication.id,
  model_id: publication.model_id,
  created_on: publication.created_on.getTime(),
  changed_on: publication.changed_on?.getTime() ?? null,
  facets: new Set(all),
  locales: Object.fromEntries(
    Object.entries(publication.locales)
      .filter(([, { linked }]) => linked)
      .map(([locale, { slug, publish_on, expire_on, items }]) => [
        locale,
        {
          slug: slug!,
          publish_on: publish_on === null ? null : Date.parse(publish_on),
          expire_on: expire_on === null ? null : Date.parse(expire_on),
          facets: new Set(facets[locale]),
          words: wordList(words[locale]!.all),
          titleWords: wordList(words[locale]!.title),
          items: { ...publication.shared, ...items },
        },
      ]),
  ),
})
