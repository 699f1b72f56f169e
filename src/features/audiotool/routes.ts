import { present } from '../../http/expand.ts'
import { once } from '../../http/once.ts'
import { FieldsQuery, withExpansions } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { assetExpansions } from '../assets/expansions.ts'
import { takeFile } from '../assets/intake.ts'
import { presentAsset } from '../assets/present.ts'
import { findAsset } from '../assets/queries.ts'
import { Asset } from '../assets/schema.ts'
import { channelOf } from './channel.ts'
import { cutSpan } from './cut.ts'
import { CutBody } from './schema.ts'
import { spanOf } from './timecodes.ts'

/** A part of what was on the air, as an asset. */
export const audiotoolRoutes: Routes = (app, context) => {
  const expansions = assetExpansions(context)
  app.post(
    '/assets/audiotool/cut',
    {
      config: { scopes: ['assets', 'assets_publish'], expansions, record: Asset },
      schema: {
        summary: 'Cut a span out of the recordings of a Channel',
        querystring: FieldsQuery,
        body: CutBody,
        response: { 201: withExpansions(Asset, expansions) },
      },
    },
    async (request, reply) => {
      const { actor, body, selection } = request
      const span = await spanOf(context.db, actor.environment.time_zone, body)
      const channel = await channelOf(context, actor.environment_id, body.channel_id)
      const title = `${channel.name} ${body.start_timecode}`
      const original = title
        .replace(/[/\\\p{Cc}]/gu, '-')
        .replaceAll(':', '-')
        .slice(-200)
      const file = await cutSpan(context, actor, channel, span, original)
      try {
        const row = await once(
          context,
          request,
          reply,
          (tx) =>
            takeFile(context, tx, actor, file, { label: 'Audio', name: body.name ?? title.slice(-200) }),
          (id) => findAsset(context.db, actor.environment_id, id),
        )
        const [shown] = await present(context.db, actor, [row], presentAsset, expansions, selection)
        return reply.code(201).send(shown as never)
      } finally {
        if (!file.taken) await context.storage.remove(file.key)
      }
    },
  )
}
