import { itemsOf } from '../compare.ts'
import { linkedLocales } from '../facets.ts'
import { referencesOf } from '../fields/collect.ts'
import { presentItems, type References } from '../fields/present.ts'
import type { Structure } from '../structure.ts'
import type { Publication, ShownRow } from '../table.ts'
import { presentPublication } from './present.ts'

/** The single read with items, as events carry it: every linked locale, whoever may read it. */
export const describePublication = (
  row: ShownRow,
  publication: Publication,
  structure: Structure,
  references: References,
) => {
  const model = row.model_id === null ? null : (structure.models.get(row.model_id) ?? null)
  const view = { structure, defaultLocale: '', locale: undefined, fallback: false, publishedOnly: false }
  const items = linkedLocales(publication).map((locale) => [
    locale,
    presentItems(itemsOf(publication, publication.locales[locale]!), model, references),
  ])
  return {
    ...presentPublication(row, view),
    model: row.model_id === null ? null : { id: row.model_id },
    channels: row.channel_ids.map((id) => ({ id })),
    containers: row.container_ids.map((id) => ({ id })),
    items: Object.fromEntries(items),
  }
}

/** Everything that any locale leads to. */
export const referencesIn = (publication: Publication) => [
  ...referencesOf(publication.shared),
  ...linkedLocales(publication).flatMap((locale) => referencesOf(publication.locales[locale]!.items)),
]
