import { isoDate, isoDateOrNull } from '../../../dates.ts'
import { presentBase } from '../../../http/schemas.ts'
import type { ArtistRow, ProviderRecord, TrackRow } from '../table.ts'
import type { MusicKind, ProviderName } from './kinds.ts'
import { providerLabels } from './schema.ts'

type Row = Omit<ArtistRow, 'musicdbartists'>

const presentRow = <L extends string>(label: L, row: Row) => {
  const { id, created_on, changed_on } = presentBase(label, row)
  return {
    id,
    created_on,
    changed_on,
    published_on: isoDate(row.published_on),
    unpublish_on: isoDateOrNull(row.unpublish_on),
    published_on_int: Math.floor(row.published_on.getTime() / 1000),
    label,
    status: row.status,
    body: row.body,
    reference_unique: row.reference_unique,
  }
}

export const presentArtist = (row: Row) => presentRow('Artist', row)
export const presentTrack = (row: Row & Pick<TrackRow, 'artist_text'>) => ({
  ...presentRow('Track', row),
  artist_text: row.artist_text,
})

export const presentMusic = (
  kind: MusicKind,
): ((row: Row & Pick<TrackRow, 'artist_text'>) => { id: string }) =>
  kind.table === 'tracks' ? presentTrack : presentArtist

export const presentProviders = (name: ProviderName, records: ProviderRecord[]) => ({
  total: records.length,
  items: records.map(({ id, created_on, changed_on, ...rest }) => ({
    id,
    created_on,
    changed_on,
    label: providerLabels[name],
    ...rest,
  })),
})
