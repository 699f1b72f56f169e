import type { FastifyInstance } from 'fastify'
import { listOf } from '../database/lists.ts'
import { UploadedFile } from '../storage/uploaded.ts'
import { atOnce } from './hooks.ts'

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  'x-ignored'?: string[]
}

/** Makes a body ready to be validated: read-only names go, and a form's strings become what the schema says. */
export const prepareBodies = (app: FastifyInstance): void => {
  app.addHook(
    'preValidation',
    atOnce((request) => {
      const schema = request.routeOptions.schema?.body as Schema | undefined
      const { body } = request
      if (!schema || typeof body !== 'object' || body === null) return
      dropIgnored(schema, body)
      if (request.isForm) request.body = convert(schema, body)
    }),
  )
}

/** Takes away what a read shows and a write does not take, as its schema says. */
export const dropIgnored = (schema: object, body: object): void => {
  const { properties, 'x-ignored': ignored = [] } = schema as Schema
  for (const name of ignored) if (!properties?.[name]) delete (body as Record<string, unknown>)[name]
}

const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat()

/** In forms an empty value is null or the empty list; numbers and booleans are told by the schema. */
const convert = (schema: Schema, value: unknown): unknown => {
  if (value instanceof UploadedFile) return value
  const types = typesOf(schema)
  if (schema.anyOf) return convertAny(schema.anyOf, value)
  const group = typeof value === 'object' && value !== null
  if (types.includes('object') && group && !(types.includes('array') && Array.isArray(value)))
    return convertObject(schema, value)
  if (types.includes('array')) {
    const items = listOf(value) ?? [value]
    if (items.length === 1 && items[0] === '') return types.includes('null') ? null : []
    return items.map((item) => convert(schema.items ?? {}, item))
  }
  return typeof value === 'string' ? convertText(types, value) : value
}

const convertObject = (schema: Schema, value: object): object => {
  const rest =
    Object.values(schema.patternProperties ?? {})[0] ??
    (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {})
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, convert(schema.properties?.[name] ?? rest, inner)]),
  )
}

const convertAny = (options: Schema[], value: unknown): unknown => {
  const kind = Array.isArray(value) ? 'array' : typeof value
  const fitting = options.find((option) => typesOf(option).includes(kind))
  if (value === '' && options.some((option) => typesOf(option).includes('null'))) return null
  return convert(fitting ?? options[0] ?? {}, value)
}

const convertText = (types: string[], text: string): unknown => {
  if (text === '' && types.includes('null')) return null
  if (types.includes('string')) return text
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text)
  if (types.includes('boolean')) {
    if (text === 'true' || text === '1') return true
    if (text === 'false' || text === '0') return false
  }
  return text === '' && types.includes('object') ? {} : text
}
