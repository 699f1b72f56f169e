import type { FilterField, FilterSpec } from '../../database/filters.ts'
import { type Operator, operators } from '../../database/operators.ts'
import type { ValueType } from '../../database/values.ts'
import type { Schema } from './collect.ts'

const valueTypes: Record<ValueType, Schema> = {
  text: { type: 'string' },
  id: { type: 'string', maxLength: 200 },
  number: { type: 'number' },
  integer: { type: 'integer', format: 'int32' },
  boolean: { type: 'boolean' },
  date: {
    type: ['string', 'integer'],
    description: 'ISO 8601 or epoch seconds',
    examples: ['2026-11-01T09:30:00+00:00', 1793525400],
  },
}

const meanings: Record<Operator, string> = {
  eq: 'equals exactly',
  neq: 'does not equal',
  in: 'matches at least one of the values',
  all: 'matches every one of the values',
  has: 'true: there is a value; false: there is none',
  sw: 'starts with',
  fz: 'holds these words, typing errors and accents forgiven; sorts by relevance unless told otherwise',
  lt: 'before, or less than',
  lte: 'up to and including',
  gt: 'after, or more than',
  gte: 'from and including',
  il: 'within that many seconds back from now',
  near: 'latitude, longitude and metres by comma: within that distance of the place',
}

const samples: Partial<Record<string, unknown>> = {
  q: 'news',
  name: 'web',
  slug: 'evening-news',
  email: 'editor@example.org',
  event: 'channel.created',
  label: 'Channel',
  body: 'news',
}
const sampleTypes: Record<ValueType, unknown> = {
  text: 'news',
  id: '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20',
  number: 10,
  integer: 10,
  boolean: true,
  date: '2026-11-01',
}

/** Every field of a filter as a parameter that lists exactly its operators, and `or` for alternatives. */
export const filterParameters = (spec: FilterSpec): Schema[] => {
  const fields = Object.entries(spec)
  if (fields.length === 0) return []
  return [...fields.map(([name, field]) => filterParameter(name, field)), orParameter(fields[0]!)]
}

const filterParameter = (name: string, field: FilterField): Schema => {
  const example = exampleOfFilter(name, field)
  const object = filterObject(field)
  return {
    name,
    in: 'query',
    ...(field.required && { required: true }),
    style: 'deepObject',
    explode: true,
    description: describe(name, field, example),
    schema: field.bare ? { anyOf: [object, valueSchema(field, field.bare)] } : object,
    example,
  }
}

const filterObject = (field: FilterField): Schema => ({
  type: 'object',
  properties: {
    ...Object.fromEntries(field.operators.map((operator) => [operator, valueSchema(field, operator)])),
    ...(field.params && { [field.chosenBy ?? 'param']: { type: 'string', enum: Object.keys(field.params) } }),
  },
  additionalProperties: false,
  minProperties: 1,
})

const isList = (operator: Operator): boolean => operator === 'in' || operator === 'all'

const valueSchema = (field: FilterField, operator: Operator): Schema => {
  const { type } = operators[operator]
  const limited = type === undefined && field.values ? { enum: field.values } : {}
  const value: Schema = { ...valueTypes[type ?? field.type], ...limited }
  const description = meanings[operator]
  if (isList(operator)) return { type: 'array', items: value, minItems: 1, maxItems: 1000, description }
  return value.description
    ? { ...value, description: `${description} (${value.description})` }
    : { ...value, description }
}

const exampleOfFilter = (name: string, field: FilterField): Schema => {
  const operator =
    (['fz', 'gte', 'eq'] as const).find((one) => field.operators.includes(one)) ?? field.operators[0]!
  const { type } = operators[operator]
  const own = field.values?.[0] ?? (field.type === 'text' ? samples[name] : undefined)
  const value =
    operator === 'il'
      ? 604800
      : ((type ?? field.type) === field.type && own) || sampleTypes[type ?? field.type]
  return { [operator]: isList(operator) ? [value] : value }
}

const describe = (name: string, field: FilterField, example: Schema): string => {
  const [[operator, value]] = Object.entries(example) as [[string, unknown]]
  const parts = [`For example \`${name}[0][${operator}]=${value}\`.`]
  if (field.bare) parts.push(`\`${name}=${value}\` means the same as \`${name}[${field.bare}]=${value}\`.`)
  if (field.needs) parts.push(`Only together with \`${field.needs}\` or the like.`)
  const [usual] = Object.keys(field.params ?? {})
  if (field.chosenBy) parts.push(`\`${field.chosenBy}\` says which are meant; without it, any.`)
  else if (usual) parts.push(`\`param\` says what is compared; without it, ${usual}.`)
  return parts.join(' ')
}

const orParameter = ([name, field]: [string, FilterField]): Schema => {
  const example = exampleOfFilter(name, field)
  const [[operator, value]] = Object.entries(example) as [[string, unknown]]
  return {
    name: 'or',
    in: 'query',
    style: 'deepObject',
    explode: true,
    description: `Alternatives, each an object of the filters of this list: \`or[0][${name}][${operator}]=${value}\`. Everything else is joined by and.`,
    schema: {
      type: 'object',
      patternProperties: { '^\\d+$': { type: 'object' } },
      additionalProperties: false,
    },
    example: { 0: { [name]: example } },
  }
}
