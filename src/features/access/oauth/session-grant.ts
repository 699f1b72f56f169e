import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { transaction } from '../../../database/transaction.ts'
import { Forbidden } from '../../../errors.ts'
import { holdUser } from '../authority.ts'
import { cookieOf, isOwnPage } from '../browser.ts'
import { scopesOf } from '../scopes.ts'
import { sessionBySecret } from '../sessions/queries.ts'
import type { Role, TokenRow } from '../table.ts'
import { createToken } from '../tokens/commands.ts'
import { OAuthError } from './errors.ts'

export const studioSeconds = 600

/** The Studio's cookie, from one of our own pages, for a short-lived token with what the user's role may do. */
export const exchangeSession = async (
  context: Context,
  request: FastifyRequest,
  environmentId: string | undefined,
): Promise<{ row: TokenRow; value: string }> => {
  if (!isOwnPage(context.config, request))
    throw new Forbidden('the cookie counts only from our own pages', { type: 'CrossOrigin' })
  const secret = cookieOf(request)
  if (!secret) throw new OAuthError('invalid_grant', 'there is no session')
  return transaction(context, async (tx) => {
    await holdUser(tx, (await sessionBySecret(tx, secret))?.user_id ?? null)
    const session = await sessionBySecret(tx, secret, true)
    if (!session) throw new OAuthError('invalid_grant', 'there is no session')
    const place = await findPlace(tx, session.user_id, environmentId)
    if (!place) throw new OAuthError('invalid_request', 'environment_id is not one of the user')
    const by = {
      organisation_id: place.organisation_id,
      environment_id: place.id,
      user_id: session.user_id,
      token_id: null,
    }
    return createToken(tx, by, {
      kind: 'studio',
      name: 'Studio',
      scopes: scopesOf(place.role),
      visibility: 'all',
      user_id: session.user_id,
      session_id: session.id,
      expires_on: new Date(Date.now() + studioSeconds * 1000),
    })
  })
}

/** The user is held, so that a role being taken away takes this token along. */
const findPlace = (
  tx: Tx,
  userId: string,
  environmentId: string | undefined,
): Promise<{ id: string; organisation_id: string; role: Role } | undefined> =>
  tx
    .selectFrom('environments')
    .innerJoin('memberships', 'memberships.organisation_id', 'environments.organisation_id')
    .select(['environments.id', 'environments.organisation_id', 'memberships.role'])
    .where('memberships.user_id', '=', userId)
    .$if(environmentId !== undefined, (query) => query.where('environments.id', '=', environmentId!))
    .orderBy('environments.created_on')
    .orderBy('environments.id')
    .limit(1)
    .executeTakeFirst()
