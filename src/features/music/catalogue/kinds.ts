import type { ArtistRow, TrackRow } from '../table.ts'

/** An artist or a track as it is written: the row with what is linked to it. */
export type Music = Omit<ArtistRow & TrackRow, 'search'> & {
  /** Sorted ids. */
  tags: string[]
  /** Of a track: the ids of its artists, in their order. */
  artists: string[]
}

export type ProviderName = 'musicdbartists' | 'musicdbtracks' | 'streamtracks' | 'storetracks'

/** What tells artists from tracks, as data. */
export type MusicKind = {
  table: 'artists' | 'tracks'
  label: 'Artist' | 'Track'
  event: 'artist' | 'track'
  /** What other tables call it. */
  key: 'artist_id' | 'track_id'
  tags: 'artist_tags' | 'track_tags'
  references: 'artist_references' | 'track_references'
  providers: readonly ProviderName[]
  /** The columns of its own row. */
  columns: readonly string[]
}

const columns = [
  'environment_id',
  'id',
  'body',
  'status',
  'published_on',
  'unpublish_on',
  'reference_unique',
  'custom',
  'cover_id',
  'created_by',
  'updated_by',
  'version',
  'created_on',
  'changed_on',
]

export const artistKind: MusicKind = {
  table: 'artists',
  label: 'Artist',
  event: 'artist',
  key: 'artist_id',
  tags: 'artist_tags',
  references: 'artist_references',
  providers: ['musicdbartists'],
  columns: [...columns, 'musicdbartists'],
}

export const trackKind: MusicKind = {
  table: 'tracks',
  label: 'Track',
  event: 'track',
  key: 'track_id',
  tags: 'track_tags',
  references: 'track_references',
  providers: ['musicdbtracks', 'streamtracks', 'storetracks'],
  columns: [...columns, 'artist_text', 'musicdbtracks', 'streamtracks', 'storetracks'],
}

export const isrcsOf = ({ streamtracks }: Music): string[] => [
  ...new Set(streamtracks.flatMap(({ isrc }) => (isrc ? [bareIsrc(String(isrc))] : []))),
]

/** As it is compared: without hyphens, in capitals. */
export const bareIsrc = (isrc: string): string => isrc.replace(/[^a-z0-9]/gi, '').toUpperCase()
