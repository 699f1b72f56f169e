import { sql } from 'kysely'
import { restOn } from '../../../database/basis.ts'
import type { Db, Tx } from '../../../database/connect.ts'
import { presentBase } from '../../../http/schemas.ts'
import type { Token } from '../../access/authenticate.ts'
import { isThere } from '../../assets/queries.ts'
import type { AssetRow } from '../../assets/table.ts'
import type { ModelRow } from '../../models/table.ts'
import type { PersonRow } from '../../persons/table.ts'
import type { TagRow } from '../../tags/table.ts'
import type { PublicationRow, StoredItems, StoredValue } from '../table.ts'
import { shownFields } from './collect.ts'
import type { ReferenceKind } from './names.ts'
import { isFilled } from './text.ts'
import { fieldTypes } from './types.ts'

/** What values lead to, as far as it exists and may be seen. */
export type References = {
  Publication: ReadonlyMap<string, PublicationRow>
  Asset: ReadonlyMap<string, AssetRow>
  Person: ReadonlyMap<string, PersonRow>
  Tag: ReadonlyMap<string, TagRow>
}

type Reader = { environment_id: string; token?: Pick<Token, 'visibility'> }

/** One query per kind that occurs. */
export const loadReferences = async (
  db: Db | Tx,
  actor: Reader,
  references: { kind: ReferenceKind; id: string }[],
): Promise<References> => {
  const load = async <R extends { id: string }>(kind: ReferenceKind, table: string, only = sql`true`) => {
    const ids = [
      ...new Set(references.flatMap((reference) => (reference.kind === kind ? [reference.id] : []))),
    ]
    if (ids.length === 0) return new Map<string, R>()
    const { rows } = await sql<R>`select * from ${sql.table(table)}
      where environment_id = ${actor.environment_id} and id = any(${ids}::text[]) and ${only}`.execute(db)
    return new Map(rows.map((row) => [row.id, row]))
  }
  const [publications, assets, persons, tags] = await Promise.all([
    load<PublicationRow>('Publication', 'publications'),
    load<AssetRow>('Asset', 'assets', isThere),
    load<PersonRow>('Person', 'persons'),
    load<TagRow>('Tag', 'tags'),
  ])
  if (references.some(({ kind }) => kind === 'Person')) restOn(actor, 'audience')
  if (actor.token?.visibility === 'published')
    for (const [id, row] of publications) if (!isPublished(row)) publications.delete(id)
  return { Publication: publications, Asset: assets, Person: persons, Tag: tags }
}

const isPublished = ({ locales, state }: PublicationRow): boolean =>
  locales.some((locale) => state[locale]?.published)

/** The values of one locale as they are shown. `fallback` gives those that are not filled. */
export const presentItems = (
  items: StoredItems,
  model: ModelRow | null,
  references: References,
  { fallback }: { fallback?: StoredItems } = {},
): Record<string, object> =>
  Object.fromEntries(
    shownFields(model, fallback ? filledFrom(items, fallback) : items).map(([api_id, value]) => [
      api_id,
      presentValue(value, references),
    ]),
  )

const filledFrom = (items: StoredItems, fallback: StoredItems): StoredItems => ({
  ...items,
  ...Object.fromEntries(
    Object.entries(fallback).filter(([api_id]) => {
      const own = Object.hasOwn(items, api_id) ? items[api_id] : undefined
      return !own || !isFilled(own)
    }),
  ),
})

const presentValue = (value: StoredValue, references: References): object => {
  const { id, created_on, changed_on, label, ...properties } = value
  const { kind } = fieldTypes[label]
  const shown = { id, created_on, changed_on, label, ...properties }
  if (kind) return { ...shown, items: presentTargets(value, kind, references) }
  if (label !== 'ElementBox') return shown
  return { ...shown, items: (value.items as StoredValue[]).map((item) => presentValue(item, references)) }
}

/** Keyed by index. What does not exist any more is left out. */
const presentTargets = (value: StoredValue, kind: ReferenceKind, references: References): object => {
  const targets = (value.items as { id: string }[]).flatMap(({ id }) => {
    const row = references[kind].get(id)
    return row ? [presentTarget(kind, row)] : []
  })
  return { ...targets }
}

const presentTarget = (kind: ReferenceKind, row: PublicationRow | AssetRow | PersonRow | TagRow): object => {
  const shown = presentBase(kind, row)
  if (kind !== 'Tag') return shown
  const { body, slug } = row as TagRow
  return { ...shown, body, slug }
}
