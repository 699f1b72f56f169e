import type { Tx } from '../../../database/connect.ts'
import { once } from '../../../http/once.ts'
import { recordRoutes, showOnce, withSecrets } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { orEmpty } from '../schemas.ts'
import { tokenList } from './filters.ts'
import { changeToken, issueToken, renewOwnToken, revokeToken } from './manage.ts'
import { presentToken } from './present.ts'
import { findToken, visibleTokens } from './queries.ts'
import { TokenBody, TokenChanges, TokenRecord, TokenRenewal, TokenValue } from './schema.ts'

export const tokenRoutes: Routes = (app, context) => {
  recordRoutes(app, context, {
    path: '/tokens',
    label: 'Token',
    record: TokenRecord,
    list: tokenList,
    scope: (actor) => actor.organisation_id,
    only: visibleTokens,
    find: findToken,
    present: presentToken,
    read: ['tokens'],
    create: {
      scopes: ['tokens'],
      body: TokenBody,
      shownOnce: TokenValue,
      run: async (tx, actor, body: TokenBody, request) => {
        const { row, value } = await issueToken(tx, actor, body)
        showOnce(request, { value })
        return row
      },
    },
    change: { scopes: ['tokens'], body: TokenChanges, run: changeToken },
    remove: { scopes: ['tokens'], run: revokeToken },
  })

  app.post(
    '/tokens/:id/renew',
    {
      config: { scopes: ['tokens'] },
      preValidation: orEmpty,
      schema: {
        summary: 'Renew a Token: a new value with the same scopes',
        params: IdParams,
        body: TokenRenewal,
        response: { 201: withSecrets(TokenRecord, TokenValue) },
      },
    },
    async (request, reply) => {
      let secret: { value?: string } = {}
      const renew = async (tx: Tx) => {
        const { row, value } = await renewOwnToken(tx, request.actor, request.params.id, request.body)
        secret = { value }
        return row
      }
      const row = await once(context, request, reply, renew, (id) => findToken(context.db, request.actor, id))
      return reply.code(201).send({ ...presentToken(row), ...secret } as never)
    },
  )
}
