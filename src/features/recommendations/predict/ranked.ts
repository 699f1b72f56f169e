import type { Context } from '../../../context.ts'
import type { ListRequest } from '../../../database/page.ts'
import type { Listed } from '../../publications/list/home.ts'
import { readListed } from '../../publications/list/list.ts'
import type { Model } from '../model/model.ts'
import { type Past, predict, type Weights } from '../model/score.ts'
import { type Found, foundAmong, foundColumns } from './rows.ts'

/** Candidates that are looked at: first somewhat more than are wanted, then whoever is left. */
const firstLook = 2
const secondLook = 2000

type Wanted = {
  model: Model | undefined
  past: Past
  weights: Weights
  excluded: ReadonlySet<string>
  places: number
}

/** The best of what the list holds, as many as there are places: by score, and behind that as the list has it. */
export const rankedRows = async (
  context: Context,
  listed: Listed,
  request: ListRequest,
  { model, past, weights, excluded, places }: Wanted,
): Promise<Found[]> => {
  const near = Math.max(50, places * firstLook)
  const scored = (most: number) => (model ? scoredIds(model, past, weights, excluded, most) : [])
  const candidates = scored(near)
  const found = await foundAmong(context.db, listed, candidates)
  if (found.length < places && candidates.length === near)
    found.push(...(await foundAmong(context.db, listed, scored(near + secondLook).slice(near))))
  if (found.length >= places) return found
  const known = new Set([...found.map(({ id }) => id), ...excluded])
  return [...found, ...(await others(context, listed, request, known, places - found.length))]
}

const scoredIds = (
  model: Model,
  past: Past,
  weights: Weights,
  excluded: ReadonlySet<string>,
  most: number,
): string[] => {
  const out = new Set([...excluded].flatMap((id) => model.index.get(id) ?? []))
  return predict(model, past, weights, out, most).map(({ item }) => model.ids[item]!)
}

/** What nothing speaks for, in the order of the list. */
const others = async (
  context: Context,
  listed: Listed,
  request: ListRequest,
  known: ReadonlySet<string>,
  places: number,
): Promise<Found[]> => {
  const found: Found[] = []
  for (let skip = 0; found.length < places; ) {
    const limit = Math.min(1000, places + known.size)
    const page = await readListed<Found>(
      context,
      listed,
      { ...request, skip, limit, total: false },
      foundColumns,
    )
    found.push(...page.rows.filter(({ id }) => !known.has(id)))
    skip += limit
    if (page.rows.length < limit) break
  }
  return found.slice(0, places)
}
