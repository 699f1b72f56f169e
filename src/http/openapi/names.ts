import type { Route } from './collect.ts'

/** First segments whose group is not simply their name. */
const groups: Record<string, string> = {
  health: 'Health',
  livez: 'Health',
  readyz: 'Health',
  metrics: 'Health',
  'openapi.json': 'Documentation',
  docs: 'Documentation',
  oauth: 'OAuth',
  rss: 'Sources',
  microblogaccounts: 'Sources',
  microbloghashtags: 'Sources',
}

export const groupOf = ({ path, schema }: Route): string => {
  const first = path.split('/')[1] ?? ''
  return schema.tags?.[0] ?? groups[first] ?? capital(first.replaceAll('_', ' '))
}

const verbs: Record<string, string> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/** Last segments that look like an action and are not. */
const things = new Set(['secret', 'remark', 'multipart', 'two_factor'])

/** `GET /channels` is listChannels, `POST /tokens/{id}/renew` renewToken, `GET /channels/{id}` getChannel. */
export const operationIdOf = (route: Route): string => {
  if (route.schema.operationId) return route.schema.operationId
  const segments = route.path
    .replace('/users/me', '/own_user')
    .replace(/\/(\w+)\/\{\1\}/, '/{$1}')
    .split('/')
    .slice(1)
  const last = segments.at(-1)!
  const isAction =
    route.method === 'POST' && isParameter(segments.at(-2)) && !/s$|^\{/.test(last) && !things.has(last)
  if (isAction) return camel([last, ...nounsOf(segments.slice(0, -1), true)])
  const verb = route.config.list ? 'list' : verbs[route.method]!
  return camel([verb, ...nounsOf(segments, verb === 'create')])
}

const isParameter = (segment: string | undefined): boolean => segment?.startsWith('{') ?? false

/** A noun stands for one thing when an id follows it, or when it is being made. */
const nounsOf = (segments: string[], oneAtEnd: boolean): string[] =>
  segments.flatMap((segment, index) => {
    if (isParameter(segment)) return segment === '{id}' ? [] : ['by', segment.slice(1, -1)]
    const isLast = index === segments.length - 1
    return [isParameter(segments[index + 1]) || (isLast && oneAtEnd) ? singular(segment) : segment]
  })

const singular = (noun: string): string =>
  noun
    .replace(/ies$/, 'y')
    .replace(/(us|ss|x)es$/, '$1')
    .replace(/([^su])s$/, '$1')

const camel = (words: string[]): string =>
  words
    .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
    .filter(Boolean)
    .map((word, index) => (index === 0 ? word : capital(word)))
    .join('')

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
