import type { Context } from '../../../context.ts'
import { listSignature } from '../../../database/cursor.ts'
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
import { type Drawn, drawn, explored, exploringSlots, isUnexplored, poolSize, type Slot } from './explore.ts'
import { type History, historyAround, historyOfPerson, historyOfVisitor, numbered } from './past.ts'
import { longestPast, type Visitor } from './person.ts'
import { rankedRows } from './ranked.ts'
import { type FoundRow, joined } from './rows.ts'
import type { SeenBy } from './seen.ts'
import type { Seldom } from './seldom.ts'
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
  /** A person who is not to be tracked is nobody here. */
  visitor: Visitor | undefined
  model: Model | undefined
  explores: boolean
  columns: readonly string[]
}

/** What a process keeps for all who ask. */
export type Kept = { seldom: Seldom; seenBy: SeenBy }

export const predictRows = async (context: Context, kept: Kept, asking: Asking): Promise<Predicted> => {
  const { actor, settings, asked, listed, visitor, model, columns } = asking
  const { skip, limit, total: isCounted } = asked.request
  // Mostly remembered, as that of the list.
  const total = isCounted ? await countPublications(context, listed) : undefined
  const { history, seen } = await historyOf(kept, asking)
  const past = model ? numbered(model, history) : []
  const excluded = new Set(settings.exclude_seen ? [...history.keys(), ...seen] : [])
  if (asked.publicationId !== undefined) excluded.add(asked.publicationId)
  const { ids: tried, propensity } = await drawnFor(context, kept, asking, excluded)
  for (const id of tried) excluded.add(id)
  const places = skip + limit
  const share = Math.max(0.01, Math.min(1, (total ?? 1) / Math.max(1, model?.ids.length ?? 1)))
  const weights = weightsFor(settings, visitor)
  const wanted = {
    model,
    past,
    weights,
    excluded,
    places,
    drawn: tried,
    columns,
    share: isCounted ? share : 1,
  }
  const found = await rankedRows(context, kept.seldom, listed, asked.request, wanted)
  const tagsOf = await tagReader(context, kept.seldom, actor.environment_id)
  const isTried = ({ id }: FoundRow): boolean => tried.includes(id)
  const ranked = found.filter((row) => !isTried(row))
  const shown = diversified(ranked, tagsOf, settings.diversity, places).slice(skip, places)
  return { slots: explored(shown, found.filter(isTried), propensity, limit), total, past }
}

/** Sessions like one's own speak for visitors without a name; of persons more is known. */
const weightsFor = ({ weights }: Settings, visitor: Visitor | undefined): Weights => {
  const all = { ...defaultWeights, ...weights }
  return visitor ? { ...all, sessions: 0 } : all
}

type Known = { history: History; seen: readonly string[] }

const historyOf = async (kept: Kept, { actor, settings, asked, visitor }: Asking): Promise<Known> => {
  const { publicationId } = asked
  const past = visitor?.past ?? []
  // Whoever did more than is looked at has still seen all of it.
  const isCut = settings.exclude_seen && past.length === longestPast
  const seen = isCut ? await kept.seenBy(actor.environment_id, visitor!.key) : []
  const history = new Map([...historyOfVisitor(asked.history), ...historyOfPerson(past)])
  if (settings.type !== 'more_like_this') return { history, seen }
  return { history: historyAround(publicationId!, history), seen }
}

/** Some of the new publications that few have seen, if this answer tries any. */
const drawnFor = async (
  context: Context,
  { seldom }: Kept,
  { asked, settings, listed, model, explores }: Asking,
  excluded: ReadonlySet<string>,
): Promise<Drawn> => {
  const { limit } = asked.request
  const count = explores && model ? Math.min(limit - 1, exploringSlots(limit, settings.exploration)) : 0
  if (count === 0) return { ids: [], propensity: 1 }
  const pool = await seldom(listed.environmentId, listSignature('newest', '', listed.key), async () => {
    const request = { limit: poolSize, skip: 0, total: false, filter: {}, sort: '-created_on' }
    const { rows } = await readListed<{ id: string }>(context, listed, request, ['id'])
    return rows.map(({ id }) => id)
  })
  return drawn(
    pool.filter((id) => !excluded.has(id) && isUnexplored(model!, id)),
    count,
  )
}
