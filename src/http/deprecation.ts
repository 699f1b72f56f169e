import type { FastifyInstance } from 'fastify'
import { atOnce } from './hooks.ts'

/** What is marked as deprecated in the documents says so in its answers too, and since when (RFC 9745). */
export const tellDeprecated = (app: FastifyInstance): void => {
  app.addHook('onRoute', ({ url, schema, config }) => {
    const marked = (schema as { deprecated?: boolean } | undefined)?.deprecated === true
    if (marked !== (config?.deprecatedSince !== undefined))
      throw new Error(`${url} must have both schema.deprecated and config.deprecatedSince, or neither`)
  })
  app.addHook(
    'onRequest',
    atOnce(({ routeOptions }, reply) => {
      const since = routeOptions.config?.deprecatedSince
      if (since) reply.header('Deprecation', `@${Date.parse(since) / 1000}`)
    }),
  )
}
