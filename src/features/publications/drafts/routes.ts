import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { slugify } from '../../../database/slugs.ts'
import { transaction } from '../../../database/transaction.ts'
import { Invalid, invalid, NotFound } from '../../../errors.ts'
import { once } from '../../../http/once.ts'
import { FieldsQuery, withExpansions } from '../../../http/records.ts'
import { IdParams, Nothing } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { Input } from '../commands/applied.ts'
import type { Arrived } from '../commands/commands.ts'
import { answer } from '../present/answer.ts'
import { publicationExpansions } from '../present/expansions.ts'
import { shownOf } from '../present/shown.ts'
import { anyView, shownLocales, type View, viewOf } from '../present/view.ts'
import { findPublication } from '../queries.ts'
import { Publication } from '../schema.ts'
import { requireFullSight } from '../sight.ts'
import { discardDraft, publishDraft } from './publish.ts'
import { readDraft } from './queries.ts'
import { type Draft, saveDraft } from './save.ts'
import type { Seen } from './seen.ts'

const expansions = publicationExpansions(anyView)
const Locales = Type.Array(Type.String({ maxLength: 20 }), {
  minItems: 1,
  maxItems: 200,
  description: 'Of these only; without it of all, and of what belongs to no locale',
})
const PublishBody = Type.Unsafe<{ locales?: string[]; all?: boolean } | null>({
  type: ['object', 'null'],
  properties: {
    locales: Locales,
    all: Type.Boolean({ description: 'With `locales`: what belongs to no locale as well' }),
  },
  additionalProperties: false,
})
const LocaleQuery = Type.Object(
  { locale: Type.Optional(Type.String({ maxLength: 20, description: 'Only what was changed in this one' })) },
  { additionalProperties: false },
)

export const draftRoutes: Routes = (app, context) => {
  app.post(
    '/publications/:id/publish',
    {
      config: { scopes: ['publications', 'publications_publish'], expansions, record: Publication },
      schema: {
        summary: 'Apply the draft of a Publication as one version',
        params: IdParams,
        querystring: FieldsQuery,
        body: PublishBody,
        response: { 200: withExpansions(Publication, expansions) },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      requireFullSight(actor)
      const seen = seenBy(request)
      requireLocales(actor, body?.locales ?? [], (index) => `locales.${index}`)
      const view = await viewOf(context, actor, {})
      const row = await once(
        context,
        request,
        reply,
        (tx) => publishDraft(context, tx, actor, params.id, chosenOf(body), seen),
        (id) => findPublication(context.db, actor.environment_id, id, view),
      )
      return answer(context, request, reply, row, view)
    },
  )

  app.delete(
    '/publications/:id/draft',
    {
      config: { scopes: ['publications', 'publications_publish'] },
      schema: {
        summary: 'Discard the draft of a Publication',
        params: IdParams,
        querystring: LocaleQuery,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      const { actor, params, query } = request
      requireFullSight(actor)
      const seen = seenBy(request)
      if (query.locale !== undefined) requireLocales(actor, [query.locale], () => 'locale')
      await transaction(context, (tx) => discardDraft(tx, actor, params.id, query.locale, seen))
      return reply.code(204).send(null)
    },
  )
}

/** The rows of the draft that are meant; that of no locale has an empty name. */
const chosenOf = (body: { locales?: string[]; all?: boolean } | null): string[] | undefined =>
  body?.all && body.locales ? [...body.locales, ''] : body?.locales

const requireLocales = (
  { environment }: Actor,
  locales: string[],
  pathOf: (index: number) => string,
): void => {
  const message = `is not a locale of this environment; it has ${environment.locales.join(', ')}`
  const faults = locales.flatMap((locale, index) =>
    environment.locales.includes(locale) ? [] : [{ path: pathOf(index), message }],
  )
  if (faults.length > 0) throw new Invalid(faults)
}

/** The draft's ETag has both versions; that of a plain read tells that no draft was seen. */
const seenBy = ({ headers }: FastifyRequest): Seen | undefined => {
  const header = headers['if-match']
  if (header === undefined || header === '*') return undefined
  const parts = /^(?:W\/)?"(\d{1,9})(?:\.(\d{1,9}))?(?:-[\w-]*)?"$/.exec(header.trim())
  if (!parts) throw invalid('If-Match', 'is not an ETag of this service')
  return { version: Number(parts[1]), draft: Number(parts[2] ?? 0) }
}

/** `GET /publications/{id}?draft=true` */
export const answerDraft = async (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  view: View,
) => {
  requireFullSight(request.actor)
  const draft = await readDraft(context, request.actor.environment_id, id)
  return show(context, request, reply, draft, view)
}

/** `PUT /publications/{id}?draft=true` */
export const putDraft = async (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  body: Input,
  arrived: Arrived,
  view: View,
) => {
  const { actor } = request
  requireFullSight(actor)
  const seen = seenBy(request)
  const draft = await transaction(context, (tx) => saveDraft(context, tx, actor, id, body, arrived, seen))
  return show(context, request, reply, draft, view)
}

const show = (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { publication, version }: Draft,
  view: View,
) => {
  // A slug that is still to be made is shown as it would begin.
  for (const state of Object.values(publication.locales))
    if (state.linked) state.slug ??= slugify(state.title ?? '')
  const shown = shownOf(publication, request.actor, view)
  if (view.locale !== undefined && shownLocales(shown.row, shown.view).length === 0)
    throw new NotFound('Publication', publication.id)
  return answer(context, request, reply, shown.row, shown.view, `${publication.version}.${version}`)
}
