import type { Context } from '../../../context.ts'
import type { Actor } from '../../access/authenticate.ts'
import { compilePublicationFilter } from '../../publications/list/compile.ts'
import { countPublications } from '../../publications/list/count.ts'
import type { Listed } from '../../publications/list/home.ts'
import { askedList, readListed } from '../../publications/list/list.ts'
import type { Model } from '../model/model.ts'
import type { Past, Weights } from '../model/score.ts'
import { defaultWeights } from '../model/weights.ts'
import type { Settings } from '../table.ts'
import type { Asked } from './asked.ts'
import { diversified } from './diversity.ts'
import { explored, exploringSlots, isUnexplored, poolSize, type Slot } from './explore.ts'
import { type History, historyAround, historyOfPerson, historyOfVisitor, numbered } from './past.ts'
import { allSeen, longestPast, pastOf, type Visitor } from './person.ts'
import { rankedRows } from './ranked.ts'
import { type Found, type FoundRow, foundColumns, joined, wholeRows } from './rows.ts'
import { tagReader } from './tags.ts'

/** Only what readers see is recommended, whoever asks. */
export const asReader = (actor: Actor): Actor => ({
  ...actor,
  token: { ...actor.token, visibility: 'published' },
})

/** What the list holds by the recommendation's own filter and by the caller's. */
export const listedFor = async (context: Context, actor: Actor, settings: Settings, { request }: Asked) => {
  const { listed, looking } = await askedList(context, actor, request)
  if (Object.keys(settings.filter).length === 0) return { listed, looking }
  const { environment } = actor
  const sight = { environment, locale: looking.locale, visibility: 'published' as const }
  const own = await compilePublicationFilter(context, sight, { ...settings.filter })
  const key = [...listed.key, settings.filter]
  return { listed: { ...listed, filter: joined(listed.filter, own), key }, looking }
}

export type Predicted = {
  slots: Slot<FoundRow>[]
  total: number | undefined
  past: Past
}

type Asking = {
  actor: Actor
  settings: Settings
  asked: Asked
  listed: Listed
  visitor: Visitor | undefined
  model: Model | undefined
  explores: boolean
}

export const predictRows = async (context: Context, asking: Asking): Promise<Predicted> => {
  const { actor, settings, asked, listed, visitor, model, explores } = asking
  const { skip, limit } = asked.request
  const counting = asked.request.total ? countPublications(context, listed) : undefined
  const { history, seen } = await historyOf(context, asking)
  const past = model ? numbered(model, history) : []
  const excluded = new Set(settings.exclude_seen ? [...history.keys(), ...seen] : [])
  if (asked.publicationId !== undefined) excluded.add(asked.publicationId)
  const places = skip + limit
  const weights = weightsFor(settings, visitor)
  // Some more than there are places, so that there is something to choose from.
  const wanted = { model, past, weights, excluded, places: settings.diversity > 0 ? places + 20 : places }
  const ranked = await rankedRows(context, listed, asked.request, wanted)
  const tagsOf = await tagReader(context, actor.environment_id)
  const shown = diversified(ranked, tagsOf, settings.diversity, places).slice(skip, places)
  const count = explores && model ? exploringSlots(limit, settings.exploration) : 0
  const pool = count > 0 ? await unexplored(context, listed, model!, excluded) : []
  const slots = explored(shown, pool, count, limit)
  const rows = await wholeRows(
    context.db,
    actor.environment_id,
    slots.map(({ row }) => row),
  )
  const filled = slots.flatMap((slot) => {
    const row = rows.get(slot.row.id)
    return row ? [{ ...slot, row }] : []
  })
  return { slots: filled, total: await counting, past }
}

/** Sessions like one's own speak for visitors without a name; of persons more is known. */
const weightsFor = ({ weights }: Settings, visitor: Visitor | undefined): Weights => {
  const all = { ...defaultWeights, ...weights }
  return visitor ? { ...all, sessions: 0 } : all
}

type Known = { history: History; seen: readonly string[] }

const historyOf = async ({ db }: Context, { actor, settings, asked, visitor }: Asking): Promise<Known> => {
  const { publicationId } = asked
  const past = visitor ? await pastOf(db, actor.environment_id, visitor.key) : []
  // Whoever did more than is looked at has still seen all of it.
  const isCut = settings.exclude_seen && past.length === longestPast
  const seen = isCut ? await allSeen(db, actor.environment_id, visitor!.key) : []
  const history = new Map([...historyOfVisitor(asked.history), ...historyOfPerson(past)])
  if (settings.type !== 'more_like_this') return { history, seen }
  return { history: historyAround(publicationId!, history), seen }
}

/** New publications that few have seen. */
const unexplored = async (
  context: Context,
  listed: Listed,
  model: Model,
  excluded: ReadonlySet<string>,
): Promise<Found[]> => {
  const request = { limit: poolSize, skip: 0, total: false, filter: {}, sort: '-created_on' }
  const { rows } = await readListed<Found>(context, listed, request, foundColumns)
  return rows.filter(({ id }) => !excluded.has(id) && isUnexplored(model, id))
}
