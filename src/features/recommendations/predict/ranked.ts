import type { Context } from '../../../context.ts'
import type { ListRequest } from '../../../database/page.ts'
import type { Listed } from '../../publications/list/home.ts'
import { readListed } from '../../publications/list/list.ts'
import type { Model } from '../model/model.ts'
import { type Past, predict, type Weights } from '../model/score.ts'
import { type FoundRow, foundAmong } from './rows.ts'
import type { Seldom } from './seldom.ts'
import { type Within, withinList } from './within.ts'

/** Looked at beyond what is needed: some are seldom published, and among more there is more to choose from. */
const spare = 10
const firstLook = 2
const farthest = 1000
/** Pages of the list that are looked through for what nothing speaks for. */
const mostPages = 5

export type Wanted = {
  model: Model | undefined
  past: Past
  weights: Weights
  excluded: ReadonlySet<string>
  /** How many are needed, and what is drawn to be tried whatever its score. */
  places: number
  drawn: readonly string[]
  columns: readonly string[]
  /** Which part of all publications the list holds, where that is known. */
  share: number
}

/**
 * The best of what the list holds, as many as there are places and some to choose from: by score, by popularity, and
 * behind that as the list has it. Mostly one statement: a list that few of the best are in is first read as a whole,
 * which is remembered.
 */
export const rankedRows = async (
  context: Context,
  seldom: Seldom,
  listed: Listed,
  request: ListRequest,
  wanted: Wanted,
): Promise<FoundRow[]> => {
  const { model, places, drawn, share } = wanted
  const most = drawn.length + places + spare
  const isEnough = (found: readonly FoundRow[]): boolean => found.length >= drawn.length + places
  const look = (ids: string[]) => foundAmong(context.db, listed, [...drawn, ...ids], most, wanted.columns)
  const within = () => model && withinList(context, seldom, model, listed, request)
  const near = places * firstLook + spare
  const narrow = isNarrow(listed) ? await within() : undefined
  if (narrow) return look(idsWithin(model!, wanted, narrow, near))
  const candidates = model ? scoredIds(model, wanted, Math.min(farthest, Math.ceil(near / share))) : []
  const found = candidates.length < places ? [] : await look(candidates)
  if (isEnough(found)) return found
  const all = isNarrow(listed) ? undefined : await within()
  if (all) return look(idsWithin(model!, wanted, all, near))
  const best = await look(model ? scoredIds(model, wanted, farthest) : [])
  return isEnough(best) ? best : [...best, ...(await others(context, listed, request, wanted, best))]
}

/** Whether more is asked of publications than that readers see them. */
const isNarrow = ({ locale, filter }: Listed): boolean => {
  const { atoms, alternatives } = filter.conjunction
  return locale !== undefined || atoms.length > 1 || alternatives.length > 0
}

const scoredIds = (model: Model, { past, weights, excluded }: Wanted, most: number, within?: Within) => {
  const out = new Set<number>()
  for (const id of excluded) {
    const item = model.index.get(id)
    if (item !== undefined) out.add(item)
  }
  return predict(model, past, weights, out, most, within?.numbers).map(({ item }) => model.ids[item]!)
}

const idsWithin = (model: Model, wanted: Wanted, within: Within, most: number): string[] => {
  const found = new Set(scoredIds(model, wanted, most, within))
  for (const id of within.ids) {
    if (found.size >= most) break
    if (!wanted.excluded.has(id)) found.add(id)
  }
  return [...found]
}

/** What nothing speaks for, in the order of the list. */
const others = async (
  context: Context,
  listed: Listed,
  request: ListRequest,
  { excluded, places, columns }: Wanted,
  best: readonly FoundRow[],
): Promise<FoundRow[]> => {
  const known = new Set([...excluded, ...best.map(({ id }) => id)])
  const limit = Math.min(1000, places + known.size)
  const found: FoundRow[] = []
  for (let number = 0; number < mostPages && best.length + found.length < places; number++) {
    const asked = { ...request, skip: number * limit, limit, total: false }
    const page = await readListed<FoundRow>(context, listed, asked, [...columns, 'facets'])
    found.push(...page.rows.filter(({ id }) => !known.has(id)))
    if (!page.next) break
  }
  return found.slice(0, places)
}
