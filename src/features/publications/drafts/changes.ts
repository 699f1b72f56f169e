import { copyOf } from '../commands/apply.ts'
import { newLocale } from '../commands/apply-locales.ts'
import { itemsOf } from '../compare.ts'
import { keyOf } from '../fields/stamp.ts'
import { isFilled, textOf } from '../fields/text.ts'
import type { Structure } from '../structure.ts'
import type { Localized, Publication, StoredItems, StoredValue } from '../table.ts'
import type { DraftRow, Entries } from './store.ts'

const ofRecord = ['model_id', 'channel_ids', 'container_ids'] as const
const ofLocale = ['slug', 'status_id', 'publish_on', 'expire_on', 'assigned_to', 'linked'] as const
export const ofItems = 'items.'

/** The publication as its draft would have it. Values are put in as they were read, whatever the model says now. */
export const withDraft = (
  publication: Publication,
  rows: Pick<DraftRow, 'locale' | 'changes'>[],
  structure: Structure,
): Publication => {
  const after = copyOf(publication)
  for (const { locale, changes } of rows) {
    if (locale === '') apply(after, after.shared, changes)
    else {
      after.locales[locale] ??= newLocale(structure)
      const state = after.locales[locale]
      apply(state, state.items, changes)
      state.linked ||=
        !changes.linked &&
        Object.keys(changes).some((name) => changes[name]!.value !== null && name.startsWith(ofItems))
    }
  }
  const model = structure.models.get(after.model_id ?? '') ?? null
  for (const state of Object.values(after.locales)) {
    const items = itemsOf(after, state)
    state.linked &&= Object.values(items).some(isFilled)
    state.title = state.linked ? textOf(model, items).title : null
  }
  return after
}

const apply = (target: object, items: StoredItems, changes: Entries): void => {
  for (const [name, { value }] of Object.entries(changes)) {
    if (!name.startsWith(ofItems)) Object.assign(target, { [name]: value })
    else putItem(items, name.slice(ofItems.length), value as StoredValue | null)
  }
}

/** What a direct write has meanwhile made of a field may be what the draft says. */
const putItem = (items: StoredItems, api_id: string, value: StoredValue | null): void => {
  if (value === null) delete items[api_id]
  else if (!saysSame(items[api_id], value)) items[api_id] = value
}

const saysSame = (one: StoredValue | undefined, other: StoredValue | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && keyOf(one) === keyOf(other))

type Values = Record<string, unknown>

/** Locale → what of it differs between what readers see and what is wanted; "" for what belongs to no locale. */
export const valuesOf = (
  publication: Publication,
  wanted: Publication,
  structure: Structure,
): Record<string, Values> => ({
  '': differing(publication, wanted, ofRecord, publication.shared, wanted.shared),
  ...Object.fromEntries(
    Object.entries(wanted.locales).map(([locale, state]) => {
      const before: Localized = publication.locales[locale] ?? newLocale(structure)
      return [locale, differing(before, state, ofLocale, before.items, state.items)]
    }),
  ),
})

const differing = <T extends object>(
  before: T,
  wanted: T,
  names: readonly (keyof T & string)[],
  itemsBefore: StoredItems,
  items: StoredItems,
): Values => {
  const changed = names.filter((name) => !isEqual(before[name], wanted[name]))
  const fields = Object.keys({ ...itemsBefore, ...items }).filter(
    (api_id) => !saysSame(itemsBefore[api_id], items[api_id]),
  )
  return Object.fromEntries([
    ...changed.map((name) => [name, wanted[name]]),
    ...fields.map((api_id) => [ofItems + api_id, items[api_id] ?? null]),
  ])
}

export const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
