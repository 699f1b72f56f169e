import type { Tx } from '../../../database/connect.ts'
import { findRecord } from '../../../database/records.ts'
import { once } from '../../../http/once.ts'
import { recordRoutes, showOnce, withSecrets } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { changeApplication, createApplication, deleteApplication, rotateSecret } from './commands.ts'
import { applicationList } from './filters.ts'
import { presentApplication } from './present.ts'
import { Application, ApplicationBody, ApplicationChanges, ClientSecret } from './schema.ts'

export const applicationRoutes: Routes = (app, context) => {
  recordRoutes(app, context, {
    path: '/applications',
    label: 'Application',
    record: Application,
    list: applicationList,
    present: presentApplication,
    read: ['tokens'],
    create: {
      scopes: ['tokens'],
      body: ApplicationBody,
      shownOnce: ClientSecret,
      run: async (tx, actor, body: ApplicationBody, request) => {
        const { row, secret } = await createApplication(tx, actor, body)
        showOnce(request, { client_secret: secret })
        return row
      },
    },
    change: { scopes: ['tokens'], body: ApplicationChanges, run: changeApplication },
    remove: { scopes: ['tokens'], run: deleteApplication },
  })

  app.post(
    '/applications/:id/secret',
    {
      config: { scopes: ['tokens'] },
      schema: {
        summary: 'Give an Application a new secret; the old one stops at once',
        params: IdParams,
        response: { 201: withSecrets(Application, ClientSecret) },
      },
    },
    async (request, reply) => {
      const { actor } = request
      let shown: { client_secret?: string } = {}
      const rotate = async (tx: Tx) => {
        const { row, secret } = await rotateSecret(tx, actor, request.params.id)
        shown = { client_secret: secret }
        return row
      }
      const row = await once(context, request, reply, rotate, (id) =>
        findRecord(context.db, 'applications', 'Application', actor.environment_id, id),
      )
      return reply.code(201).send({ ...presentApplication(row), ...shown } as never)
    },
  )
}
