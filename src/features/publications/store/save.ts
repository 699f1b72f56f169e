import type { Tx } from '../../../database/connect.ts'
import { executeWithCommit } from '../../../database/driver.ts'
import type { Actor } from '../../access/authenticate.ts'
import { isChangedLocale, itemsOf, sameItems } from '../compare.ts'
import { linkedLocales, localeFacets, ownFacets } from '../facets.ts'
import { referencesOf, shownFields, tagIdsOf, valuesOf } from '../fields/collect.ts'
import { nextChange, settlePublished } from '../published.ts'
import type { Structure } from '../structure.ts'
import type { LocaleState, Publication, PublicationRow, PublicationVersionTable } from '../table.ts'
import { columns, insertRows } from './rows.ts'
import { slugScopeOf } from './slugs.ts'
import type { Words } from './words.ts'

/** What is needed to store a publication besides the publication itself. */
export type Saving = {
  actor: Actor
  structure: Structure
  now: Date
  event: PublicationVersionTable['event']
  bulkOperationId?: string | null
}

/** Locales whose row must be written again: their content, state or anything they are found by has changed. */
export const changedLocales = (after: Publication, before: Publication | null): string[] => {
  const all = [...new Set([...Object.keys(after.locales), ...Object.keys(before?.locales ?? {})])]
  if (!before || !sameRecord(after, before)) return all
  return all.filter((locale) => isChangedLocale(after, before, locale))
}

/** What every locale of a publication shows or is found by. */
const sameRecord = (one: Publication, other: Publication): boolean =>
  one.model_id === other.model_id &&
  one.label === other.label &&
  sameList(one.channel_ids, other.channel_ids) &&
  sameList(one.container_ids, other.container_ids) &&
  sameList(linkedLocales(one), linkedLocales(other)) &&
  sameItems(one.shared, other.shared)

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index])

/** Whether there is anything to store at all. */
export const isSame = (after: Publication, before: Publication): boolean =>
  sameRecord(after, before) && changedLocales(after, before).length === 0

/** Raises the versions, of the record and of what of it changed, and settles what readers see. */
export const stamp = (
  after: Publication,
  before: Publication | null,
  { actor, structure, now }: Saving,
): void => {
  settlePublished(after, structure.findStatus({ body: 'Done' })!.id, now)
  // What comes back from the trash goes on where it ended.
  after.version = (before ?? after).version + 1
  if (after.version > 1) {
    after.changed_on = now
    after.updated_by = actor.user_id
  }
  const everywhere = before !== null && !sameItems(after.shared, before.shared)
  for (const [locale, state] of Object.entries(after.locales))
    if (!before || everywhere || isChangedLocale(after, before, locale)) state.version = after.version
}

/** The facets of each linked locale, and of all together. What the model hides is not found either. */
export const facetsOf = (environmentId: string, publication: Publication, { models }: Structure) => {
  const model = models.get(publication.model_id ?? '') ?? null
  const each = Object.fromEntries(
    linkedLocales(publication).map((locale) => {
      const all = itemsOf(publication, publication.locales[locale]!)
      const items = Object.fromEntries(shownFields(model, all))
      const referenceIds = referencesOf(items).flatMap(({ kind, id }) => (kind === 'Tag' ? [] : [id]))
      return [
        locale,
        localeFacets(environmentId, publication, locale, { tagIds: tagIdsOf(items), referenceIds }),
      ]
    }),
  )
  const linked = Object.values(each).flat()
  return { each, all: [...new Set([...ownFacets(environmentId, publication), ...linked])] }
}

export const rowOf = (
  publication: Publication,
  facets: string[],
  { actor, structure, now }: Pick<Saving, 'actor' | 'structure' | 'now'>,
): PublicationRow => {
  const main = publication.locales[actor.environment.default_locale]
  const done = structure.findStatus({ body: 'Done' })!.id
  return {
    environment_id: actor.environment_id,
    id: publication.id,
    label: publication.label,
    model_id: publication.model_id,
    locales: linkedLocales(publication),
    state: statesOf(publication),
    items: publication.shared,
    channel_ids: publication.channel_ids,
    container_ids: publication.container_ids,
    facets,
    publish_on: main?.linked && main.publish_on !== null ? new Date(main.publish_on) : null,
    next_change: nextChange(publication, done, now),
    created_by: publication.created_by,
    updated_by: publication.updated_by,
    version: publication.version,
    created_on: publication.created_on,
    changed_on: publication.changed_on,
  }
}

const statesOf = ({ locales }: Publication): Record<string, LocaleState> =>
  Object.fromEntries(
    Object.entries(locales).map(([locale, { items: _items, linked: _linked, ...state }]) => [locale, state]),
  )

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
  await executeWithCommit(tx, `delete from publication_values ${where}`, [environment_id, id, locales])
}

const localeRow = (
  { environment_id, id }: PublicationRow,
  publication: Publication,
  locale: string,
  facets: string[],
  words: Words,
) => {
  const { slug, title, status_id, publish_on, expire_on, items } = publication.locales[locale]!
  const slug_scope = slugScopeOf(publication)
  const search = { title_search: words.title, search: words.all }
  return {
    environment_id,
    id,
    locale,
    slug_scope,
    slug,
    title,
    status_id,
    publish_on,
    expire_on,
    facets,
    ...search,
    items,
  }
}

export const valueRows = (
  { environment_id, id, model_id }: PublicationRow,
  publication: Publication,
  locales: string[],
  { structure }: Pick<Saving, 'structure'>,
) => {
  const model = model_id === null ? undefined : structure.models.get(model_id)
  if (!model) return []
  return locales.flatMap((locale) =>
    valuesOf(model, itemsOf(publication, publication.locales[locale]!)).map((value) => ({
      environment_id,
      model_id,
      locale,
      id,
      ...value,
    })),
  )
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
