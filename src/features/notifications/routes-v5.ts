import { transaction } from '../../database/transaction.ts'
import { invalid, NotFound } from '../../errors.ts'
import { IdParams } from '../../http/schemas.ts'
import type { Routes } from '../../http/types.ts'
import { keyBySession } from '../persons/sessions.ts'
import { anyView } from '../publications/present/view.ts'
import { findPublication } from '../publications/queries.ts'
import { isSeen } from '../publications/v5/sight.ts'
import { moveNotification } from './commands.ts'
import { presentNotification } from './present.ts'
import { Notification, NotificationBody, SessionQuery } from './schema.ts'

export const notificationRoutesV5: Routes = (app, context) => {
  app.put(
    '/publications/:id/notification',
    {
      config: { scopes: ['publications'], personal: true },
      schema: {
        summary: 'Move the notification of a person about a Publication',
        params: IdParams,
        querystring: SessionQuery,
        body: NotificationBody,
        response: { 200: Notification },
      },
    },
    async ({ actor, params, query, body }) => {
      const key = await keyBySession(context.db, actor, query.session_hash ?? body.session_hash)
      if (key === undefined) throw invalid('session_hash', 'is not an open session of a person')
      const row = await findPublication(context.db, actor.environment_id, params.id, anyView)
      if (!isSeen(actor, row)) throw new NotFound('Publication', params.id)
      const moved = await transaction(context, (tx) =>
        moveNotification(tx, actor.environment_id, key, params.id, body.state),
      )
      return presentNotification(moved)
    },
  )
}
