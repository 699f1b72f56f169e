import type { FastifyReply, FastifyRequest } from 'fastify'
import { transaction } from '../../../database/transaction.ts'
import { expectedVersion, isUnchanged } from '../../../http/etag.ts'
import { Nothing } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { limit, policies } from '../rate-limit.ts'
import { orEmpty } from '../schemas.ts'
import { changeOwnAccount, needsProof, requirePassword } from './own-account.ts'
import { presentUser, withRole } from './present.ts'
import { findMe, lockUser } from './queries.ts'
import { OwnChanges, TwoFactorCode, TwoFactorEnrolment, TwoFactorStart, User } from './schema.ts'
import { confirmTwoFactor, removeTwoFactor, startTwoFactor } from './two-factor.ts'

/** The account of the user that a token is bound to. */
export const ownAccountRoutes: Routes = (app, context) => {
  const { db, keys } = context
  const config = { scopes: [] }

  /** Whoever guesses passwords or codes here is held up as at sign-in. */
  const limited = async ({ actor }: FastifyRequest, reply: FastifyReply) => {
    const { email } = await findMe(db, actor)
    await limit(context, reply, policies.signInAccount, email)
  }

  app.get(
    '/users/me',
    { config, schema: { summary: 'Read the own User', response: { 200: User } } },
    async (request, reply) => {
      const row = await findMe(db, request.actor)
      const body = presentUser(row)
      if (isUnchanged(request, reply, row.version, body))
        return reply.code(304 as 200).send(undefined as never)
      return body
    },
  )

  app.put(
    '/users/me',
    {
      config,
      schema: { summary: 'Change the own User', body: OwnChanges, response: { 200: User } },
    },
    async (request, reply) => {
      const { actor, body } = request
      if (body.current_password !== undefined) await limited(request, reply)
      const expected = expectedVersion(request)
      const row = await transaction(context, (tx) => changeOwnAccount(tx, actor, body, expected))
      const shown = presentUser(row)
      isUnchanged(request, reply, row.version, shown)
      return shown
    },
  )

  app.post(
    '/users/me/two_factor',
    {
      config,
      preValidation: orEmpty,
      schema: {
        summary: 'Start to enrol a second factor',
        description:
          'A repeat is harmless: it replaces the secret that is not confirmed yet. Since a secret is shown only once, an Idempotency-Key brings nothing back.',
        body: TwoFactorStart,
        response: { 201: TwoFactorEnrolment },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      await limited(request, reply)
      const enrolment = await transaction(context, async (tx) => {
        const user = await lockUser(tx, actor, actor.user_id!)
        if (needsProof(actor)) await requirePassword(user, body.current_password)
        return startTwoFactor(tx, keys, actor, user)
      })
      return reply.code(201).send(enrolment)
    },
  )

  app.put(
    '/users/me/two_factor',
    {
      config,
      schema: { summary: 'Confirm the second factor', body: TwoFactorCode, response: { 200: User } },
    },
    async (request, reply) => {
      const { actor, body } = request
      await limited(request, reply)
      return transaction(context, async (tx) => {
        const user = await lockUser(tx, actor, actor.user_id!)
        const row = await confirmTwoFactor(tx, keys, actor, user, body.two_factor_code)
        return presentUser(withRole(row, user.role))
      })
    },
  )

  app.delete(
    '/users/me/two_factor',
    {
      config,
      schema: { summary: 'Remove the second factor', body: TwoFactorCode, response: { 204: Nothing } },
    },
    async (request, reply) => {
      const { actor, body } = request
      await limited(request, reply)
      await transaction(context, async (tx) => {
        const user = await lockUser(tx, actor, actor.user_id!)
        await removeTwoFactor(tx, keys, actor, user, body.two_factor_code)
      })
      return reply.code(204).send(null)
    },
  )
}
