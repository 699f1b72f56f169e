import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { Selection } from '../../../http/fields.ts'
import { presentBase } from '../../../http/schemas.ts'
import type { Actor } from '../../access/authenticate.ts'
import { referencesOf } from '../fields/collect.ts'
import { loadReferences, presentItems, type References } from '../fields/present.ts'
import { isFilled } from '../fields/text.ts'
import { expandOther } from '../present/references.ts'
import type { View } from '../present/view.ts'
import type { ShownRow, StoredItems } from '../table.ts'
import { type FlatName, flatNames, flatOf } from './flat.ts'

type Loaded = { items: Map<string, StoredItems>; references: References }

/** The content of the locale that version 5 shows, for each of a page. */
export const loadMain = async (db: Db, actor: Actor, rows: ShownRow[]): Promise<Loaded> => {
  const { rows: found } = await sql<{ id: string; items: StoredItems }>`select id, items
    from publication_locales where environment_id = ${actor.environment_id} and main
      and id = any(${rows.map(({ id }) => id)}::text[])`.execute(db)
  const own = new Map(found.map(({ id, items }) => [id, items]))
  const items = new Map(rows.map((row) => [row.id, { ...row.items, ...own.get(row.id) }]))
  const references = await loadReferences(db, actor, [...items.values()].flatMap(referencesOf))
  return { items, references }
}

const modelOf = ({ structure }: View, { model_id }: ShownRow) => structure.models.get(model_id ?? '') ?? null

/** All fields, as the other generation shows them. */
export const itemsIn = ({ items, references }: Loaded, view: View, row: ShownRow) =>
  presentItems(items.get(row.id)!, modelOf(view, row), references)

/** One of the flat fields, or null. */
export const flatIn = (
  loaded: Loaded,
  view: View,
  actor: Actor,
  row: ShownRow,
  name: FlatName,
  inner: Selection = new Map(),
): unknown => {
  const stored = loaded.items.get(row.id)![name]
  const shown = itemsIn(loaded, view, row)[name] as Parameters<typeof flatOf>[0] | undefined
  if (!stored || !shown || !isFilled(stored)) return null
  const flat = flatOf(shown)
  return shown.label === 'Asset' ? withAssets(loaded, view, actor, flat as { id: string }[], inner) : flat
}

const usual: Selection = new Map(['name', 'body', 'author', 'reference_id'].map((name) => [name, new Map()]))

/** Assets by the label they have in version 5, with what the braces ask for. */
const withAssets = (
  { references }: Loaded,
  view: View,
  actor: Actor,
  assets: { id: string }[],
  inner: Selection,
): object[] => {
  const targets = assets.map(({ id }) => ({ kind: 'Asset' as const, id }))
  const asked = inner.size > 0 ? inner : usual
  const bodies = new Map(expandOther(actor, view.signing, references, targets, asked))
  return assets.map(({ id }) => {
    const row = references.Asset.get(id)!
    return { ...presentBase(row.label, row), ...bodies.get(id) }
  })
}

/** Every flat field that is filled. */
export const loadFlat = async (db: Db, actor: Actor, rows: ShownRow[], view: View) => {
  const loaded = await loadMain(db, actor, rows)
  return (row: ShownRow): object =>
    Object.fromEntries(
      flatNames
        .map((name) => [name, flatIn(loaded, view, actor, row, name)] as const)
        .filter(([, value]) => value !== null),
    )
}
