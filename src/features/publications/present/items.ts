import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '../../../database/connect.ts'
import type { FieldError } from '../../../errors.ts'
import { type Expansion, type Expansions, present } from '../../../http/expand.ts'
import { pick, type Selection } from '../../../http/fields.ts'
import type { Actor } from '../../access/authenticate.ts'
import { referencesOf } from '../fields/collect.ts'
import { loadReferences, presentItems, type References } from '../fields/present.ts'
import { ShownValue } from '../fields/schema.ts'
import { Publication } from '../schema.ts'
import type { ShownRow, StoredItems } from '../table.ts'
import { presentPublication } from './present.ts'
import { expandOther, otherNames } from './references.ts'
import { type Content, shownLocales, type View } from './view.ts'

type MakeExpansions = (view: View) => Expansions<ShownRow>

const Items = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: true,
    'x-documented': { type: 'object', additionalProperties: ShownValue },
  },
  description: 'Locale → api_id → value, by the field types of the model',
})

/** The content: locale → api_id → value. Braces choose fields, and inside of a reference what its targets show. */
export const itemsExpansion = (view: View, expansions: MakeExpansions): Expansion<ShownRow> => ({
  schema: Items,
  selects: true,
  inner: (selection) => strangers(selection, Object.keys(expansions(view))),
  load: async (db, actor, rows, inner) => {
    const contents = await loadContents(db, actor, rows, view, inner)
    const references = await loadReferences(db, actor, [...contents.values()].flatMap(referencesOf))
    const extra = await expandTargets(db, actor, view, references, contents, inner, expansions)
    return (row) => showContents(row, view, contents, references, extra)
  },
})

/** Inside of a reference stand names of whatever kind of record it leads to. */
const strangers = (selection: Selection, expansions: string[]): FieldError[] => {
  const known = new Set([...expansions, ...Object.keys(Publication.properties), ...otherNames])
  return [...selection].flatMap(([api_id, deeper]) =>
    [...deeper.keys()]
      .filter((name) => !known.has(name))
      .map((name) => ({
        path: 'fields',
        message: `"${name}" is not a field of what ${api_id} can refer to`,
      })),
  )
}

type Contents = Map<string, StoredItems>
const keyOf = (id: string, locale: string): string => `${id} ${locale}`

/** Own fields with those stored once, of every locale that is shown and, where it helps out, of the default one. */
const loadContents = async (
  db: Db,
  { environment_id }: Actor,
  rows: ShownRow[],
  view: View,
  inner: Selection,
): Promise<Contents> => {
  const wanted = new Map(
    rows.map((row) => [row.id, new Set([...shownLocales(row, view), ...helper(row, view)])]),
  )
  const locales = [...new Set([...wanted.values()].flatMap((set) => [...set]))]
  const stored = () =>
    sql<Content>`
    select id, locale, items from publication_locales where environment_id = ${environment_id}
      and id = any(${[...wanted.keys()]}::text[]) and locale = any(${locales}::text[])`.execute(db)
  const found = view.contents ?? (await stored()).rows
  const shared = new Map(rows.map((row) => [row.id, row.items]))
  return new Map(
    found
      .filter(({ id, locale }) => wanted.get(id)!.has(locale))
      .map(({ id, locale, items }) => [keyOf(id, locale), chosen({ ...shared.get(id), ...items }, inner)]),
  )
}

/** The default locale stands in only where the reader may see it. */
const helper = (row: ShownRow, view: View): string[] =>
  view.fallback ? shownLocales(row, { ...view, locale: view.defaultLocale }) : []

const chosen = (items: StoredItems, inner: Selection): StoredItems =>
  inner.size === 0 ? items : Object.fromEntries(Object.entries(items).filter(([api_id]) => inner.has(api_id)))

/** api_id → id of a target → what its braces ask for. */
type Extra = Map<string, Map<string, object>>

const expandTargets = async (
  db: Db,
  actor: Actor,
  view: View,
  references: References,
  contents: Contents,
  inner: Selection,
  expansions: MakeExpansions,
): Promise<Extra> => {
  const fields = [...inner].filter(([, deeper]) => deeper.size > 0)
  const all = [...contents.values()]
  const ofTargets = { ...view, fallback: false, contents: undefined }
  const expanded = await Promise.all(
    fields.map(async ([api_id, deeper]) => {
      const targets = all.flatMap((items) => (items[api_id] ? referencesOf({ [api_id]: items[api_id] }) : []))
      const rows = [...new Set(targets.map(({ id }) => id))].flatMap(
        (id) => references.Publication.get(id) ?? [],
      )
      const bodies = await present(
        db,
        actor,
        rows,
        (row) => pick(presentPublication(row, ofTargets), deeper)!,
        expansions(ofTargets),
        deeper,
      )
      const publications = rows.map((row, index): [string, object] => [row.id, bodies[index]!])
      return [
        api_id,
        new Map([...publications, ...expandOther(actor, view.signing, references, targets, deeper)]),
      ] as const
    }),
  )
  return new Map(expanded)
}

const showContents = (
  row: ShownRow,
  view: View,
  contents: Contents,
  references: References,
  extra: Extra,
): object => {
  const model = view.structure.models.get(row.model_id ?? '') ?? null
  const standIn = view.fallback ? contents.get(keyOf(row.id, view.defaultLocale)) : undefined
  const shown = shownLocales(row, view).map((locale) => {
    const items = contents.get(keyOf(row.id, locale)) ?? {}
    const options = standIn ? { fallback: standIn } : {}
    return [locale, withExtra(presentItems(items, model, references, options), extra)]
  })
  return Object.fromEntries(shown)
}

type Shown = { items?: Record<string, { id: string }> }

const withExtra = (items: Record<string, Shown>, extra: Extra): object => {
  for (const [api_id, bodies] of extra) {
    const targets = items[api_id]?.items
    if (!targets) continue
    for (const [index, target] of Object.entries(targets))
      targets[index] = { ...target, ...bodies.get(target.id) }
  }
  return items
}
