import type { Snapshot } from './snapshot.ts'
import type { Structure } from './structure.ts'
import type { StoredItems } from './table.ts'

type StoredLocale = Omit<Snapshot['locales'][string], 'facets'> & {
  /** Places in the facets of the whole publication, which hold all of its locales'. */
  facets: number[]
}

/** A snapshot as it is kept beside an event. */
export type StoredMatch = Omit<Snapshot, 'facets' | 'locales'> & {
  facets: string[]
  locales: Record<string, StoredLocale>
}

/** What of the items no filter can ask for is left out. */
export const storeMatch = (snapshot: Snapshot, { models }: Pick<Structure, 'models'>): StoredMatch => {
  const each = Object.values(snapshot.locales).flatMap(({ facets }) => [...facets])
  const facets = [...new Set([...snapshot.facets, ...each])]
  const places = new Map(facets.map((facet, place) => [facet, place]))
  const fields = models.get(snapshot.model_id ?? '')?.fields ?? []
  const filterable = fields.flatMap(({ api_id, filterable }) => (filterable ? [api_id] : []))
  const locales = Object.entries(snapshot.locales).map(([locale, local]) => [
    locale,
    {
      ...local,
      facets: [...local.facets].map((facet) => places.get(facet)!),
      items: only(local.items, filterable),
    },
  ])
  return { ...snapshot, facets, locales: Object.fromEntries(locales) }
}

const only = (items: StoredItems, names: string[]): StoredItems =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(items, name) ? [[name, items[name]!]] : [])))

/** The snapshot that was stored. */
export const readMatch = ({ facets, locales, ...rest }: StoredMatch): Snapshot => ({
  ...rest,
  facets: new Set(facets),
  locales: Object.fromEntries(
    Object.entries(locales).map(([locale, local]) => [
      locale,
      { ...local, facets: new Set(local.facets.map((place) => facets[place]!)) },
    ]),
  ),
})
