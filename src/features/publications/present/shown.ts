import type { Actor } from '../../access/authenticate.ts'
import { linkedLocales } from '../facets.ts'
import { rowOf } from '../store/derive.ts'
import type { Publication, ShownRow } from '../table.ts'
import type { View } from './view.ts'

/** A publication that does not stand in the database as it is, in the form that reads show. */
export const shownOf = (
  publication: Publication,
  actor: Actor,
  view: View,
): { row: ShownRow; view: View } => ({
  row: rowOf(publication, [], { actor, structure: view.structure, now: new Date() }),
  view: {
    ...view,
    contents: linkedLocales(publication).map((locale) => ({
      id: publication.id,
      locale,
      items: publication.locales[locale]!.items,
    })),
  },
})
