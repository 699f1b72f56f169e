import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Page } from '../../../database/page.ts'
import { type FieldError, Invalid } from '../../../errors.ts'
import { present } from '../../../http/expand.ts'
import { envelope } from '../../../http/list.ts'
import { readListed } from '../../publications/list/list.ts'
import { publicationExpansions } from '../../publications/present/expansions.ts'
import { viewOf } from '../../publications/present/view.ts'
import { findPublication } from '../../publications/queries.ts'
import { impressionLog } from '../impressions.ts'
import type { Past } from '../model/score.ts'
import { settingsOf } from '../settings.ts'
import type { Settings } from '../table.ts'
import { bodiesOf } from './answer.ts'
import { type Asked, readPredict } from './asked.ts'
import { experience, type Variant, variantOf } from './control.ts'
import type { Slot } from './explore.ts'
import { modelCache } from './models.ts'
import { visitorOf } from './person.ts'
import { asReader, type Kept, listedFor, predictRows } from './predict.ts'
import { columnsFor, type FoundRow } from './rows.ts'
import { seenReader } from './seen.ts'
import { seldomRead } from './seldom.ts'

/** Answers predictions; what it knows of models and of what it showed is this process's own. */
export const predictor = (context: Context) => {
  const models = modelCache(context)
  const impressions = impressionLog(context)
  const isExperienced = experience(context)
  const kept = { seldom: seldomRead(context), seenBy: seenReader(context) }

  const note = ({ actor, settings, visitor }: Asking, variant: Variant, slots: Slot<FoundRow>[]): void =>
    impressions.add({
      environmentId: actor.environment_id,
      recommendationId: settings.id,
      variant,
      personKey: visitor?.key ?? null,
      publications: slots.map(({ row }) => row.id),
      propensities: slots.map(({ propensity }) => propensity),
      on: new Date(),
    })

  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = request.params as { id: string }
    const actor = asReader(request.actor)
    const { environment_id } = actor
    const asked = readPredict(request.list, [])
    const settings = await settingsOf(context, actor, id)
    checkAsked(settings, asked)
    const { listed, looking } = await listedFor(context, actor, settings, asked)
    const view = await viewOf(context, actor, looking)
    const [person, explores, model] = await Promise.all([
      visitorOf(context.db, actor, asked),
      isExperienced(environment_id),
      models.of(environment_id),
      asked.publicationId !== undefined &&
        findPublication(context.db, environment_id, asked.publicationId, view),
    ])
    const visitor = person?.tracking ? person : undefined
    const variant = await variantOf(context, environment_id, settings, visitor?.key, explores)
    const { selection } = request
    const columns = columnsFor(selection)
    const asking = { actor, settings, asked, listed, visitor, model, explores, columns }
    const { slots, past, page } =
      variant === 'recommended' ? await recommended(context, kept, asking) : await listAsItIs(context, asking)
    // Of persons that are not tracked nothing is kept.
    if (person === visitor && !asked.trial) note(asking, variant, slots)
    const reasons = asked.explain ? { model, past } : undefined
    const items = await present<FoundRow>(
      context.db,
      actor,
      slots.map(({ row }) => row),
      await bodiesOf(context, kept.seldom, actor, view, slots, reasons),
      selection.size > 0 ? (publicationExpansions(view) as never) : {},
      selection,
    )
    const body = envelope(request, reply, context.config.publicUrl, page, items)
    return { ...body, recommendation: { id: settings.id, variant } } as never
  }
  return { handle, close: () => impressions.flush() }
}

/** Told of all variants alike, or a caller could find out which persons are compared. */
const checkAsked = ({ type }: Settings, { publicationId, request }: Asked): void => {
  const faults: FieldError[] = []
  if (type === 'more_like_this' && publicationId === undefined)
    faults.push({ path: 'publication_id', message: 'is required' })
  if (request.filter.at !== undefined) faults.push({ path: 'at', message: 'recommendations are of now' })
  for (const name of ['after', 'before'] as const)
    if (type !== 'dummy' && request[name] !== undefined)
      faults.push({ path: name, message: 'a ranking has no cursors: page by skip' })
  if (faults.length > 0) throw new Invalid(faults)
}

type Asking = Parameters<typeof predictRows>[2]

type Answered = { slots: Slot<FoundRow>[]; past: Past; page: Page<FoundRow> }

/** A ranking is another for everybody, and another tomorrow. */
const withoutCursors = { after: '', before: '', next: false, previous: false, rows: [] }

const recommended = async (context: Context, kept: Kept, asking: Asking): Promise<Answered> => {
  const { skip, limit } = asking.asked.request
  const { slots, total, past } = await predictRows(context, kept, asking)
  return { slots, past, page: { total, skip, limit, ...withoutCursors } }
}

const listAsItIs = async (
  context: Context,
  { settings, listed, asked, columns }: Asking,
): Promise<Answered> => {
  const page = await readListed<FoundRow>(context, listed, asked.request, [...columns, 'facets'])
  const slots = page.rows.map((row) => ({ row, propensity: 1, exploring: false }))
  return { slots, past: [], page: settings.type === 'dummy' ? page : { ...page, ...withoutCursors } }
}
