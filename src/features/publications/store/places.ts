import { parseMoment } from '../../../database/values.ts'
import { cellOf, type Place } from '../cells.ts'
import { itemsOf } from '../compare.ts'
import { shownFields } from '../fields/collect.ts'
import type { Structure } from '../structure.ts'
import type { Publication, PublicationRow, StoredItems } from '../table.ts'

type Of = Pick<PublicationRow, 'environment_id' | 'id' | 'model_id'>

/** Where and when the field of that name says that something is. */
export const placesOf = (items: StoredItems): Place[] => listIn(items, 'locations', 'Locations') as Place[]

type Span = { starts: Date; ends: Date }

/** A moment is as wide as it is written: an event of one day lasts until midnight. */
export const spansOf = (items: StoredItems): Span[] =>
  (listIn(items, 'events', 'Events') as { from: string; until: string | null }[]).map(({ from, until }) => ({
    starts: parseMoment(from)!.from,
    ends: parseMoment(until ?? from)!.until,
  }))

const listIn = (items: StoredItems, api_id: string, label: string): unknown[] => {
  const value = Object.hasOwn(items, api_id) ? items[api_id] : undefined
  return value?.label === label ? (value.items as unknown[]) : []
}

const rowsOf =
  <T extends object>(read: (items: StoredItems) => T[]) =>
  (
    { environment_id, id, model_id }: Of,
    publication: Publication,
    locales: string[],
    { structure }: { structure: Structure },
  ) => {
    const model = structure.models.get(model_id ?? '') ?? null
    return locales.flatMap((locale) => {
      const items = Object.fromEntries(shownFields(model, itemsOf(publication, publication.locales[locale]!)))
      return read(items).map((one, position) => ({ environment_id, id, locale, position, ...one }))
    })
  }

export const placeRows = rowsOf((items) =>
  placesOf(items).map(({ latitude, longitude }) => ({
    latitude,
    longitude,
    cell: cellOf({ latitude, longitude }),
  })),
)

export const eventRows = rowsOf(spansOf)
