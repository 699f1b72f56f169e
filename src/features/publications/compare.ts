import type { Localized, Publication, StoredItems } from './table.ts'

/** A locale's own fields and those that are stored once. */
export const itemsOf = ({ shared }: Publication, { items }: Localized): StoredItems => ({
  ...shared,
  ...items,
})

/** Whether a write changes anything that the locale shows. */
export const isTouched = (after: Publication, before: Publication, locale: string): boolean =>
  isChangedLocale(after, before, locale) || !sameItems(after.shared, before.shared)

export const isChangedLocale = (after: Publication, before: Publication, locale: string): boolean => {
  const [now, then] = [after.locales[locale], before.locales[locale]]
  if (!now || !then) return now !== then
  return !sameItems(now.items, then.items) || stateNames.some((name) => now[name] !== then[name])
}

const stateNames = [
  'slug',
  'title',
  'status_id',
  'publish_on',
  'expire_on',
  'assigned_to',
  'published',
  'expired',
  'linked',
] as const

export const sameItems = (one: StoredItems, other: StoredItems): boolean => {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((api_id) => one[api_id] === other[api_id])
}
