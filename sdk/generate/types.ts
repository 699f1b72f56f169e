import type { Schema } from '../../src/http/openapi/collect.ts'

/** A JSON schema as a TypeScript type. */
export const typeOf = (schema: Schema | undefined): string => {
  if (!schema) return 'unknown'
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value: unknown) => JSON.stringify(value)))
  const alternatives: Schema[] | undefined = schema.anyOf ?? schema.oneOf
  if (alternatives) return union(alternatives.map(typeOf))
  if (schema.allOf) return schema.allOf.map((part: Schema) => `(${typeOf(part)})`).join(' & ')
  const types: string[] = [schema.type ?? (schema.properties ? 'object' : 'unknown')].flat()
  return union(types.map((type) => plain(type, schema)))
}

const union = (types: string[]): string => [...new Set(types)].join(' | ') || 'never'

const plain = (type: string, schema: Schema): string => {
  if (type === 'integer') return 'number'
  if (type === 'array') return `${grouped(typeOf(schema.items))}[]`
  if (type === 'object') return objectOf(schema)
  return ['string', 'number', 'boolean', 'null'].includes(type) ? type : 'unknown'
}

const grouped = (type: string): string => (/^[\w.]+$/.test(type) ? type : `(${type})`)

const objectOf = (schema: Schema): string => {
  const required = new Set<string>(schema.required ?? [])
  const members = Object.entries<Schema>(schema.properties ?? {}).map(
    ([name, inner]) => `${comment(inner)}${key(name)}${required.has(name) ? '' : '?'}: ${typeOf(inner)}`,
  )
  const rest = schema.additionalProperties
  if (members.length > 0) return `{ ${members.join('; ')} }`
  return rest === false ? 'Record<string, never>' : `{ [name: string]: ${restOf(rest)} }`
}

const restOf = (rest: Schema | boolean | undefined): string =>
  typeof rest === 'object' ? typeOf(rest) : 'unknown'

const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

const comment = ({ description }: Schema): string =>
  description ? `/** ${String(description).replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */ ` : ''

/** Parameters of one place as an object type; nothing where there are none. */
export const parametersType = (
  parameters: Schema[],
  place: string,
): { type: string; needed: boolean } | undefined => {
  const found = parameters.filter((parameter) => parameter.in === place)
  if (found.length === 0) return undefined
  const members = found.map(({ name, required, schema, style }) => {
    const type = style === 'deepObject' ? filterOf(typeOf(schema)) : typeOf(schema)
    return `${key(name)}${required ? '' : '?'}: ${type}`
  })
  return { type: `{ ${members.join('; ')} }`, needed: found.some(({ required }) => required) }
}

/** A filter may be sent as one object or as several that all hold. */
const filterOf = (type: string): string => `${type} | ${grouped(type)}[]`
