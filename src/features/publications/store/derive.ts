import { itemsOf } from '../compare.ts'
import { linkedLocales, localeFacets, ownFacets } from '../facets.ts'
import { referencesOf, shownFields, tagIdsOf, valuesOf } from '../fields/collect.ts'
import { nextChange } from '../published.ts'
import type { Structure } from '../structure.ts'
import type { LocaleState, Publication, PublicationRow } from '../table.ts'
import type { Saving } from './changes.ts'
import { slugScopeOf } from './slugs.ts'
import type { Words } from './words.ts'

/** The facets of each linked locale, and of all together. What the model hides is not found either. */
export const facetsOf = (environmentId: string, publication: Publication, { models }: Structure) => {
  const model = models.get(publication.model_id ?? '') ?? null
  const each = Object.fromEntries(
    linkedLocales(publication).map((locale) => {
      const all = itemsOf(publication, publication.locales[locale]!)
      const items = Object.fromEntries(shownFields(model, all))
      const referenceIds = referencesOf(items).flatMap(({ kind, id }) => (kind === 'Tag' ? [] : [id]))
      return [
        locale,
        localeFacets(environmentId, publication, locale, { tagIds: tagIdsOf(items), referenceIds }),
      ]
    }),
  )
  const linked = Object.values(each).flat()
  return { each, all: [...new Set([...ownFacets(environmentId, publication), ...linked])] }
}

export const rowOf = (
  publication: Publication,
  facets: string[],
  { actor, structure, now }: Pick<Saving, 'actor' | 'structure' | 'now'>,
): PublicationRow => {
  const main = publication.locales[actor.environment.default_locale]
  const done = structure.findStatus({ body: 'Done' })!.id
  return {
    environment_id: actor.environment_id,
    id: publication.id,
    label: publication.label,
    model_id: publication.model_id,
    locales: linkedLocales(publication),
    state: statesOf(publication),
    items: publication.shared,
    channel_ids: publication.channel_ids,
    container_ids: publication.container_ids,
    facets,
    publish_on: main?.linked && main.publish_on !== null ? new Date(main.publish_on) : null,
    next_change: nextChange(publication, done, now),
    created_by: publication.created_by,
    updated_by: publication.updated_by,
    version: publication.version,
    created_on: publication.created_on,
    changed_on: publication.changed_on,
  }
}

const statesOf = ({ locales }: Publication): Record<string, LocaleState> =>
  Object.fromEntries(
    Object.entries(locales).map(([locale, { items: _items, linked: _linked, ...state }]) => [locale, state]),
  )

export const localeRow = (
  { environment_id, id }: PublicationRow,
  publication: Publication,
  locale: string,
  facets: string[],
  words: Words,
) => {
  const { slug, title, status_id, publish_on, expire_on, items, main } = publication.locales[locale]!
  const slug_scope = slugScopeOf(publication)
  const search = { title_search: words.title, search: words.all }
  return {
    environment_id,
    id,
    locale,
    slug_scope,
    slug,
    title,
    status_id,
    publish_on,
    expire_on,
    facets,
    ...search,
    items,
    main,
  }
}

export const valueRows = (
  { environment_id, id, model_id }: PublicationRow,
  publication: Publication,
  locales: string[],
  { structure }: Pick<Saving, 'structure'>,
) => {
  const model = model_id === null ? undefined : structure.models.get(model_id)
  if (!model) return []
  return locales.flatMap((locale) =>
    valuesOf(model, itemsOf(publication, publication.locales[locale]!)).map((value) => ({
      environment_id,
      model_id,
      locale,
      id,
      ...value,
    })),
  )
}
