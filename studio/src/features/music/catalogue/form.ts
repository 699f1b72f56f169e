import {
  type Kind,
  type Music,
  type ProviderName,
  type ProviderRecord,
  providerFields,
  providersOf,
  type Status,
} from './record.ts'

export type Form = {
  body: string
  artist_text: string
  artists: string[]
  status: Status
  published_on: string | null
  unpublish_on: string | null
  reference_unique: string
  tags: string[]
  custom: string[]
  providers: Partial<Record<ProviderName, ProviderRecord[]>>
}

const bodies = (many: { items?: { body: string }[] } | undefined): string[] =>
  many?.items?.map(({ body }) => body) ?? []

/** Only what can be sent back. */
const known = (name: ProviderName, record: ProviderRecord): ProviderRecord => {
  const names = ['id', 'body', ...Object.keys(providerFields[name])]
  return Object.fromEntries(names.map((one) => [one, record[one] ?? null])) as ProviderRecord
}

export const emptyForm = (kind: Kind): Form => ({
  body: '',
  artist_text: '',
  artists: [],
  status: 'draft',
  published_on: null,
  unpublish_on: null,
  reference_unique: '',
  tags: [],
  custom: [],
  providers: Object.fromEntries(providersOf[kind].map((name) => [name, []])),
})

export const formOf = (kind: Kind, music: Music): Form => ({
  body: music.body,
  artist_text: music.artist_text ?? '',
  artists: bodies(music.artists),
  status: music.status,
  published_on: music.published_on,
  unpublish_on: music.unpublish_on,
  reference_unique: music.reference_unique ?? '',
  tags: bodies(music.tags),
  custom: music.custom ?? [],
  providers: Object.fromEntries(
    providersOf[kind].map((name) => [name, (music[name]?.items ?? []).map((one) => known(name, one))]),
  ),
})

/** What is not said is left to the provider’s record to have none of; without an id it is given one. */
const providerBody = ({ id, body, ...rest }: ProviderRecord) => ({
  ...(id && { id }),
  ...(body && { body }),
  ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value === '' ? null : value])),
})

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Artists are sent back by their ids where they are known, so that two of one name stay two. */
const artistsBody = (names: string[], music: Music | undefined) =>
  names.map((name) => {
    const found = music?.artists?.items?.find(({ body }) => body === name)
    return found ? { id: found.id } : name
  })

/** What differs, as a write takes it. */
export const bodyOf = (kind: Kind, form: Form, before: Form, music: Music | undefined): object => {
  const differs = (name: keyof Form) => !isSame(form[name], before[name])
  return {
    ...((differs('body') || !music) && { body: form.body.trim() }),
    ...(differs('status') && { status: form.status }),
    ...(differs('published_on') && form.published_on && { published_on: form.published_on }),
    ...(differs('unpublish_on') && { unpublish_on: form.unpublish_on }),
    ...(differs('reference_unique') && { reference_unique: form.reference_unique.trim() || null }),
    ...(differs('tags') && { tags: form.tags.map((body) => ({ body })) }),
    ...(differs('custom') && { custom: form.custom }),
    ...(kind === 'tracks' && differs('artists') && { artists: artistsBody(form.artists, music) }),
    ...(kind === 'tracks' && differs('artist_text') && { artist_text: form.artist_text.trim() }),
    ...Object.fromEntries(
      Object.entries(form.providers)
        .filter(([name, records]) => !isSame(records, before.providers[name as ProviderName]))
        .map(([name, records]) => [name, records.map(providerBody)]),
    ),
  }
}
