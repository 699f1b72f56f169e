import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { facetsOf } from '../store/derive.ts'
import { loadMany } from '../store/load-many.ts'
import type { Structure } from '../structure.ts'
import type { Publication, PublicationRow, StoredItems, StoredValue } from '../table.ts'

/** Tags stand in the content: each value that names the tag loses it, those inside of elements too. */
export const withoutTag = async (
  tx: Tx,
  structure: Structure,
  rows: PublicationRow[],
  tagId: string,
): Promise<void> => {
  for (const { row, publication } of await loadMany(tx, rows)) {
    const after: Publication = {
      ...publication,
      shared: strip(publication.shared, tagId),
      locales: Object.fromEntries(
        Object.entries(publication.locales).map(([locale, state]) => [
          locale,
          { ...state, items: strip(state.items, tagId) },
        ]),
      ),
    }
    await store(tx, row, after, facetsOf(row.environment_id, after, structure))
  }
}

const strip = (items: StoredItems, tagId: string): StoredItems =>
  Object.fromEntries(Object.entries(items).map(([api_id, value]) => [api_id, stripValue(value, tagId)]))

const stripValue = (value: StoredValue, tagId: string): StoredValue => {
  if (value.label === 'TagBox')
    return { ...value, items: (value.items as { id: string }[]).filter(({ id }) => id !== tagId) }
  if (value.label === 'ElementBox')
    return { ...value, items: (value.items as StoredValue[]).map((item) => stripValue(item, tagId)) }
  return value
}

const store = async (
  tx: Tx,
  { environment_id, id, locales }: PublicationRow,
  after: Publication,
  facets: ReturnType<typeof facetsOf>,
): Promise<void> => {
  const contents = locales.map((locale) => JSON.stringify(after.locales[locale]!.items))
  await Promise.all([
    sql`update publications set items = ${JSON.stringify(after.shared)}::text::jsonb,
        facets = ${facets.all}::bigint[]
      where environment_id = ${environment_id} and id = ${id}`.execute(tx),
    sql`update publication_locales as local set items = stripped.items::jsonb, facets = stripped.facets::bigint[]
      from unnest(${locales}::text[], ${contents}::text[],
        ${locales.map((locale) => `{${facets.each[locale]!.join()}}`)}::text[]) as stripped (locale, items, facets)
      where local.environment_id = ${environment_id} and local.id = ${id}
        and local.locale = stripped.locale`.execute(tx),
  ])
}
