import { isoDate } from '../../dates.ts'
import { Invalid, Unauthorized } from '../../errors.ts'
import { bearerOf } from '../../http/auth.ts'
import { once } from '../../http/once.ts'
import { Nothing } from '../../http/schemas.ts'
import { placeOf } from '../../http/secure.ts'
import type { Routes } from '../../http/types.ts'
import { limit, limitAddress, policies } from '../access/rate-limit.ts'
import { orEmpty } from '../access/schemas.ts'
import { sessionSeconds } from '../access/sessions/commands.ts'
import { foldEmail } from '../persons/by-email.ts'
import { requestByToken, requestFaults, requestSignIn, signInWithMagic } from './commands.ts'
import { sendDeadLink } from './page.ts'
import { allowedRedirects, isAllowed, withToken } from './redirects.ts'
import { Accepted, Customer, LinkParams, MagicBody, MagicQuery, SignInRequestBody } from './schema.ts'

const deprecatedSince = '2026-11-01'

/** Signing in by a link that is mailed. The specification keeps it for those who use it already. */
export const customerRoutes: Routes = (app, context) => {
  const { db, config, tokens } = context

  app.post(
    '/customers/request_sign_in',
    {
      config: {
        scopes: [],
        deprecatedSince,
        alsoWrong: (actor, body) => requestFaults(context, actor, body as object),
      },
      schema: {
        summary: 'Mail a sign-in link',
        description: 'The answer is the same whether or not the address is known.',
        deprecated: true,
        body: SignInRequestBody,
        response: { 202: Accepted },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      await limitAddress(context, request, reply, policies.linkAddress)
      await limit(context, reply, policies.linkAccount, `${actor.environment_id} ${foldEmail(body.email)}`)
      const faults = await requestFaults(context, actor, body)
      if (faults.length > 0) throw new Invalid(faults)
      await once<{ id: string }>(
        context,
        request,
        reply,
        (tx) => requestSignIn(tx, context, actor, body),
        async (id) => ({ id }),
      )
      return reply.code(202).send({ message: 'Accepted' })
    },
  )

  // Whatever opens the link to see where it leads, such as a scanner of mail, uses nothing up by it.
  app.get(
    '/customers/sign_in/:token',
    {
      config: { access: 'public', deprecatedSince },
      schema: {
        summary: 'Open a sign-in link',
        description: 'Leads to the redirect address with the temporary token as `access_token`.',
        deprecated: true,
        params: LinkParams,
        response: { 302: Nothing },
      },
    },
    async (request, reply) => {
      const { token } = request.params
      reply.header('Referrer-Policy', 'no-referrer')
      const found = await requestByToken(db, token)
      const environment = found && (await tokens.environment(found.environment_id))
      if (!environment || !isAllowed(allowedRedirects(config, environment), found.redirect_url))
        return sendDeadLink(reply)
      return reply.redirect(withToken(found.redirect_url, token), 302)
    },
  )

  app.post(
    '/customers/sign_in_with_magic',
    {
      config: { access: 'public', deprecatedSince },
      preValidation: orEmpty,
      schema: {
        summary: 'Sign in with the temporary token of a link',
        description: 'The temporary token is the bearer token. It works once, within 15 minutes.',
        deprecated: true,
        querystring: MagicQuery,
        body: MagicBody,
        response: { 200: Customer },
      },
    },
    async (request, reply) => {
      const token = bearerOf(request)
      const { two_factor_code } = request.body
      if (!token) throw new Unauthorized('missing')
      await limitAddress(context, request, reply, policies.magicAddress)
      if (two_factor_code) await limit(context, reply, policies.magicCode, token)
      const ttl = Number(request.query.ttl ?? sessionSeconds)
      const asked = { ttl, two_factor_code, place: placeOf(config, request) }
      const { person, value, now } = await signInWithMagic(context, token, asked)
      return {
        id: person.id,
        last_seen: isoDate(now),
        first_name: person.first_name,
        last_name: person.last_name,
        access_token: {
          access_token: value,
          token_type: 'Bearer' as const,
          expires_in: ttl === 0 ? null : ttl,
        },
      }
    },
  )
}
