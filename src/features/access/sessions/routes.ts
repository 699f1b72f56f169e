import { Type } from 'typebox'
import { transaction } from '../../../database/transaction.ts'
import { Forbidden, InsufficientScope, NotFound, Unauthorized } from '../../../errors.ts'
import { identify } from '../../../http/auth.ts'
import { IdParams, Nothing } from '../../../http/schemas.ts'
import { clientAddress } from '../../../http/secure.ts'
import type { Routes } from '../../../http/types.ts'
import { cookieOf, isOwnPage, noCookie, sessionCookie } from '../browser.ts'
import { limit, limitAddress, policies } from '../rate-limit.ts'
import { endSessions, sessionSeconds, signIn } from './commands.ts'
import { presentSession } from './present.ts'
import { findSession, sessionBySecret } from './queries.ts'
import { Session, SessionBody } from './schema.ts'

const SecretQuery = Type.Object(
  { session_hash: Type.Optional(Type.String({ maxLength: 200, description: 'The secret of the session' })) },
  { additionalProperties: false },
)

export const sessionRoutes: Routes = (app, context) => {
  const { db, config, tokens } = context

  app.post(
    '/sessions',
    {
      config: { access: 'public' },
      schema: { summary: 'Sign in', body: SessionBody, response: { 201: Session } },
    },
    async (request, reply) => {
      const actor = await identify(tokens, request)
      await limitAddress(context, request, reply, policies.signInAddress)
      await limit(context, reply, policies.signInAccount, request.body.email.trim().toLowerCase())
      const { row, secret } = await signIn(context, request.body, {
        actor,
        ip_address: clientAddress(config, request),
        user_agent: request.headers['user-agent']?.slice(0, 300) ?? null,
      })
      if (isOwnPage(config, request)) reply.header('Set-Cookie', sessionCookie(secret, sessionSeconds))
      return reply.code(201).send({ ...presentSession(row), hash: secret })
    },
  )

  app.get(
    '/sessions/:id',
    {
      config: { scopes: [] },
      schema: { summary: 'Read a Session', params: IdParams, response: { 200: Session } },
    },
    async ({ actor, params }) => presentSession(await findSession(db, actor.organisation_id, params.id)),
  )

  app.delete(
    '/sessions/:id',
    {
      config: { access: 'public' },
      schema: {
        summary: 'Sign out',
        description:
          'By a token of the user or with the scope `tokens`, by `session_hash`, or by the cookie.',
        params: IdParams,
        querystring: SecretQuery,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const actor = await identify(tokens, request)
      const cookie = cookieOf(request)
      const secret = request.query.session_hash ?? cookie
      if (actor) {
        const row = await findSession(db, actor.organisation_id, id)
        if (actor.token.kind === 'personal') throw new NotFound('Session', id)
        if (actor.user_id !== row.user_id && !actor.token.scopes.has('tokens'))
          throw new InsufficientScope(['tokens'])
        await transaction(context, (tx) => endSessions(tx, [row], actor))
      } else if (secret) {
        if (request.query.session_hash === undefined && !isOwnPage(config, request))
          throw new Forbidden('the cookie counts only from our own pages')
        const row = await sessionBySecret(db, secret)
        if (row?.id !== id) throw new NotFound('Session', id)
        await transaction(context, (tx) => endSessions(tx, [row]))
      } else throw new Unauthorized('missing')
      if (cookie && isOwnPage(config, request)) reply.header('Set-Cookie', noCookie)
      return reply.code(204).send(null)
    },
  )
}
