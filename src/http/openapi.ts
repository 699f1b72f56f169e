import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { docsPage } from './docs/page.ts'
import { collectRoutes } from './openapi/collect.ts'
import { documentOf } from './openapi/document.ts'
import type { App } from './types.ts'

const OpenApiDocument = Type.Object(
  { openapi: Type.String({ examples: ['3.1.0'] }) },
  { additionalProperties: true, description: 'The OpenAPI document' },
)
const Page = {
  description: 'The page',
  content: { 'text/html': { schema: Type.String({ examples: ['<!doctype html>…'] }) } },
}

/** The documents and the reference page. Comes before all other routes, because it listens to them. */
export const openApiRoutes = (app: App, { config }: Context): void => {
  const routes = collectRoutes(app)
  const unversioned = lazy(() => documentOf(routes, 'unversioned', config.publicUrl))
  const v5 = lazy(() => documentOf(routes, 'v5', config.publicUrl))
  const page = lazy(() => docsPage(unversioned(), v5()))

  const serve = (url: string, type: string, summary: string, schema: object, make: () => Made) => {
    const made = lazy(make)
    app.get(
      url,
      { config: { access: 'public' }, schema: { summary, response: { 200: schema } } },
      (request, reply) => answer(request, reply, type, made()) as never,
    )
  }
  const json = 'application/json; charset=utf-8'
  const asJson = (document: () => object) => () => tagged(JSON.stringify(document()))
  serve('/openapi.json', json, 'This interface as an OpenAPI document', OpenApiDocument, asJson(unversioned))
  serve('/v5/openapi.json', json, 'Version 5 as an OpenAPI document', OpenApiDocument, asJson(v5))
  serve('/docs', 'text/html; charset=utf-8', 'The reference page of both generations', Page, () =>
    tagged(page().html, { 'Content-Security-Policy': page().policy }),
  )
}

type Made = { body: string; etag: string; headers: Record<string, string> }

const tagged = (body: string, headers: Record<string, string> = {}): Made => ({
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  headers,
})

/** Made on the first request, when every route is known, and kept. */
const lazy = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const answer = (request: FastifyRequest, reply: FastifyReply, type: string, made: Made) => {
  reply.headers({ ...made.headers, ETag: made.etag, 'Cache-Control': 'public, max-age=300' })
  const held = request.headers['if-none-match']?.split(',').map((item) => item.trim().replace(/^W\//, ''))
  if (held?.some((item) => item === '*' || item === made.etag)) return reply.code(304).send()
  return reply.header('Content-Type', type).send(made.body)
}
