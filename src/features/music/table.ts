import type { Generated, Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'

export const musicStatuses = ['published', 'pending', 'approval', 'draft', 'unpublished'] as const
type MusicStatus = (typeof musicStatuses)[number]

/** What a provider knows of an artist or a track. */
export type ProviderRecord = {
  id: string
  created_on: string
  changed_on: string | null
  body: string
} & Record<string, string | number | boolean | null>

type MusicColumns = RecordColumns & {
  body: string
  status: MusicStatus
  published_on: Date
  unpublish_on: Date | null
  reference_unique: string | null
  custom: string[]
  cover_id: string | null
}

export type ArtistTable = MusicColumns & { musicdbartists: Json<ProviderRecord[]> }

export type TrackTable = MusicColumns & {
  artist_text: string
  musicdbtracks: Json<ProviderRecord[]>
  streamtracks: Json<ProviderRecord[]>
  storetracks: Json<ProviderRecord[]>
  /** Title and performer, for search. */
  search: Generated<string>
}

export type TimelineTable = RecordColumns & {
  body: string
  channel_id: string | null
  track_id: string | null
  published_on: Date
  unpublish_on: Date
}

export type ArtistRow = Selectable<ArtistTable>
export type TrackRow = Selectable<TrackTable>
export type TimelineRow = Selectable<TimelineTable>
