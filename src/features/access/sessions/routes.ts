import { Type } from 'typebox'
import type { Db } from '../../../database/connect.ts'
import { transaction } from '../../../database/transaction.ts'
import { Forbidden, InsufficientScope, NotFound, Unauthorized } from '../../../errors.ts'
import { identify } from '../../../http/auth.ts'
import { IdParams, Nothing } from '../../../http/schemas.ts'
import { placeOf } from '../../../http/secure.ts'
import type { Routes } from '../../../http/types.ts'
import { foldEmail } from '../../persons/by-email.ts'
import type { Actor } from '../authenticate.ts'
import { cookieOf, isOwnPage, noCookie, sessionCookie } from '../browser.ts'
import { limit, limitAddress, policies } from '../rate-limit.ts'
import { holds } from '../scopes.ts'
import { endSessions, sessionSeconds } from './commands.ts'
import { endPersonSession } from './persons.ts'
import { presentSession } from './present.ts'
import { type AnySession, findSession, isOfPerson, sessionOfSecret } from './queries.ts'
import { Session, SessionBody } from './schema.ts'
import { signIn } from './sign-in.ts'

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
      schema: {
        summary: 'Sign in',
        description:
          'Without a token as a user. With a token of an environment as a user of its organisation or a person of the environment, whose password it is; as the user where it is both.',
        body: SessionBody,
        response: { 201: Session },
      },
    },
    async (request, reply) => {
      const actor = await identify(tokens, request)
      if (actor?.token.kind === 'personal') throw new InsufficientScope([])
      await limitAddress(context, request, reply, policies.signInAddress)
      await limit(context, reply, policies.signInAccount, foldEmail(request.body.email))
      const { row, secret } = await signIn(context, request.body, {
        actor,
        ...placeOf(config, request),
      })
      if (!isOfPerson(row) && isOwnPage(config, request))
        reply.header('Set-Cookie', sessionCookie(secret, sessionSeconds))
      return reply.code(201).send({ ...presentSession(row), hash: secret })
    },
  )

  app.get(
    '/sessions/:id',
    {
      config: { scopes: [] },
      schema: { summary: 'Read a Session', params: IdParams, response: { 200: Session } },
    },
    async ({ actor, params }) => {
      const row = await findSession(db, actor, params.id)
      return presentSession(isOfPerson(row) && !holds(actor.token.scopes, 'persons') ? placeless(row) : row)
    },
  )

  app.delete(
    '/sessions/:id',
    {
      config: { access: 'public' },
      schema: {
        summary: 'Sign out',
        description:
          'By `session_hash`, by a token or by the cookie. A token ends what its user or person has opened; with the scope `tokens` any session of a user, with `persons_publish` any of a person.',
        params: IdParams,
        querystring: SecretQuery,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { session_hash } = request.query
      const actor = await identify(tokens, request)
      const cookie = cookieOf(request)
      if (session_hash === undefined && !actor && cookie && !isOwnPage(config, request))
        throw new Forbidden('the cookie counts only from our own pages')
      const secret = session_hash ?? (actor ? undefined : cookie)
      if (secret === undefined && !actor) throw new Unauthorized('missing')
      const row = secret === undefined ? await theirs(db, actor!, id) : await sessionOfSecret(db, id, secret)
      await transaction(context, (tx) =>
        isOfPerson(row) ? endPersonSession(tx, row, actor) : endSessions(tx, [row], actor),
      )
      if (cookie && isOwnPage(config, request)) reply.header('Set-Cookie', noCookie)
      return reply.code(204).send(null)
    },
  )
}

/** Where persons sign in from is for who may read persons. */
const placeless = (row: AnySession): AnySession => ({ ...row, ip_address: null })

/** A session that the actor may end. */
const theirs = async (db: Db, actor: Actor, id: string): Promise<AnySession> => {
  const row = await findSession(db, actor, id)
  const own = isOfPerson(row) ? actor.person_key === row.person_key : actor.user_id === row.user_id
  if (own) return row
  if (actor.token.kind === 'personal') throw new NotFound('Session', id)
  const needed = isOfPerson(row) ? 'persons_publish' : 'tokens'
  if (!holds(actor.token.scopes, needed)) throw new InsufficientScope([needed])
  return row
}
