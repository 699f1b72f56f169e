import { randomUUIDv7 } from 'node:crypto'
import type { Writer } from '../../../database/records.ts'
import { parseMoment } from '../../../database/values.ts'
import type { FieldError } from '../../../errors.ts'
import type { Music, MusicKind } from './kinds.ts'
import { replaceRecords } from './providers.ts'
import type { MusicBody, ProviderBody } from './schema.ts'

/** One of which nothing is known but that it is there. */
export const blankMusic = ({ environment_id, user_id }: Writer, now: Date): Music => ({
  environment_id,
  id: randomUUIDv7(),
  body: '',
  artist_text: '',
  status: 'draft',
  published_on: wholeSecond(now),
  unpublish_on: null,
  reference_unique: null,
  custom: [],
  cover_id: null,
  musicdbartists: [],
  musicdbtracks: [],
  streamtracks: [],
  storetracks: [],
  created_by: user_id,
  updated_by: null,
  version: 1,
  created_on: now,
  changed_on: null,
  tags: [],
  artists: [],
})

const wholeSecond = (moment: Date): Date => new Date(Math.floor(moment.getTime() / 1000) * 1000)

/** What was sent as a list, or as the object that a read shows. */
export const listed = <T>(sent: T[] | { items: T[] } | null | undefined): T[] | undefined =>
  sent === undefined ? undefined : Array.isArray(sent) ? sent : (sent?.items ?? [])

/** What was linked by name or by id, once it is looked up. */
export type Linked = { tags?: string[]; artists?: { id: string; body: string }[] }

/** A body applied to a record, as a value. */
export const applyBody = (
  kind: MusicKind,
  before: Music,
  sent: MusicBody,
  { tags, artists }: Linked,
  now: Date,
): Music => {
  const body = sent.body ?? before.body
  const lists = kind.providers.map((name) => {
    const items = listed(sent[name] as ProviderBody[] | undefined)
    return [name, items ? replaceRecords(name, before[name], items, body, now) : before[name]]
  })
  return {
    ...before,
    ...Object.fromEntries(lists),
    body,
    ...(kind.table === 'tracks' && { artist_text: sent.artist_text ?? textOf(before, artists) }),
    status: sent.status ?? before.status,
    published_on: momentOf(sent.published_on) ?? before.published_on,
    unpublish_on: sent.unpublish_on === undefined ? before.unpublish_on : momentOf(sent.unpublish_on),
    reference_unique: sent.reference_unique === undefined ? before.reference_unique : sent.reference_unique,
    custom: sent.custom === undefined ? before.custom : (sent.custom ?? []),
    cover_id: sent.cover === undefined ? before.cover_id : (coverId(sent.cover) ?? null),
    tags: tags ? [...new Set(tags)].sort() : before.tags,
    artists: artists ? [...new Set(artists.map(({ id }) => id))] : before.artists,
  }
}

/** Where nobody says how the performers are written, they are called by their names. */
const textOf = (before: Music, artists: Linked['artists']): string =>
  before.artist_text === '' && artists
    ? [...new Set(artists.map(({ body }) => body))].join(', ').slice(0, 500)
    : before.artist_text

const momentOf = (sent: string | number | null | undefined): Date | null => {
  const moment = sent === undefined || sent === null ? undefined : parseMoment(sent)
  return moment ? wholeSecond(moment.from) : null
}

export const coverId = (cover: MusicBody['cover']): string | undefined =>
  (typeof cover === 'string' ? cover : cover?.id) || undefined

/** Where a cover is to be fetched from. */
export const coverUrl = (cover: MusicBody['cover']): string | undefined => {
  if (typeof cover === 'string') return /^https?:\/\//.test(cover) ? cover : undefined
  return cover?.id ? undefined : cover?.url
}

/** What is wrong with a record as a whole. */
export const wholeFaults = ({ published_on, unpublish_on }: Music): FieldError[] =>
  unpublish_on && unpublish_on <= published_on
    ? [{ path: 'unpublish_on', message: 'must be later than published_on' }]
    : []
