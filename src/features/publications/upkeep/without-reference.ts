import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { facetsOf } from '../store/derive.ts'
import type { Stored } from '../store/load.ts'
import { loadMany } from '../store/load-many.ts'
import type { Structure } from '../structure.ts'
import type { Publication, PublicationRow, StoredItems, StoredValue } from '../table.ts'

type Gone = { label: 'TagBox' | 'Person' | 'Asset'; id: string }

/** Each value of a type that names what is gone loses it, those inside of elements too. Gives what is left of each. */
export const withoutReference = async (
  tx: Tx,
  structure: Structure,
  rows: PublicationRow[],
  gone: Gone,
): Promise<Stored[]> => {
  const left: Stored[] = []
  for (const stored of await loadMany(tx, rows)) {
    const { row, publication } = stored
    const after: Publication = {
      ...publication,
      shared: strip(publication.shared, gone),
      locales: Object.fromEntries(
        Object.entries(publication.locales).map(([locale, state]) => [
          locale,
          { ...state, items: strip(state.items, gone) },
        ]),
      ),
    }
    await store(tx, row, after, facetsOf(row.environment_id, after, structure))
    left.push({ ...stored, publication: after })
  }
  return left
}

const strip = (items: StoredItems, gone: Gone): StoredItems =>
  Object.fromEntries(Object.entries(items).map(([api_id, value]) => [api_id, stripValue(value, gone)]))

const stripValue = (value: StoredValue, gone: Gone): StoredValue => {
  if (value.label === gone.label)
    return { ...value, items: (value.items as { id: string }[]).filter(({ id }) => id !== gone.id) }
  if (value.label === 'ElementBox')
    return { ...value, items: (value.items as StoredValue[]).map((item) => stripValue(item, gone)) }
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
