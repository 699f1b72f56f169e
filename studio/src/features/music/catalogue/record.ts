import type { Marquee, V5 } from 'marquee-sdk'
import type { Meaning } from '../../../components/StatusMark.tsx'

export type Kind = 'tracks' | 'artists'
export type Status = V5.Track['status']
type Many<T> = { total?: number; items?: T[] }
export type ProviderName = 'musicdbartists' | 'musicdbtracks' | 'streamtracks' | 'storetracks'
export type ProviderRecord = { id: string } & Record<string, string | number | boolean | null>

/** An artist or a track, with what was asked for. */
export type Music = Omit<V5.Artist, 'label'> & {
  artist_text?: string
  artists?: Many<{ id: string; body: string }>
  tracks?: Many<{ id: string; body: string }>
  tags?: Many<{ body: string }>
  custom?: string[] | null
  cover?: Marquee.Asset | null
} & Partial<Record<ProviderName, Many<ProviderRecord>>>

const coverFields = 'cover{id,label,name,status,focal_point,cdn_files,details}'
export const rowFields: Record<Kind, string> = {
  tracks: `${coverFields},streamtracks`,
  artists: `${coverFields},tracks{total}`,
}
export const allFields: Record<Kind, string> = {
  tracks: `custom,tags,artists,musicdbtracks,streamtracks,storetracks,${coverFields}`,
  artists: `custom,tags,musicdbartists,tracks{total},${coverFields}`,
}

export const providersOf: Record<Kind, ProviderName[]> = {
  tracks: ['streamtracks', 'storetracks', 'musicdbtracks'],
  artists: ['musicdbartists'],
}

/** How each is typed; `id` and `body` are texts of every provider. */
export const providerFields: Record<
  ProviderName,
  Record<string, 'text' | 'long' | 'number' | 'date' | 'boolean'>
> = {
  musicdbartists: { gender: 'text', url: 'text', summary: 'long', biography: 'long' },
  musicdbtracks: { duration: 'number' },
  streamtracks: {
    isrc: 'text',
    duration: 'number',
    release_date: 'date',
    popularity: 'number',
    explicit: 'boolean',
    url: 'text',
    preview_url: 'text',
    cover_url: 'text',
  },
  storetracks: { release_date: 'date', url: 'text', preview_url: 'text', cover_url: 'text' },
}

export const meanings: Record<Status, Meaning> = {
  published: 'done',
  pending: 'waiting',
  approval: 'waiting',
  draft: 'none',
  unpublished: 'gone',
}

export const isrcOf = ({ streamtracks }: Music): string =>
  streamtracks?.items
    ?.map(({ isrc }) => isrc)
    .find(Boolean)
    ?.toString() ?? ''
