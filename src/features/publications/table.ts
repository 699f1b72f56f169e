import type { Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'
import type { FieldLabel } from '../models/table.ts'

/** One value of a field, as it is stored and, references aside, as it is shown. */
export type StoredValue = {
  label: FieldLabel
  id: string
  created_on: string
  changed_on: string | null
  [property: string]: unknown
}
/** api_id → value. */
export type StoredItems = Record<string, StoredValue>

/** What a locale shows without its content. Dates are ISO 8601 in UTC. */
export type LocaleState = {
  slug: string | null
  title: string | null
  status_id: string
  publish_on: string | null
  expire_on: string | null
  assigned_to: string | null
  /** Raised by every write that touches the locale. */
  version: number
  /** Whether readers see it: kept true by writes and by the clock. */
  published: boolean
  /** Whether it is Done and its time is over; kept likewise. */
  expired: boolean
  /** Whether it is the one that version 5 shows: the environment's default, or the first that is linked. */
  main: boolean
}

export type PublicationTable = RecordColumns & {
  label: string
  model_id: string | null
  /** Linked ones. `state` may hold more: what was set for a locale before any field of it was filled. */
  locales: string[]
  state: Json<Record<string, LocaleState>>
  /** Fields that are stored once. */
  items: Json<StoredItems>
  channel_ids: string[]
  container_ids: string[]
  facets: string[]
  publish_on: Date | null
  next_change: Date | null
}

export type PublicationLocaleTable = {
  environment_id: string
  id: string
  locale: string
  slug_scope: string
  slug: string
  title: string | null
  status_id: string
  publish_on: Date | null
  expire_on: Date | null
  facets: string[]
  title_search: string
  search: string
  items: Json<StoredItems>
  main: boolean
}

export type PublicationValueTable = {
  environment_id: string
  model_id: string
  api_id: string
  locale: string
  id: string
  position: number
  number: number | null
  number_2: number | null
  text: string | null
}

export type PublicationVersionTable = {
  environment_id: string
  publication_id: string
  version: number
  event: 'created' | 'changed' | 'deleted' | 'restored'
  label: string
  model_id: string | null
  channel_ids: string[]
  container_ids: string[]
  /** Linked ones. */
  locales: string[]
  state: Json<Record<string, LocaleState>>
  /** Locale → content, of what this version changed; "" for fields that are stored once. */
  items: Json<Record<string, StoredItems | null>>
  /** The names in `items`. */
  contents: string[]
  bulk_operation_id: string | null
  created_by: string | null
  created_on: Date
}

export type DeletedPublicationTable = {
  environment_id: string
  id: string
  title: string | null
  version: number
  created_by: string | null
  created_on: Date
  deleted_on: Date
  deleted_by: string | null
}

export type PublicationDraftTable = Omit<RecordColumns, 'id'> & {
  publication_id: string
  locale: string
  changes: Json<Record<string, unknown>>
}

export type BulkOperationTable = RecordColumns & {
  kind: 'put' | 'delete' | 'undo' | 'webhooks'
  status: 'pending' | 'running' | 'done' | 'cancelled' | 'failed'
  filter: Json<Record<string, unknown>>
  body: Json<unknown>
  performed_by: Json<unknown>
  undoes: string | null
  matched: number
  processed: number
  failed: number
  position: string | null
  reason: string | null
}

export type PublicationRow = Selectable<PublicationTable>

/** What rows are found by is long, and nothing that is shown. */
export type ShownRow = Omit<PublicationRow, 'facets' | 'next_change'>
export const shownColumns = [
  'environment_id',
  'id',
  'label',
  'model_id',
  'locales',
  'state',
  'items',
  'channel_ids',
  'container_ids',
  'publish_on',
  'created_by',
  'updated_by',
  'version',
  'created_on',
  'changed_on',
] satisfies (keyof ShownRow)[]

/** One locale of a publication, with its content. */
export type Localized = LocaleState & { items: StoredItems; linked: boolean }

/** A whole publication, as commands work on it: what is read under a lock, changed as a value, and saved. */
export type Publication = {
  id: string
  label: string
  model_id: string | null
  channel_ids: string[]
  container_ids: string[]
  /** Fields that are stored once. */
  shared: StoredItems
  locales: Record<string, Localized>
  version: number
  created_on: Date
  changed_on: Date | null
  created_by: string | null
  updated_by: string | null
}
