import type { Expansion } from '../expand.ts'
import type { ListOptions } from '../types.ts'
import type { Route, Schema } from './collect.ts'
import type { Components } from './components.ts'
import { filterParameters } from './filters.ts'
import { takesIfMatch, takesIfNoneMatch } from './versions.ts'

const shared = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` })

/** Headers that mean the same everywhere. */
export const sharedParameters: Record<string, Schema> = {
  EnvironmentId: {
    name: 'Environment-Id',
    in: 'header',
    description:
      'The environment that is meant. Needed with an organisation token, which is good for several.',
    schema: { type: 'string' },
    example: '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repeat harmless for 24 hours: the same key with the same request gives the same answer, with another request 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '7d0f3c52-8f0e-4f5b-9a55-0c7a6b1d2e3f',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag that was read. If the record has changed since, the answer is 412 and nothing happens.',
    schema: { type: 'string' },
    example: '"3-Zk4Qx1aB"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'An ETag that is already held. If it is still the current one, the answer is 304 without a body.',
    schema: { type: 'string' },
    example: '"3-Zk4Qx1aB"',
  },
}

export const parametersOf = (route: Route, components: Components): Schema[] => {
  const { schema, config } = route
  const own = new Set(Object.keys(schema.querystring?.properties ?? {}))
  return [
    ...pathParameters(route, components),
    ...queryParameters(schema.querystring, components, fieldsSchema(route)),
    ...(config.list ? listParameters(config.list, route, own) : []),
    ...headersOf(route),
  ]
}

const pathParameters = ({ path, schema }: Route, components: Components): Schema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: components.convert(schema.params?.properties?.[name!] ?? { type: 'string' }),
  }))

const queryParameters = (query: Schema | undefined, components: Components, fields: Schema): Schema[] =>
  Object.entries<Schema>(query?.properties ?? {}).map(([name, schema]) => {
    if (name === 'fields') return fields
    const { description, ...rest } = components.convert(schema)
    const required = query?.required?.includes(name) ? { required: true } : {}
    return { name, in: 'query', ...required, ...(description && { description }), schema: rest }
  })

const listParameters = (list: ListOptions, route: Route, own: Set<string>): Schema[] =>
  [...pageParameters(list), fieldsSchema(route), ...filterParameters(list.filters)].filter(
    ({ name }) => !own.has(name),
  )

const query = (name: string, description: string, schema: Schema, example?: unknown): Schema => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example !== undefined && { example }),
})

const pageParameters = ({
  defaultLimit = 25,
  maxLimit = 1000,
  sorts,
  defaultSort,
}: ListOptions): Schema[] => {
  const names = Object.keys(sorts)
  const cursor = 'WyIyMDI2LTExLTAxIiwiMDE5OWMyYTQiXQ'
  const skip = { type: 'integer', minimum: 0, maximum: 2_147_483_647, default: 0 }
  return [
    query('limit', 'How many items a page has.', {
      type: 'integer',
      minimum: 1,
      maximum: maxLimit,
      default: defaultLimit,
    }),
    query('skip', 'How many items are passed over first. Cursors are faster and steadier.', skip),
    query('offset', 'Another name of `skip`.', skip),
    query(
      'after',
      'The page behind this cursor, which is `after` of the page before.',
      { type: 'string' },
      cursor,
    ),
    query(
      'before',
      'The page in front of this cursor; not together with `after`.',
      { type: 'string' },
      cursor,
    ),
    {
      ...query(
        'sort',
        `One key or several by comma; \`-\` in front means descending. The id breaks ties, nulls come last. Without it: \`${defaultSort}\`, or the best fit first where words are searched.`,
        { type: 'array', items: { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) } },
        [`-${names[0]}`],
      ),
      style: 'form',
      explode: false,
      'x-default': defaultSort,
    },
    query('total', 'Whether the total is counted and given.', { type: 'boolean', default: true }),
  ]
}

/** `fields`, with every name that it may hold. */
const fieldsSchema = ({ config, schema }: Route): Schema => {
  const expansions = Object.entries(
    (config.expansions ?? {}) as Record<string, Pick<Expansion<never>, 'inner'>>,
  )
  const body = schema.response?.['200'] ?? schema.response?.['201'] ?? {}
  const record = config.list ? (body.properties?.items?.items ?? {}) : body
  const names = Object.keys(record.properties ?? {})
  const added = expansions.map(([name, { inner }]) => `\`${name}${insideOf(inner)}\``).join(', ')
  const first = expansions.find(([, { inner }]) => Array.isArray(inner) && inner.includes('name'))?.[0]
  return {
    ...query(
      'fields',
      added
        ? `Names by comma that are added to the body: ${added}. Braces choose inside. What the body always has may be named too.`
        : 'Names by comma. The body has all there is, so nothing is added.',
      { type: 'string' },
      first ? `${first}{name}` : (expansions[0]?.[0] ?? names[0] ?? 'id'),
    ),
    'x-fields': [...new Set([...names, ...expansions.map(([name]) => name)])],
  }
}

/** What every record has goes without saying. */
const common = new Set(['id', 'created_on', 'changed_on', 'label'])
const insideOf = (inner: Expansion<never>['inner'] = []): string => {
  if (typeof inner === 'function') return '{…}'
  const own = inner.filter((name) => !common.has(name))
  return own.length > 0 ? `{${own.join(',')}}` : ''
}

const headersOf = (route: Route): Schema[] => {
  const { method, config } = route
  const names: string[] = []
  if (config.access !== 'public') names.push('EnvironmentId')
  if (method === 'POST' && config.access !== 'public') names.push('IdempotencyKey')
  if (takesIfMatch(route)) names.push('IfMatch')
  if (takesIfNoneMatch(route)) names.push('IfNoneMatch')
  return names.map(shared)
}
