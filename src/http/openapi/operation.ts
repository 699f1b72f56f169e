import { STATUS_CODES } from 'node:http'
import type { Route, Schema } from './collect.ts'
import type { Components } from './components.ts'
import { errorsOf, headersNamed } from './errors.ts'
import { exampleOf } from './examples.ts'
import { capital, groupOf, operationIdOf } from './names.ts'
import { parametersOf } from './parameters.ts'
import { securityOf } from './security.ts'
import { givesEtag, takesIfNoneMatch } from './versions.ts'

export const operationOf = (
  route: Route,
  components: Components,
  operationId = operationIdOf(route),
): Schema => {
  const { schema } = route
  const body = requestBody(route, components, operationId)
  return {
    operationId,
    tags: [groupOf(route)],
    summary: schema.summary ?? capital(operationId),
    ...(schema.description && { description: schema.description }),
    ...(schema.deprecated && { deprecated: true }),
    ...(schema.beta && { 'x-beta': true }),
    ...securityOf(route),
    parameters: parametersOf(route, components),
    ...(body && { requestBody: body }),
    responses: responsesOf(route, components, operationId),
  }
}

/** Every write takes the same body in three forms. */
const contentTypes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

const requestBody = ({ schema }: Route, components: Components, operationId: string): Schema | undefined => {
  if (!schema.body) return undefined
  if (schema.body.content) return fileBody(schema.body.content, components)
  const named = components.named(`${capital(operationId)}Body`, schema.body)
  const example = exampleOf(named, { resolve: components.resolve, shows: () => true })
  const media = { schema: named, example }
  return {
    required: (components.resolve(named).required ?? []).length > 0,
    description:
      'The three forms are equal. In the two kinds of form, nested names stand in brackets (`streams[0][url]`) and an empty value is null or the empty list.',
    content: Object.fromEntries(contentTypes.map((type) => [type, media])),
  }
}

/** A route that takes files says itself what they may come as. */
const fileBody = (content: Record<string, Schema>, components: Components): Schema => ({
  required: true,
  content: Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => {
      const { examples, ...rest } = components.convert(schema)
      return [type, { schema: rest, ...(examples && { example: examples[0] }) }]
    }),
  ),
})

const responsesOf = (route: Route, components: Components, operationId: string): Schema => {
  const own = Object.entries(route.schema.response ?? {}).map(([status, schema]): [string, Schema] => [
    status,
    responseOf(route, status, schema, components, operationId),
  ])
  const success = own.some(([status]) => status.startsWith('2')) ? [] : [plainSuccess()]
  const unchanged: [string, Schema][] = takesIfNoneMatch(route)
    ? [['304', { description: 'What If-None-Match named is still current.', headers: headersNamed('ETag') }]]
    : []
  const sorted = [...errorsOf(route), ...unchanged, ...success, ...own].sort(([a], [b]) => a.localeCompare(b))
  return Object.fromEntries(sorted)
}

const plainSuccess = (): [string, Schema] => [
  '200',
  { description: 'OK', headers: headersNamed('traceparent') },
]

const responseOf = (
  route: Route,
  status: string,
  schema: Schema,
  components: Components,
  operationId: string,
): Schema => {
  const description = schema.description ?? STATUS_CODES[status] ?? 'OK'
  const headers = headersNamed(...responseHeaders(route, status))
  if (status === '204' || schema.type === 'null') return { description, headers }
  const content = schema.content
    ? Object.fromEntries(
        Object.entries<Schema>(schema.content).map(([type, { schema: inner }]) => [
          type,
          media(route, components.convert(inner), components),
        ]),
      )
    : { 'application/json': media(route, bodySchema(route, schema, components, operationId), components) }
  return { description, headers, content }
}

/** A list is named after what it holds. */
const bodySchema = (route: Route, schema: Schema, components: Components, operationId: string): Schema => {
  if (!route.config.list) return components.convert(schema)
  const item = components.convert(schema.properties?.items?.items ?? {})
  const title = item.$ref ? components.resolve(item).title : capital(operationId)
  return components.named(`${title}Collection`, schema)
}

/** What `fields` adds is not in the usual answer, so the example leaves it out too. */
const media = (route: Route, schema: Schema, components: Components): Schema => {
  const added = new Set(Object.keys(route.config.expansions ?? {}))
  const shows = (name: string) => !added.has(name)
  return { schema, example: exampleOf(schema, { resolve: components.resolve, shows }) }
}

const responseHeaders = (route: Route, status: string): string[] => {
  const names = ['traceparent']
  const created = status === '201' && route.method === 'POST'
  if (givesEtag(route) && status.startsWith('2')) names.push('ETag')
  if (created && givesEtag(route)) names.push('Location')
  if (created && route.config.access !== 'public') names.push('Idempotency-Replayed')
  if (route.config.list) names.push('Link')
  if (status === '429' || status === '503') names.push('Retry-After')
  return names
}
