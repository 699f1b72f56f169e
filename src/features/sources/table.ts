import type { Generated, Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'
import type { SourceLabel } from './labels.ts'

export type SourceTable = RecordColumns & {
  label: SourceLabel
  /** What is followed, in one spelling. */
  target: string
  url: string | null
  name: string
  shortname: string | null
  favorite: boolean
  active: boolean
  origin: string | null
  tag: string | null
  fixed_interval: number | null
  username: string | null
  /** Encrypted. */
  password: string | null
  account_id: string | null
  screen_name: string | null
  picture: string | null
  body: string | null
}

/** What changes with every poll. */
export type SourcePollTable = {
  environment_id: string
  id: string
  host: string
  next_fetch_on: Date | null
  interval: number
  frequency: Generated<number>
  failed: Generated<number>
  error: string | null
  fetched_on: Date | null
  last_import: Date | null
  address: string | null
  etag: string | null
  last_modified: string | null
  content_hash: Buffer | null
  cursor: string | null
  seen: Buffer | null
  generation: Generated<number>
}

export type SourceItemTable = {
  environment_id: string
  id: string
  source_id: string
  key: Buffer
  title: string | null
  body: string | null
  url: string | null
  author: string | null
  image_url: string | null
  published_on: Date
  reference_id: string | null
  words: string
  publication_id: string | null
  asset_id: string | null
  version: Generated<number>
  created_on: Generated<Date>
}

export type SourceRow = Selectable<SourceTable>
export type SourcePollRow = Selectable<SourcePollTable>

/** A source with what its polls came to: a row of the view `source_records`. */
export type SourceRecord = SourceRow &
  Pick<
    SourcePollRow,
    'next_fetch_on' | 'interval' | 'frequency' | 'failed' | 'error' | 'fetched_on' | 'last_import'
  >

/** A row of the view `source_item_records`. */
export type SourceItemRecord = Selectable<SourceItemTable> & {
  source_label: SourceLabel
  source_name: string
  source_shortname: string | null
}
