import type { Tx } from '../../../database/connect.ts'
import { executeWithCommit } from '../../../database/driver.ts'
import { sameItems } from '../compare.ts'
import type { Publication, PublicationRow } from '../table.ts'
import { changedLocales, type Saving } from './changes.ts'
import { localeRow, valueRows } from './derive.ts'
import { eventRows, placeRows } from './places.ts'
import { columns, insertRows } from './rows.ts'
import type { Words } from './words.ts'

/** Stores the row, its changed locales, their filterable values and the version, all together with the commit. */
export const storePublication = async (
  tx: Tx,
  row: PublicationRow,
  after: Publication,
  before: Publication | null,
  facets: Record<string, string[]>,
  words: Record<string, Words>,
  saving: Saving,
): Promise<void> => {
  if (before) await updateRow(tx, row)
  else await insertRows(tx, 'publications', columns.publications, [row])
  const changed = changedLocales(after, before)
  const linked = changed.filter((locale) => after.locales[locale]?.linked)
  if (before)
    await removeLocales(
      tx,
      row,
      changed.filter((locale) => before.locales[locale]?.linked),
    )
  await insertRows(
    tx,
    'publication_locales',
    columns.publication_locales,
    linked.map((locale) => localeRow(row, after, locale, facets[locale]!, words[locale]!)),
  )
  await insertRows(
    tx,
    'publication_values',
    columns.publication_values,
    valueRows(row, after, linked, saving),
  )
  await insertRows(
    tx,
    'publication_places',
    columns.publication_places,
    placeRows(row, after, linked, saving),
  )
  await insertRows(
    tx,
    'publication_events',
    columns.publication_events,
    eventRows(row, after, linked, saving),
  )
  await storeVersion(tx, row, after, before, saving)
}

const updateRow = async (tx: Tx, row: PublicationRow): Promise<void> => {
  const { environment_id, id, created_by: _by, created_on: _on, ...rest } = row
  const names = columns.publications.filter(([name]) => Object.hasOwn(rest, name))
  const set = names.map(([name, cast], index) => `${name} = $${index + 3}::${cast}`)
  const values = names.map(([name, cast]) => plain((rest as Record<string, unknown>)[name], cast))
  await executeWithCommit(tx, `update publications set ${set} where environment_id = $1 and id = $2`, [
    environment_id,
    id,
    ...values,
  ])
}

const plain = (value: unknown, cast: string): unknown => (cast === 'jsonb' ? JSON.stringify(value) : value)

/** Rows are replaced: nearly every index of theirs would be written anyway. */
const removeLocales = async (
  tx: Tx,
  { environment_id, id }: PublicationRow,
  locales: string[],
): Promise<void> => {
  if (locales.length === 0) return
  const where = 'where environment_id = $1 and id = $2 and locale = any($3::text[])'
  await executeWithCommit(tx, `delete from publication_locales ${where}`, [environment_id, id, locales])
  for (const table of ['publication_values', 'publication_places', 'publication_events'])
    await executeWithCommit(tx, `delete from ${table} ${where}`, [environment_id, id, locales])
}

/** What this write changed of the content; the rest stands in earlier versions. */
const storeVersion = async (
  tx: Tx,
  row: PublicationRow,
  after: Publication,
  before: Publication | null,
  { event, now, actor, bulkOperationId = null }: Saving,
): Promise<void> => {
  const contents = Object.keys({ ...before?.locales, ...after.locales })
    .filter(
      (locale) =>
        !before || !sameItems(after.locales[locale]?.items ?? {}, before.locales[locale]?.items ?? {}),
    )
    .map((locale) => [locale, after.locales[locale]?.items ?? null])
  const shared = !before || !sameItems(after.shared, before.shared) ? [['', after.shared]] : []
  await insertRows(tx, 'publication_versions', columns.publication_versions, [
    {
      ...row,
      publication_id: row.id,
      event,
      items: Object.fromEntries([...shared, ...contents]),
      contents: [...shared, ...contents].map(([name]) => name),
      bulk_operation_id: bulkOperationId,
      created_by: actor.user_id,
      created_on: now,
    },
  ])
}
