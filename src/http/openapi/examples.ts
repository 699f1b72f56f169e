import type { Schema } from './collect.ts'

type Resolve = (schema: Schema) => Schema
type Options = {
  resolve: Resolve
  /** Whether a property that need not be there is shown. */
  shows(name: string): boolean
}

const id = '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20'
const moment = '2026-11-01T09:30:00+00:00'

const byFormat: Record<string, string> = {
  'date-time': moment,
  date: '2026-11-01',
  email: 'editor@example.org',
  uri: 'https://www.example.org/',
  uuid: id,
}

/** What a string of that name usually holds; the first that fits the schema is taken. */
const byName: [RegExp, string][] = [
  [/(^|_)id$|_from$/, id],
  [/^(expires|unpublish|expire)_on$/, '2027-11-01T09:30:00+00:00'],
  [/_on$|_at$/, moment],
  [/email|^to$/, 'editor@example.org'],
  [/construct_url/, 'https://www.example.org/{slug}'],
  [/url|href/, 'https://www.example.org/'],
  [/slug/, 'evening-news'],
  [/locale/, 'en-US'],
  [/time_zone/, 'Europe/Amsterdam'],
  [/ip_address/, '203.0.113.7'],
  [/user_agent/, 'Mozilla/5.0'],
  [/password/, 'correct horse battery staple'],
  [/^(first_?name)$/, 'Alex'],
  [/^(last_?name)$/, 'Jansen'],
  [/code/, '123456'],
  [/color/, '#c0392b'],
  [/^role$/, 'editor'],
  [/^uri$/, 'otpauth://totp/Marquee:editor@example.org?secret=JBSWY3DPEHPK3PXP'],
  [/^hint$/, 'mq_k3Jd'],
  [/^text$/, 'You have been invited.'],
  [/^html$/, '<p>You have been invited.</p>'],
  [/hash|secret|token|value/, 'k3Jd8sPq0VtYx2Lw7RzB5nHf'],
  [/^(after|before)$/, 'WyIyMDI2LTExLTAxIiwiMDE5OWMyYTQiXQ'],
  [/event/, 'channel.created'],
  [/scope/, 'channels'],
  [/name|title|body/, 'Evening news'],
]
const others = ['Evening news', 'evening-news', 'en-US', 'text', id, '12345678', 'a']

/** What a young record does not have yet. */
const absent = new Set(['changed_on', 'revoked_on', 'accepted_on', 'renewed_from', 'last_error'])

/** The ones to show among several. */
const usual = new Set<unknown>(['editor'])

/** A believable value of a schema. */
export const exampleOf = (schema: Schema, options: Options, name = ''): unknown => {
  const given = options.resolve(schema)
  if (given.examples?.length > 0) return given.examples[0]
  if (given.example !== undefined) return given.example
  if (absent.has(name) && [given.type].flat().includes('null')) return null
  if (given.const !== undefined) return given.const
  if (given.enum) return given.enum.find((value: unknown) => usual.has(value)) ?? given.enum[0]
  if (given.default !== undefined && given.default !== null) return given.default
  const alternatives = given.anyOf ?? given.oneOf
  if (alternatives) return exampleOf(bestOf(alternatives, options.resolve), options, name)
  if (given.allOf)
    return Object.assign({}, ...given.allOf.map((part: Schema) => exampleOf(part, options, name)))
  const types = [given.type].flat()
  return byType(types.find((type) => type !== 'null') ?? types[0], given, options, name)
}

/** One that says something, rather than null. */
const bestOf = (alternatives: Schema[], resolve: Resolve): Schema =>
  alternatives.find((part) => resolve(part).type !== 'null') ?? alternatives[0]!

const byType = (type: string | undefined, schema: Schema, options: Options, name: string): unknown => {
  if (type === 'string') return text(schema, name)
  if (type === 'integer' || type === 'number') return number(schema, name)
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'array') return array(schema, options, name)
  return type === 'object' || schema.properties ? object(schema, options) : {}
}

const text = (schema: Schema, name: string): string => {
  const candidates = [
    schema.format === 'date-time' ? undefined : byFormat[schema.format],
    ...byName.filter(([pattern]) => pattern.test(name)).map(([, value]) => value),
    byFormat[schema.format],
    ...others,
  ]
  return candidates.find((value) => value !== undefined && fits(schema, value)) ?? ''
}

const fits = (schema: Schema, value: string): boolean =>
  value.length >= (schema.minLength ?? 0) &&
  value.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
  (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value))

const counts: Record<string, number> = {
  total: 1,
  limit: 25,
  skip: 0,
  ttl: 1_793_525_400,
  expires_in: 3600,
  image_width: 800,
  control_share: 0.1,
  max_attempts: 25,
}
const number = (schema: Schema, name: string): number =>
  Math.min(Math.max(counts[name] ?? 1, schema.minimum ?? Number.NEGATIVE_INFINITY), schema.maximum ?? 2 ** 31)

const array = (schema: Schema, options: Options, name: string): unknown[] => {
  if (schema.maxItems === 0 || !schema.items) return []
  return [exampleOf(schema.items, options, name.replace(/s$/, ''))]
}

/** Its bytes cannot be written down, and no text is taken for them. */
const isFile = ({ format }: Schema): boolean => format === 'binary'

const object = (schema: Schema, options: Options): object => {
  const required = new Set<string>(schema.required ?? [])
  const named = Object.entries<Schema>(schema.properties ?? {})
    .filter(([name, inner]) => required.has(name) || (options.shows(name) && !isFile(inner)))
    .map(([name, inner]) => [name, exampleOf(inner, options, name)])
  return Object.fromEntries([...named, ...(named.length > 0 ? [] : free(schema, options))])
}

/** One made-up name of an object that takes any. */
const free = (schema: Schema, options: Options): [string, unknown][] => {
  const [pattern, inner] = Object.entries<Schema>(schema.patternProperties ?? {})[0] ?? [
    '',
    schema.additionalProperties,
  ]
  if (typeof inner !== 'object') return []
  const key = ['color', 'en-US', id].find((name) => new RegExp(pattern, 'u').test(name))
  return key === undefined ? [] : [[key, exampleOf(inner, options, key)]]
}
