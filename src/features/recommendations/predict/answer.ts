import type { Context } from '../../../context.ts'
import type { Actor } from '../../access/authenticate.ts'
import { presentListed } from '../../publications/present/present.ts'
import type { View } from '../../publications/present/view.ts'
import type { Model } from '../model/model.ts'
import type { Past } from '../model/score.ts'
import { isPopular, type Reason, spokenFor } from './explain.ts'
import type { Slot } from './explore.ts'
import type { FoundRow } from './rows.ts'
import type { Seldom } from './seldom.ts'
import { tagReader } from './tags.ts'

/** Publications of the past whose tags are looked at. */
const lately = 20

/** How each is shown: as the list does and, where asked for, with why it is there. */
export const bodiesOf = async (
  context: Context,
  seldom: Seldom,
  actor: Actor,
  view: View,
  slots: readonly Slot<FoundRow>[],
  reasons: { model: Model | undefined; past: Past } | undefined,
): Promise<(row: FoundRow) => object> => {
  const toBody = (row: FoundRow) => presentListed(row, view)
  if (!reasons) return toBody
  const { model, past } = reasons
  const tagsOf = await tagReader(context, seldom, actor.environment_id)
  const liked = model ? await tagsOfPast(context, actor, model, past, tagsOf) : new Set<string>()
  const exploring = new Set(slots.filter((slot) => slot.exploring).map(({ row }) => row.id))
  return (row) => {
    const reason: Reason = {
      publications: model ? spokenFor(model, past, row.id) : [],
      tags: tagsOf(row).filter((tag) => liked.has(tag)),
      popular: model ? isPopular(model, row.id) : false,
      exploring: exploring.has(row.id),
    }
    return { ...toBody(row), reason }
  }
}

const tagsOfPast = async (
  { db }: Context,
  { environment_id }: Actor,
  model: Model,
  past: Past,
  tagsOf: (row: Pick<FoundRow, 'facets'>) => string[],
): Promise<Set<string>> => {
  const ids = past.slice(0, lately).map(({ item }) => model.ids[item]!)
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('publications')
    .select('facets')
    .where('environment_id', '=', environment_id)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.flatMap(tagsOf))
}
