import type { FastifyContextConfig, FastifyInstance } from 'fastify'

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema is walked as the plain value it is
export type Schema = { [keyword: string]: any }

type RouteSchema = {
  summary?: string
  description?: string
  operationId?: string
  tags?: string[]
  deprecated?: boolean
  /** What the specification calls beta. */
  beta?: boolean
  hide?: boolean
  params?: Schema
  querystring?: Schema
  headers?: Schema
  body?: Schema
  response?: Record<string, Schema>
  /** Said in the documents only, where a route reads its body itself or answers past its schemas. */
  documents?: Pick<RouteSchema, 'body' | 'response'>
}

export type Generation = 'unversioned' | 'v5'

export type Route = {
  method: string
  /** With `{id}`, and without the prefix of its generation. */
  path: string
  generation: Generation
  schema: RouteSchema
  config: FastifyContextConfig
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is, as it was registered. */
    routeTable: Route[]
  }
}

/** Writes down every route that is registered from here on. */
export const collectRoutes = (app: FastifyInstance): Route[] => {
  const routes: Route[] = []
  app.decorate('routeTable', routes)
  app.addHook('onRoute', ({ method: methods, url, schema, config }) => {
    for (const method of [methods].flat())
      if (method !== 'HEAD' && method !== 'OPTIONS')
        routes.push({
          method,
          ...place(url),
          schema: described((schema ?? {}) as RouteSchema),
          config: config ?? {},
        })
  })
  return routes
}

const described = ({ documents, ...schema }: RouteSchema): RouteSchema =>
  documents ? { ...schema, ...documents, response: { ...schema.response, ...documents.response } } : schema

const place = (url: string): Pick<Route, 'path' | 'generation'> => {
  const path = url.replace(/:(\w+)/g, '{$1}')
  return path.startsWith('/v5/')
    ? { path: path.slice(3), generation: 'v5' }
    : { path, generation: 'unversioned' }
}
