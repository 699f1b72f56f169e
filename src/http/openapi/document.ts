import type { Generation, Route, Schema } from './collect.ts'
import { collectComponents } from './components.ts'
import { errorResponses, errorSchemas } from './errors.ts'
import { groupOf, operationIdOf } from './names.ts'
import { operationOf } from './operation.ts'
import { sharedParameters } from './parameters.ts'
import { securitySchemes } from './security.ts'
import { webhooksOf } from './webhooks.ts'

export type Document = Schema & { paths: Record<string, Record<string, Schema>> }

const text = (description: string, example: string): Schema => ({
  description,
  schema: { type: 'string' },
  example,
})

const headers: Record<string, Schema> = {
  ETag: text(
    'Version and representation of the record; goes into If-Match and If-None-Match.',
    '"3-Zk4Qx1aB"',
  ),
  Link: text(
    'The pages on either side, where there are any (RFC 8288).',
    '<https://localhost:8443/channels?after=WyIyMDI2Il0>; rel="next"',
  ),
  Location: text('Where the new record is.', '/channels/0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20'),
  'Idempotency-Replayed': text(
    '`true` when the record was made by an earlier request with this key.',
    'true',
  ),
  'Retry-After': text('Seconds to wait before the next attempt.', '1'),
  'WWW-Authenticate': text('What is wrong with the token (RFC 6750).', 'Bearer error="invalid_token"'),
  Allow: text('The methods that this path takes.', 'GET, HEAD, OPTIONS, POST'),
  traceparent: text(
    'The trace this request belongs to (W3C); one that the caller sends is continued.',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ),
}

const titles: Record<Generation, string> = {
  unversioned: 'Marquee',
  v5: 'Marquee, version 5',
}
const descriptions: Record<Generation, string> = {
  unversioned: 'Content, audience and media in one service: the generation with localized publications.',
  v5: 'Content, audience and media in one service: the version-5 generation, with flat fields.',
}

/** The OpenAPI 3.1 document of one generation, from the routes as they are registered. */
export const documentOf = (routes: Route[], generation: Generation, publicUrl: string): Document => {
  const shown = routes.filter((route) => route.generation === generation && !route.schema.hide)
  const components = collectComponents()
  Object.assign(components.schemas, errorSchemas)
  const paths: Document['paths'] = {}
  const used = new Set<string>()
  for (const route of shown) {
    const id = unused(operationIdOf(route), used)
    paths[route.path] ??= {}
    paths[route.path]![route.method.toLowerCase()] = operationOf(route, components, id)
  }
  const webhooks = generation === 'unversioned' ? webhooksOf(components) : undefined
  return {
    openapi: '3.1.0',
    info: {
      title: titles[generation],
      version: generation === 'v5' ? '5' : '1',
      description: descriptions[generation],
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: generation === 'v5' ? `${publicUrl}/v5` : publicUrl }],
    security: [{ oauth2: [] }, { bearer: [] }, { access_token: [] }],
    tags: [...new Set(shown.map(groupOf))].sort().map((name) => ({ name })),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: components.schemas,
      parameters: sharedParameters,
      headers,
      responses: errorResponses(),
      securitySchemes: securitySchemes(publicUrl),
    },
  }
}

const unused = (id: string, used: Set<string>): string => {
  let name = id
  for (let number = 2; used.has(name); number += 1) name = `${id}${number}`
  used.add(name)
  return name
}
