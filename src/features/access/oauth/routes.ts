import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../http/types.ts'
import { cookieOf } from '../browser.ts'
import { limit, limitAddress, policies } from '../rate-limit.ts'
import { accessSeconds, authenticateClient, grantToClient, refresh } from './client-grants.ts'
import { OAuthError, sendOAuthError } from './errors.ts'
import { credentialsOf, type Parameters, parametersOf } from './parameters.ts'
import { OAuthFailure, TokenRequest } from './schema.ts'
import { exchangeSession, studioSeconds } from './session-grant.ts'

const AccessToken = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer(),
    scope: Type.String(),
    refresh_token: Type.Optional(Type.String()),
    environment_id: Type.Optional(Type.String()),
  },
  { title: 'AccessToken' },
)

export const oauthRoutes: Routes = (app, context) => {
  app.post(
    '/oauth/access_token',
    {
      config: { access: 'public' },
      schema: {
        summary: 'Get an access token (RFC 6749)',
        description:
          'grant_type client_credentials or refresh_token, with the client by HTTP Basic or as client_id and client_secret; as a form or as JSON. The Studio uses urn:marquee:session with its cookie.',
        response: { 200: AccessToken },
        documents: { body: TokenRequest, response: { 400: OAuthFailure, 401: OAuthFailure } },
      },
      errorHandler: sendOAuthError,
    },
    async (request, reply) => {
      await limitAddress(context, request, reply, policies.tokenAddress)
      const parameter = parametersOf(request.body)
      reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache')
      if (parameter('grant_type') === 'urn:marquee:session') return studio(context, request, reply, parameter)
      return client(context, request, reply, parameter)
    },
  )
}

const client = async (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  parameter: Parameters,
) => {
  const grant = parameter('grant_type')
  if (grant === undefined) throw new OAuthError('invalid_request', 'grant_type is required')
  if (grant !== 'client_credentials' && grant !== 'refresh_token')
    throw new OAuthError('unsupported_grant_type', 'use client_credentials or refresh_token')
  const known = await authenticateClient(context.db, credentialsOf(request, parameter))
  // Counted only now: else anybody who knows the client's id could lock it out.
  await limit(context, reply, policies.tokenClient, known.id)
  const token = parameter('refresh_token')
  if (grant === 'refresh_token' && token === undefined)
    throw new OAuthError('invalid_request', 'refresh_token is required')
  const {
    row,
    value,
    refresh: next,
  } = grant === 'refresh_token'
    ? await refresh(context, known, token!, parameter('scope'))
    : await grantToClient(context, known, parameter('scope'))
  return {
    access_token: value,
    token_type: 'Bearer' as const,
    expires_in: accessSeconds,
    scope: row.scopes.join(' '),
    refresh_token: next,
  }
}

const studio = async (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  parameter: Parameters,
) => {
  await limit(context, reply, policies.tokenClient, cookieOf(request) ?? '')
  const { row, value } = await exchangeSession(context, request, parameter('environment_id'))
  return {
    access_token: value,
    token_type: 'Bearer' as const,
    expires_in: studioSeconds,
    scope: row.scopes.join(' '),
    environment_id: row.environment_id!,
  }
}
