import type { StoredItems } from './table.ts'

/** One locale of a publication as filters see it. Dates are epoch milliseconds. */
type LocaleSnapshot = {
  slug: string
  publish_on: number | null
  expire_on: number | null
  facets: ReadonlySet<string>
  /** Lexemes of all texts and of the title alone, each between spaces. */
  words: string
  titleWords: string
  /** Own fields and those that are stored once. */
  items: StoredItems
}

/** A publication as filters see it: what remembered totals and webhooks match without asking the database. */
export type Snapshot = {
  id: string
  model_id: string | null
  created_on: number
  changed_on: number | null
  facets: ReadonlySet<string>
  locales: Record<string, LocaleSnapshot>
}
