import { Type } from 'typebox'
import { isUnchanged } from '../../http/etag.ts'
import { present } from '../../http/expand.ts'
import { FieldsQuery, recordRoutes, withExpansions } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { commonExpansions as expansions } from '../access/expansions.ts'
import { changeConfiguration, createConfiguration, deleteConfiguration } from './commands.ts'
import { configurationList } from './filters.ts'
import { presentConfiguration } from './present.ts'
import { findConfigurationByBody } from './queries.ts'
import { Configuration, ConfigurationBody, ConfigurationChanges } from './schema.ts'

const writes = ['configurations', 'configurations_publish'] as const

/** The same in both generations. */
export const configurationRoutes: Routes = (app, context) => {
  recordRoutes(app, context, {
    path: '/configurations',
    label: 'Configuration',
    record: Configuration,
    list: configurationList,
    expansions,
    present: presentConfiguration,
    read: ['configurations'],
    cached: ['content'],
    create: { scopes: writes, body: ConfigurationBody, run: createConfiguration },
    change: { scopes: writes, body: ConfigurationChanges, run: changeConfiguration },
    remove: { scopes: writes, run: deleteConfiguration },
  })

  app.get(
    '/configurations/body/:body',
    {
      config: { scopes: ['configurations'], expansions, record: Configuration },
      schema: {
        summary: 'Read a Configuration by its body',
        params: Type.Object({ body: Type.String() }),
        querystring: FieldsQuery,
        response: { 200: withExpansions(Configuration, expansions) },
      },
    },
    async (request, reply) => {
      const { actor, params, selection } = request
      const row = await findConfigurationByBody(context.db, actor.environment_id, params.body)
      const [body] = await present(context.db, actor, [row], presentConfiguration, expansions, selection)
      if (isUnchanged(request, reply, row.version, body))
        return reply.code(304 as 200).send(undefined as never)
      return reply.send(body as never)
    },
  )
}
