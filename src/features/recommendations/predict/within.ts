import type { Context } from '../../../context.ts'
import { listSignature } from '../../../database/cursor.ts'
import type { ListRequest } from '../../../database/page.ts'
import type { Listed } from '../../publications/list/home.ts'
import { readListed } from '../../publications/list/list.ts'
import type { Model } from '../model/model.ts'
import type { Seldom } from './seldom.ts'

/** A list that holds more is searched by looking at the best instead; they are then frequent enough among those. */
const most = 10_000

/** All that a list holds: by popularity and, where that is the same, as the list has it. */
export type Within = { ids: string[]; numbers: Set<number> }

/** Ids of a list that is not too long; ranked within them, nothing is looked at in vain. */
export const withinList = async (
  context: Context,
  seldom: Seldom,
  model: Model,
  listed: Listed,
  { sort }: ListRequest,
): Promise<Within | undefined> => {
  const ids = await seldom(
    listed.environmentId,
    listSignature('within', sort ?? '', listed.key),
    async () => {
      const request = { limit: most, skip: 0, total: false, filter: {}, ...(sort !== undefined && { sort }) }
      const { rows, next } = await readListed<{ id: string }>(context, listed, request, ['id'])
      return next ? undefined : rows.map(({ id }) => id)
    },
  )
  return ids && numberedIn(model, ids)
}

const numbered = new WeakMap<Model, WeakMap<string[], Within>>()

/** Worked out once for each list and model. */
const numberedIn = (model: Model, ids: string[]): Within => {
  const lists = numbered.get(model) ?? new WeakMap<string[], Within>()
  numbered.set(model, lists)
  const known = lists.get(ids)
  if (known) return known
  const popularity = (id: string): number => model.popularity[model.index.get(id) ?? -1] ?? 0
  const popular = ids.map((id) => ({ id, by: popularity(id) })).sort((one, other) => other.by - one.by)
  const numbers = new Set(ids.flatMap((id) => model.index.get(id) ?? []))
  const found = { ids: popular.map(({ id }) => id), numbers }
  lists.set(ids, found)
  return found
}
