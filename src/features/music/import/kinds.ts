import { artistKind, trackKind } from '../catalogue/kinds.ts'
import { applyMusic } from './apply.ts'
import { applyTimelines } from './timelines.ts'

export const artistImport = { apply: applyMusic(artistKind), tables: ['artists', 'artist_tags'] }
export const trackImport = {
  apply: applyMusic(trackKind),
  tables: ['tracks', 'artists', 'artist_tracks', 'track_tags', 'track_isrcs'],
}
export const timelineImport = { apply: applyTimelines, tables: ['timelines'] }
