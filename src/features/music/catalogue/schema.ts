import { type Static, type TProperties, Type } from 'typebox'
import {
  Body,
  base,
  Changes,
  DateTime,
  Nullable,
  NullableDateTime,
  NullableText,
  Text,
} from '../../../http/schemas.ts'
import { Choice, Moment } from '../../access/schemas.ts'
import { Embedded, embeddedLists, Ignored, Item, ListOf, lists } from '../../persons/schema-lists.ts'
import { musicStatuses } from '../table.ts'
import type { ProviderName } from './kinds.ts'

const Url = NullableText(2000, { pattern: '^https?://', examples: ['https://music.example.org/1'] })
const Day = Nullable('string', { format: 'date', examples: ['2026-05-01'] })
const Count = Nullable('integer', { minimum: 0, maximum: 2_147_483_647 })
const Isrc = Nullable('string', {
  pattern: '^[A-Za-z]{2}-?[A-Za-z0-9]{3}-?[0-9]{2}-?[0-9]{5}$',
  examples: ['NLA122600001'],
})

/** What each provider tells, besides `body`. */
export const providerFields: Record<ProviderName, TProperties> = {
  musicdbartists: {
    gender: NullableText(50),
    url: Url,
    summary: NullableText(5000),
    biography: NullableText(100_000),
  },
  musicdbtracks: { duration: Count },
  streamtracks: {
    release_date: Day,
    duration: Count,
    explicit: Nullable('boolean'),
    popularity: Count,
    isrc: Isrc,
    url: Url,
    cover_url: Url,
    preview_url: Url,
  },
  storetracks: { release_date: Day, url: Url, cover_url: Url, preview_url: Url },
}

export const providerLabels: Record<ProviderName, string> = {
  musicdbartists: 'MusicDbArtist',
  musicdbtracks: 'MusicDbTrack',
  streamtracks: 'StreamTrack',
  storetracks: 'StoreTrack',
}

export type ProviderBody = { id?: string; body?: string } & Record<string, string | number | boolean | null>

const providerList = (name: ProviderName) =>
  ListOf<ProviderBody>(
    Item({ id: Text(200), body: Text(500), ...providerFields[name] }, []),
    'Records of a provider, by its own ids where it has some; without `body` they have that of the record',
  )

/** A record as braces and lists of others show it may be sent back: only what names it is looked at. */
const shown = Object.fromEntries(
  ['status', 'published_on', 'unpublish_on', 'published_on_int', 'artist_text'].map((name) => [
    name,
    Ignored,
  ]),
)
type Named = { id?: string; reference_unique?: string | null; body?: string }

const artists = ListOf<string | Named>(
  Item(
    {
      id: Type.String({ maxLength: 200 }),
      reference_unique: NullableText(200),
      body: Text(500),
      ...shown,
      ...Object.fromEntries(
        ['custom', 'tracks', 'musicdbartists', 'cover', 'tags'].map((name) => [name, Ignored]),
      ),
    },
    [],
    { maxLength: 500 },
  ),
  'By `id`, by `reference_unique`, or by name, which is made where there is none',
)

const CoverBody = Type.Unsafe<string | { id?: string; url?: string } | null>({
  type: ['string', 'object', 'null'],
  maxLength: 2000,
  properties: {
    id: { type: 'string', maxLength: 200 },
    url: { type: 'string', maxLength: 2000, pattern: '^https?://' },
  },
  description: 'The id of an asset, an object with it, or one with the `url` of a picture to be fetched',
})

export const Status = Choice(musicStatuses, { description: 'draft unless sent', examples: ['published'] })
const When = Type.Unsafe<string | number>({ ...Moment(), type: ['string', 'integer'] })

const fields = {
  body: Text(500, { description: 'The name', examples: ['The Night Ferries'] }),
  status: Status,
  published_on: When,
  unpublish_on: Moment({ description: 'When it becomes unpublished by itself' }),
  reference_unique: NullableText(200, {
    pattern: '\\S',
    description: 'Your own id of it; no other may have it',
  }),
  custom: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    maxItems: 200,
    items: { type: 'string', maxLength: 2000 },
  }),
  cover: CoverBody,
  tags: lists.tags,
}
const artistFields = { ...fields, musicdbartists: providerList('musicdbartists') }
const trackFields = {
  ...fields,
  artist_text: Type.String({ maxLength: 500, description: 'The names of the artists unless sent' }),
  artists,
  musicdbtracks: providerList('musicdbtracks'),
  streamtracks: providerList('streamtracks'),
  storetracks: providerList('storetracks'),
}

const { body } = fields
export const ArtistChanges = Changes(artistFields, ['published_on_int', 'tracks'])
export const ArtistBody = Body({ ...ArtistChanges.properties, body }, ['published_on_int', 'tracks'])
export const TrackChanges = Changes(trackFields, ['published_on_int'])
export const TrackBody = Body({ ...TrackChanges.properties, body }, ['published_on_int'])
export type MusicBody = Partial<Static<typeof ArtistBody> & Static<typeof TrackBody>>

/** A row of a file may also name by its id what is there. */
const Id = { id: Type.Optional(Text(200, { description: 'Of one that is there' })) }
export const ArtistImportBody = Body({ ...Id, ...ArtistChanges.properties }, ['published_on_int', 'tracks'])
export const TrackImportBody = Body({ ...Id, ...TrackChanges.properties }, ['published_on_int'])

const { id, created_on, changed_on } = base('Artist')
const record = (label: string) => ({
  id,
  created_on,
  changed_on,
  published_on: DateTime(),
  unpublish_on: NullableDateTime(),
  published_on_int: Type.Integer({ description: 'Epoch seconds' }),
  label: Type.Literal(label),
  status: Choice(musicStatuses),
  body: Type.String(),
  reference_unique: Nullable('string'),
})
export const Artist = Type.Object(record('Artist'), { title: 'Artist' })
export const Track = Type.Object({ ...record('Track'), artist_text: Type.String() }, { title: 'Track' })

export const providerSchema = (name: ProviderName) =>
  Embedded(providerLabels[name], { body: Type.String(), ...providerFields[name] })

/** Others that a record shows; braces may leave any of it out. */
export const manyOf = (label: string) =>
  Type.Unsafe<object>({
    type: 'object',
    properties: {
      total: Type.Integer(),
      items: {
        type: 'array',
        items: { type: 'object', properties: { ...record(label) }, additionalProperties: true },
      },
    },
  })
export const { tags: Tags } = embeddedLists
