import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { present } from '../../../http/expand.ts'
import { envelope } from '../../../http/list.ts'
import { readListed } from '../../publications/list/list.ts'
import { publicationExpansions } from '../../publications/present/expansions.ts'
import { viewOf } from '../../publications/present/view.ts'
import { findPublication } from '../../publications/queries.ts'
import { impressionLog } from '../impressions.ts'
import { settingsOf } from '../settings.ts'
import { bodiesOf } from './answer.ts'
import { readPredict } from './asked.ts'
import { experience, variantOf } from './control.ts'
import { modelCache } from './models.ts'
import { visitorOf } from './person.ts'
import { asReader, listedFor, predictRows } from './predict.ts'
import { type FoundRow, foundColumns } from './rows.ts'

/** Answers predictions; what it knows of models and of what it showed is this process's own. */
export const predictor = (context: Context) => {
  const models = modelCache(context)
  const impressions = impressionLog(context)
  const isExperienced = experience(context)

  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = request.params as { id: string }
    const actor = asReader(request.actor)
    const { environment_id } = actor
    const asked = readPredict(request.list, [])
    const [settings, visitor, experienced, model] = await Promise.all([
      settingsOf(context, actor, id),
      visitorOf(context.db, actor, asked),
      isExperienced(environment_id),
      models.of(environment_id),
    ])
    const variant = await variantOf(context, environment_id, settings, visitor?.key, experienced)
    const { listed, looking } = await listedFor(context, actor, settings, asked)
    const view = await viewOf(context, actor, looking)
    if (asked.publicationId !== undefined)
      await findPublication(context.db, environment_id, asked.publicationId, view)
    const asking = { actor, settings, asked, listed, visitor, model, explores: experienced }
    const found =
      variant === 'recommended' ? await recommended(context, asking) : await listAsItIs(context, asking)
    const shown = found.slots.map(({ row }) => row)
    if (visitor?.tracking !== false)
      impressions.add({
        environmentId: environment_id,
        recommendationId: settings.id,
        variant,
        personKey: visitor?.key ?? null,
        publications: shown.map((row) => row.id),
        propensities: found.slots.map(({ propensity }) => propensity),
        on: new Date(),
      })
    const reasons = asked.explain ? { model, past: found.past } : undefined
    const toBody = await bodiesOf(context, actor, view, found.slots, reasons)
    const items = await present<FoundRow>(
      context.db,
      actor,
      shown,
      toBody,
      publicationExpansions(view) as never,
      request.selection,
    )
    const body = envelope(request, reply, context.config.publicUrl, found.page as never, items)
    return { ...body, recommendation: { id: settings.id, variant } } as never
  }
  return { handle, close: () => impressions.flush() }
}

type Asking = Parameters<typeof predictRows>[1]

/** A ranking has no cursors: it is another for everybody, and another tomorrow. */
const recommended = async (context: Context, asking: Asking) => {
  const { skip, limit } = asking.asked.request
  const { slots, total, past } = await predictRows(context, asking)
  return { slots, past, page: { total, after: '', before: '', skip, limit, next: false, previous: false } }
}

const listAsItIs = async (context: Context, { listed, asked }: Asking) => {
  const page = await readListed<FoundRow>(context, listed, asked.request, foundColumns)
  return { slots: page.rows.map((row) => ({ row, propensity: 1, exploring: false })), past: [], page }
}
