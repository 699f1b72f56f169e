import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Publication } from './table.ts'

/** What a publication can be found by, value by value. */
export type FacetKind =
  | 'environment'
  /** Linked ones: each row of a publication has them all. */
  | 'locale'
  /** Of the row of that locale alone. */
  | 'own_locale'
  | 'model'
  | 'label'
  | 'channel'
  | 'container'
  | 'tag'
  | 'tagged'
  | 'reference'
  | 'created_by'
  | 'status'
  | 'assigned_to'
  | 'published'
  | 'expired'
  /** Of the row of the locale that version 5 shows. */
  | 'main'

const known = new LRUCache<string, string>({ max: 50_000 })

/**
 * A value as it stands in `facets`: 64 bits instead of the 40 characters of an id, which makes the rows that are
 * counted a third as long. The environment is part of the hash, so no search can cross environments.
 */
export const facet = (environmentId: string, kind: FacetKind, value = ''): string => {
  const key = `${environmentId}\n${kind}\n${value}`
  const before = known.get(key)
  if (before !== undefined) return before
  const hashed = createHash('sha256').update(key).digest().readBigInt64BE(0).toString()
  known.set(key, hashed)
  return hashed
}

type Tags = { tagIds: string[]; referenceIds: string[] }

/** What a publication is found by whatever its locales, even without any. */
export const ownFacets = (environmentId: string, publication: Publication): string[] => {
  const { label, model_id, created_by, channel_ids, container_ids } = publication
  const of = (kind: FacetKind, value?: string) => facet(environmentId, kind, value)
  return [
    of('environment'),
    of('label', label),
    ...linkedLocales(publication).map((linked) => of('locale', linked)),
    ...channel_ids.map((id) => of('channel', id)),
    ...container_ids.map((id) => of('container', id)),
    ...(model_id ? [of('model', model_id)] : []),
    ...(created_by ? [of('created_by', created_by)] : []),
  ]
}

/** The facets of one linked locale, those of the publication among them. */
export const localeFacets = (
  environmentId: string,
  publication: Publication,
  locale: string,
  { tagIds, referenceIds }: Tags,
): string[] => {
  const { status_id, assigned_to, published, expired, main } = publication.locales[locale]!
  const of = (kind: FacetKind, value?: string) => facet(environmentId, kind, value)
  const found = [
    ...ownFacets(environmentId, publication),
    of('own_locale', locale),
    of('status', status_id),
    ...tagIds.map((id) => of('tag', id)),
    ...referenceIds.map((id) => of('reference', id)),
  ]
  if (tagIds.length > 0) found.push(of('tagged'))
  if (assigned_to) found.push(of('assigned_to', assigned_to))
  if (published) found.push(of('published'))
  if (expired) found.push(of('expired'))
  if (main) found.push(of('main'))
  return [...new Set(found)]
}

export const linkedLocales = ({ locales }: Publication): string[] =>
  Object.keys(locales)
    .filter((locale) => locales[locale]!.linked)
    .sort()
